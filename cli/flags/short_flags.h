// Letters for the flags that people type most, as kcat, kubectl and the shell's own tools have them. Pure.
#pragma once

#include <string>

#include "cli/program/command.h"

namespace fensi::cli {

struct ShortFlag {
  char letter = 0;
  std::string flag;   // the flag that it stands for
  std::string value;  // the value that it gives it; empty: one follows
};

/// What the letter stands for in this command; null: nothing. It is the first that the command takes: -n of a scan
/// bounds rows, of a tail events.
const ShortFlag* FindShortFlag(const Command& command, char letter);

/// " (short: -n)", " (-q: warning, -v: debug)", or nothing: for the help of a flag.
std::string ShortFormsText(const Command& command, const std::string& flag);

}  // namespace fensi::cli

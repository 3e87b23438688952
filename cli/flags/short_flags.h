// Short flags for the flags that people type most, as kcat, kubectl and shell tools have them. Pure.
#pragma once

#include <string>

#include "cli/program/command.h"

namespace fensi::cli {

struct ShortFlag {
  char letter = 0;
  std::string flag;   // its long flag
  std::string value;  // the value that it sets; empty: one follows
};

/// The meaning of the letter in this command; null: none. It is the first that the command takes: -n of a scan limits
/// rows, of a tail events.
const ShortFlag* FindShortFlag(const Command& command, char letter);

/// " (short: -n)", " (-q: warning, -v: debug)", or nothing: for the help of a flag.
std::string ShortFormsText(const Command& command, const std::string& flag);

}  // namespace fensi::cli

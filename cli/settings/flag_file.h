// Reads files of flags: lines --FLAG=VALUE or --SWITCH, '#' begins a comment. A line --flagfile=FILE reads another file
// at that point. A later line overrides an earlier one; within one file a flag that is no list is there once.
//
// A file is for many commands: it may have flags that one does not take.
//
// Blocks on the file system.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/settings/setting_list.h"

namespace fensi::cli {

struct FlagFiles {
  std::vector<FlagSetting> settings;
  std::set<std::string> named;      // flags in the files, also with a refused value
  std::vector<std::string> faults;  // with file and line; shows only flags' names of a line
  bool wrong_file = false;          // one cannot be read, or holds a secret that others may read
};

/// In this order. A relative path in a file is relative to the folder of that file.
FlagFiles ReadFlagFiles(const std::vector<std::string>& paths);

}  // namespace fensi::cli

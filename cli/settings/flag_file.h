// Files of flags: lines --FLAG=VALUE or --SWITCH, '#' begins a comment. A line --flagfile=FILE reads another file there
// and then. What a later line says goes before what an earlier one said; in one and the same file a flag that is no
// list stands once.
//
// A file is for many commands: it may hold flags that one does not take. Blocks on the file system.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "cli/settings/setting_list.h"

namespace fensi::cli {

struct FlagFiles {
  std::vector<FlagSetting> settings;
  std::set<std::string> named;      // flags that they have, also with a value that was refused
  std::vector<std::string> faults;  // with file and line; what stands in a line is never shown but for flags' names
  bool wrong_file = false;          // one cannot be read, or holds a secret that others may read
};

/// In this order. A name in a file that is no path from the root begins at the folder of that file.
FlagFiles ReadFlagFiles(const std::vector<std::string>& paths);

}  // namespace fensi::cli

// A hash of the whole configuration of a daemon, to compare two daemons, or one before and after a reload. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "daemon/indexes/index_run_list.h"

namespace fensi::daemon {

/// The default value of a flag.
using FlagDefaultOf = std::function<std::string(const std::string& name)>;

/// 12 hex digits of the flags' values, as --print_flags shows them, and of the indexes in the mapping files. Ignores
/// where a value comes from, whether a default is written down, and the address of the admin server (--admin).
std::string ConfigHash(std::string_view flags, const IndexRuns& runs, const FlagDefaultOf& default_of);

}  // namespace fensi::daemon

// One word for the whole configuration of a daemon, so that two daemons, or one before and after a reload, can be
// compared. Pure.
#pragma once

#include <string>
#include <string_view>

#include "cli/run/index_run_list.h"

namespace fensi::cli {

/// 12 hex digits of the flags' values, as --print_flags shows them, and of what mapping files say of the indexes. Where
/// a value comes from, that a default is written down, and the place at which the process is asked (--admin), do not
/// count.
std::string ConfigHash(std::string_view flags, const IndexRuns& runs);

}  // namespace fensi::cli

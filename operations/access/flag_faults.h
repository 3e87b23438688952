// The refusals of flags that need or exclude one another: one wording for each, for all commands and daemons.
//
// All are kInvalidArgument. Flags are named with their dashes, for instance "--interval_s". No I/O; any thread.
#pragma once

#include <string>

#include "base/status.h"

namespace fensi::operations {

/// `flags` was given and has no effect without `required`.
Status FlagRequires(const std::string& flags, const std::string& required);

/// Both were given. `why`: the reason, and what to do instead.
Status FlagsExclude(const std::string& flags, const std::string& other, const std::string& why = "");

/// One of both was given, and neither is of use alone.
Status FlagsTogether(const std::string& one, const std::string& other);

/// --prefix against --start_row and --stop_row, and bounds between which no row is. All are in escaped form.
Status CheckRowFlags(const std::string& prefix, const std::string& start_row, const std::string& stop_row);

/// A file that would be written exists, and --overwrite is not given.
Status FileExists(const std::string& path);

}  // namespace fensi::operations

// Looks how indexes stand, in Kafka and their store alone: works when no daemon does.
//
// Blocks; one thread. Writes nothing, and disturbs no group.
#pragma once

#include <string>
#include <vector>

#include "base/status.h"
#include "cli/status/group_standing.h"
#include "mapping/mapping.h"

namespace fensi::cli {

/// Of all indexes of the files, or those of --index, by --source kafka://… and --store. kUnavailable: a server is not
/// reached. What is wrong with one index stands in its faults.
Result<std::vector<GroupStanding>> LookAtGroups(const std::vector<std::string>& paths);

}  // namespace fensi::cli

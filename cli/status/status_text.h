// How indexes and captures stand, for people. Pure.
#pragma once

#include <string>

#include "cli/status/standing.h"

namespace fensi::cli {

/// A table of the indexes, what their daemons remark, the partitions that are furthest behind, and the captures.
std::string StatusText(const Standings& standings);

}  // namespace fensi::cli

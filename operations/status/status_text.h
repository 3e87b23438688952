// Formats the status of indexes and captures for people. Pure.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "operations/status/standing.h"

namespace fensi::operations {

/// A table of the indexes, the messages of their daemons, the partitions with the largest lag, and the captures.
std::string StatusText(const Standings& standings);

using StatusLine = std::array<std::string, 8>;

/// Columns two blanks apart.
std::string StatusTable(const std::vector<StatusLine>& lines);

/// "0.4 s", "1 m 15 s", "not known".
std::string AgeText(const std::optional<double>& seconds);

}  // namespace fensi::operations

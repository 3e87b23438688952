// How long the group's coordinator has been silent, from the client's own statistics: the client polls happily on while
// the coordinator, out of reach, gives its partitions away. Pure.
#pragma once

#include <chrono>
#include <optional>
#include <string_view>

namespace fensi::consumer {

/// `statistics` is the JSON text of librdkafka. Absent: the coordinator is not connected, or not known.
std::optional<std::chrono::milliseconds> CoordinatorSilence(std::string_view statistics);

/// A broker is connected and has answered what every connection begins with.
bool AnyBrokerUp(std::string_view statistics);

}  // namespace fensi::consumer

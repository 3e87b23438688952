// What the client's own statistics say of brokers and nobody else tells: it polls happily on while the group's
// coordinator, out of reach, gives its partitions away, or while a partition has no leader. Pure.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::consumer {

/// `statistics` is the JSON text of librdkafka. Absent: the coordinator is not connected, or not known.
std::optional<std::chrono::milliseconds> CoordinatorSilence(std::string_view statistics);

/// Partitions of the topic that are read and that nobody leads.
std::vector<int32_t> WithoutLeader(std::string_view statistics, const std::string& topic);

/// Where the log of a partition of the topic ends, for who reads what is committed, and how long ago its broker said
/// so.
struct ToldEnd {
  int32_t partition = 0;
  int64_t end = 0;
  std::chrono::milliseconds ago{0};
};
/// Only of partitions that are fetched from a broker that is connected.
std::vector<ToldEnd> LogEnds(std::string_view statistics, const std::string& topic);

/// A broker is connected and has answered what every connection begins with.
bool AnyBrokerUp(std::string_view statistics);

}  // namespace fensi::consumer

// A place in a topic, and the two logs that a partition may have: its stream, and the requests beside it.
#pragma once

#include <cstdint>

namespace fensi::consumer {

/// What the owner of a partition reads.
enum class Log { kStream, kRequests };

/// One log of a partition.
struct LogId {
  LogId(int32_t of, Log which = Log::kStream) : partition(of), log(which) {}  // NOLINT: a number is the stream's
  int32_t partition = 0;
  Log log = Log::kStream;
  auto operator<=>(const LogId&) const = default;
};

/// A place in a topic.
struct PartitionOffset {
  int32_t partition = 0;
  int64_t offset = 0;
  Log log = Log::kStream;
  LogId id() const { return {partition, log}; }
  bool operator==(const PartitionOffset&) const = default;
};

}  // namespace fensi::consumer

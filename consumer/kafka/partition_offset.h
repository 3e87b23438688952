#pragma once

#include <cstdint>

namespace fensi::consumer {

/// A place in a topic.
struct PartitionOffset {
  int32_t partition = 0;
  int64_t offset = 0;
  bool operator==(const PartitionOffset&) const = default;
};

}  // namespace fensi::consumer

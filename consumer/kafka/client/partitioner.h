// Computes the partition of a row: Kafka's default partitioner. Pure.
#pragma once

#include <cstdint>
#include <string_view>

namespace fensi::consumer {

/// murmur2 of the row. `partitions`: at least 1.
int32_t PartitionOf(std::string_view row, int32_t partitions);

}  // namespace fensi::consumer

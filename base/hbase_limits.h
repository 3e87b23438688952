// What HBase takes at most, wherever it is asked about.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fensi {

constexpr size_t kMaxRowBytes = 32767;                      // HConstants.MAX_ROW_LENGTH, Java's Short.MAX_VALUE
constexpr size_t kMaxFamilyBytes = 127;                     // Byte.MAX_VALUE
constexpr size_t kMaxValueBytes = 10 * 1024 * 1024 - 1024;  // hbase.client.keyvalue.maxsize, less the key
/// HBase reads INT64_MAX as "now", and what follows a cell needs a version above its own: timestamps above this are
/// refused.
constexpr int64_t kMaxTimestamp = INT64_MAX - 3;

}  // namespace fensi

// How many bytes cells take in HBase's files. Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "operations/forecast/estimate.h"

namespace fensi::operations {

/// The family of a state table with the index itself, which is no state.
constexpr char kIndexFamilyOfStates[] = "i";

/// The bytes of HBase's KeyValue: lengths, key, value, and one byte for the version of the write. `expires`: a tag with
/// a time to live is stored, too.
size_t StoredBytes(std::string_view row, std::string_view family, std::string_view qualifier, size_t value_bytes,
                   bool expires);

/// Collects sampled cells of a table, to see how well they can be compressed.
class CompressedSize {
 public:
  /// HBase's name: NONE, GZ, ZSTD, SNAPPY, LZ4, LZO. Cells beyond some megabytes are left out.
  explicit CompressedSize(std::string compression) : compression_(std::move(compression)) {}

  void Add(std::string_view row, std::string_view family, std::string_view qualifier, std::string_view value,
           int64_t timestamp);

  /// Bytes after compression / bytes before it, in a table of so many bytes. Cells of the table are closer to one
  /// another than those of a sample, and so more alike. The low end extrapolates how much that helps. For compressions
  /// that are worse than ZSTD, and that this program does not have, the high end is no compression at all.
  Estimate Ratio(double table_bytes) const;
  const std::string& compression() const { return compression_; }

 private:
  const std::string compression_;
  std::vector<std::string> cells_;
  size_t bytes_ = 0;
};

/// Bytes of the index of a file's blocks, and of its Bloom filter.
double FileOverhead(double rows, double cells, double bytes, const std::string& bloom_filter, int32_t block_size);

}  // namespace fensi::operations

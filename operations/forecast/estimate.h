// Totals of a table from a sample of its rows, with intervals that hold the truth at 95 %, and sizes in HBase's files.
// Pure; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::operations {

struct Estimate {
  double value = 0, low = 0, high = 0;

  Estimate Times(double factor) const { return {value * factor, low * factor, high * factor}; }
  Estimate Plus(const Estimate& other) const { return {value + other.value, low + other.low, high + other.high}; }
  bool Holds(double truth) const { return low <= truth && truth <= high; }
  bool exact() const { return low == high; }
};

/// A sampled row. Rows that were read one after the other are a run: they may be alike, so the run is one draw.
struct DrawnRow {
  size_t run = 0;
  double weight = 1;  // how many times more rows than another drawn row it represents
  double size = 1;    // in the unit of the population
};

/// The population that the rows represent: rows if they were counted, else bytes.
struct Population {
  Estimate size;     // with what is uncertain about it
  double rows = 0;   // if they were counted; 0: unknown
  bool all = false;  // the sample has every row
  std::vector<DrawnRow> drawn;
};

/// The total over the population of a figure that each drawn row has. `smallest`: of a row that has any, for a figure
/// that no drawn row has.
Estimate TotalOf(const Population& population, std::span<const double> figures, double smallest = 1);

/// The mean of independent figures, for example of changes.
Estimate MeanOf(std::span<const double> figures);

/// The largest deviation, in standard errors, that 95 % of samples with so many degrees of freedom keep.
double StudentBound(double freedom);

// How many bytes cells take in HBase's files. Pure; any thread.

/// The family of a state table with the index itself, which is no state.
constexpr char kIndexFamilyOfStates[] = "i";

/// The bytes of HBase's KeyValue: lengths, key, value, and one byte for the version of the write. `expires`: a tag with
/// a time to live is stored, too.
size_t StoredBytes(std::string_view row, std::string_view family, std::string_view qualifier, size_t value_bytes,
                   bool expires);

/// Collects sampled cells of a table, to see how well they can be compressed.
class CompressedSize {
 public:
  /// HBase's name: NONE, GZ, ZSTD, SNAPPY, LZ4, LZO. `block_size`: bytes that HBase compresses together. Cells beyond
  /// some megabytes are left out.
  CompressedSize(std::string compression, int32_t block_size)
      : compression_(std::move(compression)), block_size_(static_cast<size_t>(block_size)) {}

  void Add(std::string_view row, std::string_view family, std::string_view qualifier, std::string_view value,
           int64_t timestamp);

  /// Bytes after compression / bytes before it, in a table of so many bytes. Cells of the table are closer to one
  /// another than those of a sample, and so more alike. The low end extrapolates how much that helps. For compressions
  /// that are worse than ZSTD, and that this program does not have, the high end is no compression at all.
  Estimate Ratio(double table_bytes) const;
  const std::string& compression() const { return compression_; }

 private:
  double RatioOf(const std::vector<std::string>& sorted, size_t each) const;

  const std::string compression_;
  const size_t block_size_;
  std::vector<std::string> cells_;
  size_t bytes_ = 0;
};

/// A family after a major compaction.
struct FamilyFiles {
  double rows = 0, cells = 0;
  double bytes = 0;  // of the cells, before compression
  double files = 1;  // one for each region that has cells
  std::string bloom_filter;
  int32_t block_size = 0;
};

/// Bytes in the files besides the cells: numbers of writes, headers and checksums of blocks, the index of the blocks,
/// the Bloom filter and the end of each file.
Estimate FileOverhead(const FamilyFiles& family);

}  // namespace fensi::operations

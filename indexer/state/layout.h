// Where units are stored in the state table.
//
// Units that are columns (`each:`), and all units of indexes that began before there were buckets: one state row per
// source row, same row key. Families:
//   s  state of a unit; qualifier empty for a row unit, else "family:qualifier" of the column
//   d  ambiguity of a unit: qualifier "d" and that of the unit for what the last read left, written with its state;
//      "i", 8 random bytes of the assignment and that of the unit for an attempt's intent (M8.1)
//   m  family markers shared by the column units of the row that were never ambiguous; qualifier empty
//   i  the index itself (indexer/index_meta.h); never read here
//
// Units that are source rows, in buckets: many of them share a row of two bytes (BucketOf), and so share reads and
// writes:
//   s  state of a unit, with what the last read left; qualifier: the source row
//   m  a note: the unit may have more in a row of its own; qualifier: the source row, no value
// The row of its own, whose key is the source row, has as above the intents of attempts, and a state that is too large
// to be read beside a hundred others. Of two states the newer counts. A note is written before the cells that it
// announces, and removed after them.
//
// The timestamp of an s or d cell is the unit's version (one less while a delayed re-read is pending). The timestamp of
// a family marker's m cell is the version of the marker set, that of a note the highest version that it announces. One
// put writes the whole state of a row, so the state changes atomically.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace fensi::indexer {

constexpr char kStateFamily[] = "s";
constexpr char kDoubtFamily[] = "d";
constexpr char kMarkerFamily[] = "m";
constexpr char kIndexFamily[] = "i";

/// Fixed when an index begins (IndexMeta::layout()).
struct StateLayout {
  /// Units share 2 to the power of this many rows; absent: no buckets.
  std::optional<int> bucket_bits;
  /// Larger states are in a row of their own; may change at any time.
  size_t most_in_bucket = size_t{16} << 10;

  bool buckets() const { return bucket_bits.has_value(); }
  bool operator==(const StateLayout&) const = default;
};

constexpr int kMostBucketBits = 16;
/// For a new index: few enough buckets that ten units of a batch share one, and enough that a row of the table stays
/// small: 10^9 units of 100 bytes make rows of 200 MB.
constexpr int kBucketBits = 9;

/// Two bytes, by the row's hash, evenly spread over all values of two bytes.
std::string BucketOf(std::string_view row, int bits);

}  // namespace fensi::indexer

// Where units live in the state table.
//
// Units that are columns (`each:`), and all of indexes that began before there were buckets: one state row per source
// row, same row key. Families:
//   s  state of a unit; qualifier empty for a row unit, else "family:qualifier" of the column
//   d  doubt about a unit: qualifier "d" and that of the unit for what the last look left, written with its state;
//      "i", 8 random bytes of the assignment and that of the unit for an attempt's intent (M8.1)
//   m  family markers shared by the column units of the row that were never in doubt; qualifier empty
//   i  the index itself (indexer/index_meta.h); never read here
//
// Units that are source rows, in buckets: many of them share a row of two bytes (BucketOf), so that they share the
// reads and the writes, too. There
//   s  state of a unit, with what the last look left; qualifier: the source row
//   m  a note: the unit may have more in a row of its own; qualifier: the source row, no value
// and in the row of its own, whose key is the source row, as above, stand the intents of attempts, and a state that is
// too large to be read beside a hundred others. Of both states the newer counts. A note is there before what it tells
// of, and goes after it.
//
// The timestamp of an s or d cell is the unit's version (one less while a second look is to come), that of a family
// marker's m cell the version of the marker set, that of a note the highest of what it tells of. One put writes all
// that a row's state consists of, so it changes at once.
#pragma once

#include <cstddef>
#include <cstdint>
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
  /// Units share 2 to the power of this many rows; none: no row.
  std::optional<int> bucket_bits;
  /// Larger states stand apart; may change at any time.
  size_t most_in_bucket = size_t{16} << 10;

  bool buckets() const { return bucket_bits.has_value(); }
  bool operator==(const StateLayout&) const = default;
};

constexpr int kMostBucketBits = 16;
/// Of a new index: so few buckets that ten units of a batch share one, and so many that a row of the table stays small:
/// 10^9 units of 100 bytes make rows of 200 MB.
constexpr int kBucketBits = 9;

/// Two bytes, by the row's hash, evenly spread over what there is of two bytes.
std::string BucketOf(std::string_view row, int bits);

}  // namespace fensi::indexer

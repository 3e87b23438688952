// The two bounds of a lookup, as values at some step among the functions of a part. Pure.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "mapping/lookup.h"
#include "mapping/lookup/key_encoding.h"
#include "mapping/lookup/order.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

/// A bound, to be compared with the result of the first `step` steps of the part.
struct Bound {
  size_t step = 0;
  bool is_number = false;
  int64_t number = 0;
  std::string bytes;

  Value AsValue() const;
};

/// The position of a value that may be partly unknown.
enum class Placement { kOutside, kInside, kUnsure };

class Bounds {
 public:
  /// `typed_at`: the number of steps before a reader's values. Numbers are compared after the function that reads them;
  /// instants if the part is a time, and if it never is, with numbers of `unit` milliseconds. `part` outlives the
  /// bounds. kInvalidArgument: neither, or `from` after `to`.
  static Result<Bounds> Read(const Part& part, size_t typed_at, const std::string& from, const std::string& to,
                             std::optional<int64_t> unit);

  const std::optional<Bound>& from() const { return from_; }
  const std::optional<Bound>& to() const { return to_; }

  /// True if a value, after the first `typed_at` steps, is between them. A value that the functions refuse is not.
  bool Include(const Value& typed) const;
  /// The same for a range of numbers, after this many steps.
  Placement Judge(const Numbers& numbers, size_t number_at) const;
  /// True if nothing is between them.
  bool Empty() const;

  static bool AtLeast(const Value& value, const Bound& bound);

 private:
  Bounds(const Part& part, size_t typed_at) : part_(&part), typed_at_(typed_at) {}
  Placement JudgeEnd(const Numbers& numbers, size_t number_at, const Bound& bound, bool is_from) const;
  Status CheckOrder(const std::string& from, const std::string& to) const;

  const Part* part_;
  size_t typed_at_;
  std::optional<Bound> from_;
  std::optional<Bound> to_;
};

// Computes ranges of row keys for a lookup. Pure.

/// All keys with these prefixes; `intervals` bound the bytes of the next part, if they are known. Sorted, without
/// overlaps.
std::vector<KeyRange> RangesOf(const Template& row, const EncodedKey& key,
                               const std::optional<std::vector<Interval>>& intervals);

/// True if ranges over bounds of this part have no other keys.
bool RangeSuffices(const Template& row, size_t part);

}  // namespace fensi::mapping

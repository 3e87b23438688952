// The two ends of what a reader asks for, as values that stand somewhere among the functions of a part. Pure.
#pragma once

#include <optional>
#include <string>

#include "mapping/template/steps.h"

namespace fensi::mapping {

/// A bound, to be compared with what the first `step` steps of the part give.
struct Bound {
  size_t step = 0;
  bool is_number = false;
  int64_t number = 0;
  std::string bytes;

  Value AsValue() const;
};

/// Where a value lies of which not all may be known.
enum class Placement { kOutside, kInside, kUnsure };

class Bounds {
 public:
  /// `typed_at`: the steps behind which a reader's values stand. Numbers are compared behind the function that reads
  /// them; instants where the part is a time, and where it never is, with numbers of `unit` milliseconds. `part`
  /// outlives the bounds. kInvalidArgument: neither, or `from` behind `to`.
  static Result<Bounds> Read(const Part& part, size_t typed_at, const std::string& from, const std::string& to,
                             std::optional<int64_t> unit);

  const std::optional<Bound>& from() const { return from_; }
  const std::optional<Bound>& to() const { return to_; }

  /// Is a value, standing behind the first `typed_at` steps, between them? A value that the functions refuse is not.
  bool Include(const Value& typed) const;
  /// The same of numbers from one to another, behind so many steps.
  Placement Judge(const Numbers& numbers, size_t number_at) const;
  /// Is nothing between them?
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

}  // namespace fensi::mapping

// How the bytes of a part are ordered relative to its values, for range scans. Pure.
//
// Ignores values that `default` sets in place of absent ones.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// For the functions [begin, end), which take a number or a time and return one.
Direction NumberOrder(const Part& part, size_t begin, size_t end);

/// Bytes of a part: from `low` on (empty: from the first) to `high`.
struct Interval {
  std::string low;
  std::optional<std::string> high;  // absent: to the last
  bool with_high = false;
  bool without_low = false;

  bool Holds(std::string_view bytes) const;
};

/// The bytes of a part for the values between two bounds after its first `begin` steps: numbers, `last` inclusive, or
/// bytes, `last` exclusive. Values outside may have some of these bytes, too. Absent: the part does not keep their
/// order. kInvalidArgument: a bound that the part cannot have.
Result<std::optional<std::vector<Interval>>> IntervalsOf(const Part& part, size_t begin,
                                                         const std::optional<Value>& first,
                                                         const std::optional<Value>& last);

}  // namespace fensi::mapping

// How the bytes of a part lie to the values that it is made of: what a range scan relies on. Pure.
//
// Claims nothing of what `default` puts in the place of an absent value.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// Of the functions [begin, end), which take a number or a time and give one.
Direction NumberOrder(const Part& part, size_t begin, size_t end);

/// Bytes of a part: from `low` on (empty: from the first) to `high`.
struct Interval {
  std::string low;
  std::optional<std::string> high;  // absent: to the last
  bool with_high = false;
  bool without_low = false;

  bool Holds(std::string_view bytes) const;
};

/// The bytes that a part makes of the values between two that stand behind its first `begin` steps: numbers, `last`
/// itself included, or bytes, `last` not included. Values outside may have some of these bytes, too. Nothing: the part
/// does not keep their order. kInvalidArgument: a bound that the part cannot hold.
Result<std::optional<std::vector<Interval>>> IntervalsOf(const Part& part, size_t begin,
                                                         const std::optional<Value>& first,
                                                         const std::optional<Value>& last);

}  // namespace fensi::mapping

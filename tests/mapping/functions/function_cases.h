// Every function of the table with arguments to try, and values at the edges of what functions take.
#pragma once

#include <string>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

/// One function with arguments, behind functions that make its type of bytes.
struct FunctionCase {
  std::string steps;  // "| i64 | add 5"
  Type takes = Type::kBytes;
  Step step;  // the last of them
};

/// Of each function and each type that it takes at least one. A function whose arguments are missing in the table of
/// function_cases.cc is added to `missing`.
std::vector<FunctionCase> FunctionCases(std::vector<std::string>* missing);

/// A value of any type, which owns its bytes. One of numbers has none, one of bytes has no number.
struct Held {
  std::string bytes;
  int64_t number = 0;
  Value value() const { return {.bytes = bytes, .number = number}; }
  bool operator==(const Held&) const = default;
  auto operator<=>(const Held&) const = default;
};
/// Both of its parts, escaped: "\"ab\" 0".
std::string HeldText(const Held& held);
/// Of a list: nothing.
Held HeldOf(Type type, const Value& value);

/// All values of at most two bytes.
std::vector<std::string> ShortValues();
/// URLs, times, numbers, JSON, UTF-8, whatever other systems write (tests/data/types), and all values of one byte.
std::vector<std::string> EdgeValues();
/// Around the powers of 2 and 10, and the edges of the calendar.
std::vector<int64_t> EdgeNumbers();
/// Ranks of doubles, among them floats; and decimals as they are kept. Sorted.
std::vector<int64_t> EdgeRanks();
std::vector<std::string> EdgeDecimals();

}  // namespace fensi::mapping

// Conditions (`when:`) as programs: which entries exist at all.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "mapping/template/program.h"

namespace fensi::mapping {

enum class Comparison : uint8_t {
  kPresent,
  kAbsent,
  kEqual,
  kUnequal,
  kLess,
  kAtMost,
  kGreater,
  kAtLeast,
  kIn,
  kNotIn,
  kMatches,
  kMatchesNot
};

/// One comparison. On an absent value it does not hold, whatever it is; kAbsent alone asks for that.
struct Test {
  Comparison comparison = Comparison::kPresent;
  Template left;                   // one part, when it is a number or a time
  bool numeric = false;            // compared as 64-bit numbers, everything else byte by byte
  Template right;                  // of kEqual to kAtLeast, unless it is a number as written
  std::vector<int64_t> numbers;    // sorted: the number as written, or the list of kIn and kNotIn
  std::vector<std::string> texts;  // sorted: the list of kIn and kNotIn
  std::shared_ptr<const re2::RE2> regex;
};

/// One line of `when:`: holds when every test of one of the alternatives does.
struct Condition {
  std::vector<std::vector<Test>> alternatives;
  std::string text;       // as it was understood, for people: typed again it is the same condition
  std::string canonical;  // for the fingerprint
  bool plain = true;      // presence, or one comparison with one value
};

enum class Verdict : uint8_t { kHolds, kFails, kUnmappable };

/// From left to right, up to where it is decided. kUnmappable: the scratch knows why.
Verdict RunCondition(const Condition& condition, const Inputs& inputs, Scratch* scratch);

template <typename Visit>
void ForEachTest(const Condition& condition, const Visit& visit) {
  for (const std::vector<Test>& tests : condition.alternatives) {
    for (const Test& test : tests) visit(test);
  }
}

}  // namespace fensi::mapping

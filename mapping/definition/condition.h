// Conditions (`when:`) as programs: which entries exist at all.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/template/program.h"
#include "mapping/template/syntax.h"

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

/// One comparison. It does not hold for an absent value; only kAbsent asks for that.
struct Test {
  Comparison comparison = Comparison::kPresent;
  Template left;                   // one part, when it is a number or a time
  bool numeric = false;            // compared as 64-bit numbers, everything else byte by byte
  Template right;                  // of kEqual to kAtLeast, unless it is a number as written
  std::vector<int64_t> numbers;    // sorted: the number as written, or the list of kIn and kNotIn
  std::vector<std::string> texts;  // sorted: the list of kIn and kNotIn
  std::shared_ptr<const re2::RE2> regex;
};

/// One line of `when:`: holds if every test of one of the alternatives does.
struct Condition {
  std::vector<std::vector<Test>> alternatives;
  std::string text;       // as it was understood, for people: typed again it is the same condition
  std::string canonical;  // for the fingerprint
  bool plain = true;      // presence, or one comparison with one value
};

enum class Verdict : uint8_t { kHolds, kFails, kUnmappable };

/// Evaluates from left to right, until it is decided. kUnmappable: the scratch has the reason.
Verdict RunCondition(const Condition& condition, const Inputs& inputs, Scratch* scratch);

template <typename Visit>
void ForEachTest(const Condition& condition, const Visit& visit) {
  for (const std::vector<Test>& tests : condition.alternatives) {
    for (const Test& test : tests) visit(test);
  }
}

/// Conditions as written, before anything is known about names and types.
///
///   condition = tests { "or" tests }
///   tests     = test { "and" test }
///   test      = [ "not" ] value                                              presence, absence
///             | value ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand
///             | value [ "not" ] "in" "[" operand { "," operand } "]"
///             | value [ "not" ] "matches" /regular expression/
///   operand   = value | "quoted, with \" \\ \xNN"
///   value     = a template without blanks outside of its braces
struct OperandSyntax {
  bool quoted = false;
  std::string text;  // quoted: what stands in the quotes; of `matches` the regular expression
  Span span;         // in the text of the condition
};

struct TestSyntax {
  Comparison comparison = Comparison::kPresent;
  OperandSyntax left;  // never quoted
  std::vector<OperandSyntax> right;
  Span span;
};

using ConditionSyntax = std::vector<std::vector<TestSyntax>>;

/// "==", "not in", …
std::string_view ComparisonText(Comparison comparison);

/// The left side is a constant: the message and its hint.
inline constexpr char kNoReference[] = "the left side of this condition has no reference to the row";
inline constexpr char kReferenceHint[] = "write the reference on the left, such as '{f1:state} == active'";

/// Absent if `error` was filled; its hint suggests what was probably meant.
std::optional<ConditionSyntax> ParseCondition(std::string_view text, SyntaxError* error);

}  // namespace fensi::mapping

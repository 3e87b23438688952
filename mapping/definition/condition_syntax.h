// Conditions as written, before anything is known about names and types.
//
//   condition = tests { "or" tests }
//   tests     = test { "and" test }
//   test      = [ "not" ] value                                              presence, absence
//             | value ( "==" | "!=" | "<" | "<=" | ">" | ">=" ) operand
//             | value [ "not" ] "in" "[" operand { "," operand } "]"
//             | value [ "not" ] "matches" /regular expression/
//   operand   = value | "quoted, with \" \\ \xNN"
//   value     = a template without blanks outside of its braces
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mapping/definition/condition.h"
#include "mapping/template/syntax.h"

namespace fensi::mapping {

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

/// Nothing when `error` was filled; its hint says what was probably meant.
std::optional<ConditionSyntax> ParseCondition(std::string_view text, SyntaxError* error);

}  // namespace fensi::mapping

#include "mapping/definition/condition.h"

#include <algorithm>

#include "mapping/functions/regex.h"

namespace fensi::mapping {
namespace {

bool HoldsInOrder(Comparison comparison, int order) {
  switch (comparison) {
    case Comparison::kEqual:
      return order == 0;
    case Comparison::kUnequal:
      return order != 0;
    case Comparison::kLess:
      return order < 0;
    case Comparison::kAtMost:
      return order <= 0;
    case Comparison::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Verdict VerdictOf(bool holds) { return holds ? Verdict::kHolds : Verdict::kFails; }

// What the outcome of one side decides already; nothing: it has a value.
std::optional<Verdict> Decided(Comparison comparison, Outcome outcome) {
  if (outcome == Outcome::kUnmappable) return Verdict::kUnmappable;
  if (comparison == Comparison::kAbsent) return VerdictOf(outcome == Outcome::kAbsent);
  if (outcome == Outcome::kAbsent) return Verdict::kFails;
  if (comparison == Comparison::kPresent) return Verdict::kHolds;
  return std::nullopt;
}

Verdict CompareNumbers(const Test& test, const Inputs& inputs, Scratch* scratch) {
  Value left;
  Value right;
  const Outcome outcome = RunPart(test.left.parts[0], inputs, scratch, &left);
  if (const auto decided = Decided(test.comparison, outcome)) return *decided;
  if (test.comparison == Comparison::kIn || test.comparison == Comparison::kNotIn) {
    const bool in = std::binary_search(test.numbers.begin(), test.numbers.end(), left.number);
    return VerdictOf(in == (test.comparison == Comparison::kIn));
  }
  if (test.right.parts.empty()) {
    right.number = test.numbers[0];
  } else if (const auto decided = Decided(test.comparison, RunPart(test.right.parts[0], inputs, scratch, &right))) {
    return *decided;
  }
  const int order = left.number < right.number ? -1 : left.number > right.number ? 1 : 0;
  return VerdictOf(HoldsInOrder(test.comparison, order));
}

Verdict MatchText(const Test& test, std::string_view text, Scratch* scratch) {
  if (!RegexAffords(*test.regex, text.size(), scratch)) return Verdict::kUnmappable;
  return VerdictOf(RegexFinds(*test.regex, text) == (test.comparison == Comparison::kMatches));
}

Verdict CompareBytes(const Test& test, const Inputs& inputs, Scratch* scratch) {
  std::string_view left;
  std::string_view right;
  if (const auto decided = Decided(test.comparison, RunTemplate(test.left, inputs, scratch, &left))) return *decided;
  switch (test.comparison) {
    case Comparison::kIn:
    case Comparison::kNotIn: {
      const bool in = std::binary_search(test.texts.begin(), test.texts.end(), left);
      return VerdictOf(in == (test.comparison == Comparison::kIn));
    }
    case Comparison::kMatches:
    case Comparison::kMatchesNot:
      return MatchText(test, left, scratch);
    default:
      break;
  }
  if (const auto decided = Decided(test.comparison, RunTemplate(test.right, inputs, scratch, &right))) return *decided;
  return VerdictOf(HoldsInOrder(test.comparison, left.compare(right)));
}

}  // namespace

Verdict RunCondition(const Condition& condition, const Inputs& inputs, Scratch* scratch) {
  for (const std::vector<Test>& tests : condition.alternatives) {
    Verdict verdict = Verdict::kHolds;
    for (const Test& test : tests) {
      verdict = test.numeric ? CompareNumbers(test, inputs, scratch) : CompareBytes(test, inputs, scratch);
      if (verdict != Verdict::kHolds) break;
    }
    if (verdict != Verdict::kFails) return verdict;
  }
  return Verdict::kFails;
}

}  // namespace fensi::mapping

#include "mapping/lookup/inverse.h"

#include <algorithm>

#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

// Digits with zeros in front of them, and of the sign: taken for a number at once, they are that of one number only.
bool IsPaddedNumber(const Part& part, size_t pad) {
  return pad > 0 && FillsWithZeros(part.steps[pad]) && WritesOpenDigits(part.steps[pad - 1]);
}

Inverse InvertPaddedNumber(Value* v) {
  v->bytes.remove_prefix(std::min(v->bytes.find_first_not_of('0'), v->bytes.size() - 1));
  return Inverse::kExact;
}

bool StandsIn(const Step& step, Type type, const Value& value) {
  return type == Type::kBytes ? value.bytes == step.arguments[0].text : value.number == step.arguments[0].number;
}

Inverse BestOf(const Part& part, size_t i) {
  const Step& step = part.steps[i];
  if (step.function == nullptr || IsPaddedNumber(part, i)) return Inverse::kExact;
  const auto best = step.function->reading.best;
  return best == nullptr ? Inverse::kNone : best(step.arguments);
}

// Does the value give the bytes that it was made from?
bool GivesAgain(const Part& part, size_t begin, Value value, std::string_view bytes, Scratch* scratch) {
  return RunSteps(part, begin, part.steps.size(), scratch, &value) == Outcome::kValue && value.bytes == bytes;
}

Inverse Worse(Inverse a, Inverse b) { return std::max(a, b); }

}  // namespace

Inverse InvertStep(const Part& part, size_t i, Value* value, Scratch* scratch) {
  if (IsPaddedNumber(part, i) && !value->bytes.empty()) return InvertPaddedNumber(value);
  const auto invert = part.steps[i].function->reading.invert;
  return invert == nullptr ? Inverse::kNone : invert(part.steps[i].arguments, value, scratch);
}

Inverse InvertSteps(const Part& part, size_t begin, size_t end, Value* value, Scratch* scratch, bool* defaulted) {
  Inverse worst = Inverse::kExact;
  for (size_t i = end; i-- > begin && worst != Inverse::kNone;) {
    if (part.steps[i].function == nullptr) {
      if (defaulted != nullptr && StandsIn(part.steps[i], TypeAt(part, i), *value)) *defaulted = true;
    } else {
      worst = Worse(worst, InvertStep(part, i, value, scratch));
    }
  }
  return worst;
}

// One of several values need not be one that the functions in front can give, but for those that give any.
Inverse Invertible(const Part& part, size_t begin) {
  Inverse worst = Inverse::kExact;
  for (size_t i = part.steps.size(); i-- > begin;) {
    const Function* const function = part.steps[i].function;
    const bool gives_any = function == nullptr || function->reading.gives_any;
    if (worst == Inverse::kGood && !gives_any) return Inverse::kNone;
    worst = Worse(worst, BestOf(part, i));
  }
  return worst;
}

Inverse InvertPart(const Part& part, size_t begin, Value* value, Scratch* scratch, bool* defaulted) {
  const std::string_view bytes = value->bytes;
  const Inverse worst = InvertSteps(part, begin, part.steps.size(), value, scratch, defaulted);
  if (worst == Inverse::kNone || !GivesAgain(part, begin, *value, bytes, scratch)) return Inverse::kNone;
  return worst;
}

}  // namespace fensi::mapping

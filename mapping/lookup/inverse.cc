#include "mapping/lookup/inverse.h"

#include <algorithm>

#include "mapping/definition/analysis.h"
#include "mapping/template/program.h"

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

// Does the value give the bytes that it was made from?
bool GivesAgain(const Part& part, size_t begin, Value value, std::string_view bytes, Scratch* scratch) {
  return RunSteps(part, begin, part.steps.size(), scratch, &value) == Outcome::kValue && value.bytes == bytes;
}

Inverse Worse(Inverse a, Inverse b) { return std::max(a, b); }

}  // namespace

Inverse BestInverse(const Part& part, size_t i) {
  const Step& step = part.steps[i];
  if (step.function == nullptr || IsPaddedNumber(part, i)) return Inverse::kExact;
  const auto best = step.function->reading.best;
  return best == nullptr ? Inverse::kNone : best(step.arguments);
}

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
    worst = Worse(worst, BestInverse(part, i));
  }
  return worst;
}

Inverse InvertPart(const Part& part, size_t begin, Value* value, Scratch* scratch, bool* defaulted) {
  const std::string_view bytes = value->bytes;
  const Inverse worst = InvertSteps(part, begin, part.steps.size(), value, scratch, defaulted);
  if (worst == Inverse::kNone || !GivesAgain(part, begin, *value, bytes, scratch)) return Inverse::kNone;
  return worst;
}

namespace {

bool EndIsKnown(const Template& program, size_t i) { return EndsItself(program, i) || i + 1 == program.parts.size(); }

// Parts are cut from both ends towards the one that is open: [0, front) from the front, [back, …) from the back.
struct Ends {
  size_t front = 0;
  size_t back = 0;
};

Ends EndsOf(const Template& program) {
  Ends ends{0, program.parts.size()};
  while (ends.front < ends.back && EndIsKnown(program, ends.front)) ++ends.front;
  while (ends.back > ends.front + 1 && program.parts[ends.back - 1].shape.fixed()) --ends.back;
  return ends;
}

class Cutter {
 public:
  Cutter(const Template& program, std::string_view bytes)
      : program_(program), rest_(bytes), pieces_(program.parts.size()) {}

  std::optional<Pieces> Run() {
    const Ends ends = EndsOf(program_);
    for (size_t i = 0; i < ends.front; ++i) {
      if (!TakeFront(i)) return std::nullopt;
    }
    for (size_t i = program_.parts.size(); i-- > ends.back;) {
      if (!TakeBack(i)) return std::nullopt;
    }
    if (ends.back == ends.front + 1) {
      pieces_[ends.front] = rest_;
    } else if (ends.front == ends.back && !rest_.empty()) {
      return std::nullopt;
    }
    return std::move(pieces_);
  }

 private:
  bool Keep(size_t i, std::string_view piece) {
    pieces_[i] = piece;
    const Part& part = program_.parts[i];
    return !part.IsLiteral() || piece == part.literal;
  }

  bool TakeFront(size_t i) {
    const size_t size = SizeInFront(i);
    if (size > rest_.size()) return false;
    const std::string_view piece = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return Keep(i, piece);
  }

  bool TakeBack(size_t i) {
    const size_t size = program_.parts[i].shape.min_width;
    if (size > rest_.size()) return false;
    const std::string_view piece = rest_.substr(rest_.size() - size);
    rest_.remove_suffix(size);
    return Keep(i, piece);
  }

  size_t SizeInFront(size_t i) const {
    const Shape& shape = program_.parts[i].shape;
    if (shape.fixed()) return shape.min_width;
    if (shape.terminated) return TerminatedSize();
    if (i + 1 == program_.parts.size()) return rest_.size();
    return rest_.find(program_.parts[i + 1].literal[0]);
  }

  // Up to and with the end 00 00; a zero byte of the value is followed by 01.
  size_t TerminatedSize() const {
    for (size_t i = 0; i + 1 < rest_.size(); ++i) {
      if (rest_[i] != '\0') continue;
      if (rest_[i + 1] == '\0') return i + 2;
      ++i;
    }
    return std::string_view::npos;
  }

  const Template& program_;
  std::string_view rest_;
  Pieces pieces_;
};

}  // namespace

std::optional<Pieces> Cut(const Template& program, std::string_view bytes) { return Cutter(program, bytes).Run(); }

}  // namespace fensi::mapping

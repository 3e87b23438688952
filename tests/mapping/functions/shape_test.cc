// What a function claims of its results holds for each of them: types, widths, bytes and numbers of its shape, the
// order and the differences that are left, and its inverse. All functions of the table, with values at the edges of
// all.
#include "mapping/functions/shape.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "tests/mapping/functions/function_cases.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

/// Values of which a shape is known, in the order of their origins.
struct Values {
  std::string name;
  std::vector<Held> values;
  Shape shape;
  std::vector<int64_t> origins = {};  // if numbers are the origins, and signs count
};

struct Result {
  Outcome outcome = Outcome::kValue;
  Held held;
  std::vector<std::string> items;
};

Type TypeBehind(const Step& step, Shape before) {
  step.function->shape(step.arguments, &before);
  return before.type;
}

/// `type` is the result's.
Result ResultOf(const Step& step, const Held& input, Type type, Scratch* scratch) {
  scratch->Reset();
  Value value = input.value();
  Result result;
  result.outcome = step.function->apply(step.arguments, &value, scratch);
  result.held = HeldOf(type, value);
  if (value.list != nullptr) result.items.assign(value.list->begin(), value.list->end());
  return result;
}

/// Makes the shape as narrow as these values allow.
Shape Narrowed(Shape shape, const std::vector<Held>& values) {
  if (IsRanked(shape.type)) {
    shape.least = INT64_MAX, shape.most = INT64_MIN;
    for (const Held& held : values) {
      shape.least = std::min(shape.least, held.number);
      shape.most = std::max(shape.most, held.number);
    }
    return shape;
  }
  shape.SetWidth(SIZE_MAX, 0);
  shape.bytes.reset();
  for (const Held& held : values) {
    shape.SetWidth(std::min(shape.min_width, held.bytes.size()), std::max(shape.max_width, held.bytes.size()));
    shape.bytes |= BytesOf(held.bytes);
  }
  if (shape.type == Type::kDecimal) shape.bytes.set();
  return shape;
}

std::string Outside(const Shape& shape, Type type, const std::string& bytes) {
  if (bytes.size() > shape.max_width || (type == Type::kBytes && bytes.size() < shape.min_width)) return "its width";
  return (BytesOf(bytes) & ~shape.bytes).any() ? "its bytes" : "";
}

/// What is wrong with one result; empty: nothing.
std::string Wrong(const Shape& shape, const Result& result) {
  if (result.outcome == Outcome::kUnmappable) return shape.mappable && !shape.outgrows ? "unmappable" : "";
  if (result.outcome == Outcome::kAbsent) return shape.may_be_absent ? "" : "absent";
  if (IsRanked(shape.type)) {
    return result.held.number < shape.least || result.held.number > shape.most ? "its number" : "";
  }
  if (shape.type == Type::kDecimal) return "";
  if (shape.type == Type::kBytes) return Outside(shape, shape.type, result.held.bytes);
  for (const std::string& item : result.items) {
    const std::string wrong = Outside(shape, shape.type, item);
    if (!wrong.empty()) return wrong + " of an item";
  }
  return "";
}

/// Results of values in the order of their origins, as far as there are some.
class Results {
 public:
  Results(const FunctionCase& one, const Values& values) : one_(one), values_(values) {
    Scratch scratch;
    const Type type = TypeBehind(one.step, values.shape);
    for (const Held& held : values.values) results_.push_back(ResultOf(one.step, held, type, &scratch));
  }

  /// Every fault of the shape that the function makes of this one, once.
  void Check(Shape shape) {
    one_.step.function->shape(one_.step.arguments, &shape);
    shape.Settle();
    for (size_t i = 0; i < results_.size(); ++i) {
      const std::string wrong = Wrong(shape, results_[i]);
      if (wrong.empty()) continue;
      Report(wrong, i);
      break;
    }
    if (shape.injective) CheckDifferent();
    if (shape.terminated) CheckEnds();
    if (shape.type == Type::kList) return;
    const bool of_numbers = !values_.origins.empty();
    // A number that is read from a piece of the source is an origin of its own.
    const bool own = values_.shape.piece && shape.type != Type::kBytes;
    if (!own) CheckOrder(shape.order, "the order");
    if (shape.digits.any) CheckDigits(shape, own);
    if (of_numbers && shape.keeps_sign && IsRanked(shape.type)) CheckSigns();
  }

 private:
  bool Has(size_t i) const { return results_[i].outcome == Outcome::kValue; }

  void Report(const std::string& what, size_t i, std::optional<size_t> other = std::nullopt) const {
    const auto shown = [this](size_t at) {
      return HeldText(values_.values[at]) + " -> " + HeldText(results_[at].held);
    };
    ADD_FAILURE() << "{" << one_.steps << "} of " << values_.name << ": the shape is wrong about " << what << ": "
                  << shown(i) << (other ? " and " + shown(*other) : "");
  }

  void CheckDifferent() const {
    std::map<std::pair<Held, std::vector<std::string>>, size_t> known;
    for (size_t i = 0; i < results_.size(); ++i) {
      if (!Has(i)) continue;
      const auto [at, fresh] = known.emplace(std::pair(results_[i].held, results_[i].items), i);
      if (!fresh && values_.values[at->second] != values_.values[i]) return Report("a difference", i, at->second);
    }
  }

  void CheckEnds() const {
    std::vector<size_t> sorted;
    for (size_t i = 0; i < results_.size(); ++i) {
      if (Has(i)) sorted.push_back(i);
    }
    const auto bytes = [this](size_t i) -> const std::string& { return results_[i].held.bytes; };
    std::sort(sorted.begin(), sorted.end(), [&](size_t a, size_t b) { return bytes(a) < bytes(b); });
    for (size_t i = 1; i < sorted.size(); ++i) {
      const bool begins = bytes(sorted[i]).starts_with(bytes(sorted[i - 1]));
      if (begins && bytes(sorted[i]) != bytes(sorted[i - 1])) return Report("the end", sorted[i - 1], sorted[i]);
    }
  }

  void CheckOrder(Direction direction, const char* what) const {
    if (direction == Direction::kNone) return;
    std::optional<size_t> last;
    for (const size_t i : From(direction)) {
      if (!Has(i)) continue;
      const bool turned = direction == Direction::kDown;
      if (last && (turned ? results_[*last].held < results_[i].held : results_[i].held < results_[*last].held)) {
        return Report(what, *last, i);
      }
      last = i;
    }
  }

  /// Positions in the order of their origins, or with negative origins behind all others.
  std::vector<size_t> From(Direction direction) const {
    std::vector<size_t> order;
    const bool from_zero = direction == Direction::kUpFromZero && !values_.origins.empty();
    for (const bool negative : {false, true}) {
      for (size_t i = 0; i < results_.size(); ++i) {
        if ((from_zero && values_.origins[i] < 0) == negative) order.push_back(i);
      }
    }
    return order;
  }

  void CheckDigits(const Shape& shape, bool own) const {
    std::optional<std::pair<int64_t, size_t>> last;
    for (const size_t i : From(shape.digits.order)) {
      if (!Has(i)) continue;
      Value number;
      Scratch scratch;
      if (!ReadTyped(Type::kInteger, results_[i].held.bytes, &number, &scratch)) {
        if (results_[i].held.bytes.size() > 18) continue;  // more than 64 bits
        return Report("digits", i);
      }
      if (own || shape.digits.order == Direction::kNone) continue;
      const bool turned = shape.digits.order == Direction::kDown;
      if (last && (turned ? last->first < number.number : number.number < last->first))
        return Report("the order of digits", last->second, i);
      last = {number.number, i};
    }
  }

  void CheckSigns() const {
    for (size_t i = 0; i < results_.size(); ++i) {
      if (Has(i) && (results_[i].held.number < 0) != (values_.origins[i] < 0)) return Report("the sign", i);
    }
  }

  const FunctionCase& one_;
  const Values& values_;
  std::vector<Result> results_;
};

std::vector<Held> HeldBytes(const std::vector<std::string>& values) {
  std::vector<Held> held;
  for (const std::string& value : values) held.push_back({value, 0});
  std::sort(held.begin(), held.end());
  return held;
}

/// As far as every byte of them is one of these.
std::vector<Held> Of(const std::vector<Held>& values, const ByteSet& bytes) {
  std::vector<Held> some;
  std::copy_if(values.begin(), values.end(), std::back_inserter(some),
               [&](const Held& held) { return (BytesOf(held.bytes) & ~bytes).none(); });
  return some;
}

Shape ShapeOfBytes(bool piece) {
  Shape shape;
  shape.piece = piece;
  shape.keeps_sign = false;
  return shape;
}

std::vector<Values> ByteSetsOf(const std::vector<Held>& edges) {
  const ByteSet upper = ByteRange('A', 'Z'), lower = ByteRange('a', 'z'), digits = ByteRange('0', '9');
  const ByteSet marks = BytesOf(":/?#[]@!$&'()*+,;=%-._~");
  std::vector<Values> all;
  const auto add = [&](const std::string& name, const ByteSet& bytes) {
    const std::vector<Held> some = Of(edges, bytes);
    for (const bool piece : {true, false}) {
      all.push_back(
          {"values of " + name + (piece ? "" : ", behind a function"), some, Narrowed(ShapeOfBytes(piece), some)});
    }
  };
  add("capitals", upper);
  add("capitals, digits and marks", upper | digits | marks);
  add("small letters, digits and marks", lower | digits | marks);
  add("letters, digits and marks without e", (upper | lower | digits | marks) & ~BytesOf("e"));
  add("digits", digits);
  add("digits and signs", digits | BytesOf("-+.:"));
  add("ASCII", ByteRange(0, 127));
  add("bytes without zero", ByteRange(1, 255));
  return all;
}

std::vector<Values> WidthsOf(const std::vector<Held>& edges) {
  std::vector<Values> all;
  for (const size_t width : {0, 1, 2, 3, 4, 5, 8, 16, 26, 36}) {
    std::vector<Held> some;
    std::copy_if(edges.begin(), edges.end(), std::back_inserter(some),
                 [&](const Held& held) { return held.bytes.size() == width; });
    all.push_back({"values of " + std::to_string(width) + " bytes", some, Narrowed(ShapeOfBytes(false), some)});
    all.push_back({"pieces of " + std::to_string(width) + " bytes", some, Narrowed(ShapeOfBytes(true), some)});
  }
  return all;
}

/// Bytes that other functions made of numbers: their origins are the numbers.
std::vector<Values> MadeOfNumbers() {
  Values digits{"digits of numbers", {}, ShapeOfBytes(false)};
  Values bytes{"8 bytes with a sign", {}, ShapeOfBytes(false)};
  Scratch scratch;
  for (const int64_t number : EdgeNumbers()) {
    bytes.values.push_back({std::string(scratch.KeepBigEndian(static_cast<uint64_t>(number), 8)), 0});
    bytes.origins.push_back(number);
    if (number < 0) continue;
    digits.values.push_back({std::to_string(number), 0});
    digits.origins.push_back(number);
  }
  digits.shape = Narrowed(digits.shape, digits.values);
  digits.shape.order = Direction::kNone;
  digits.shape.digits = {true, Direction::kUp, true};
  bytes.shape = Narrowed(bytes.shape, bytes.values);
  bytes.shape.order = Direction::kUpFromZero;
  return {digits, bytes};
}

Values Terminated(const std::vector<Held>& edges) {
  Values ended{"values that end themselves", {}, ShapeOfBytes(false)};
  const Function& terminated = *FindFunction("terminated");
  Scratch scratch;
  for (const Held& held : edges) ended.values.push_back(ResultOf({&terminated, {}}, held, Type::kBytes, &scratch).held);
  ended.shape.terminated = true;
  ended.shape.min_width = 2;
  return ended;
}

std::vector<Values> ValuesOfBytes() {
  const std::vector<Held> edges = HeldBytes(EdgeValues()), few = HeldBytes(ShortValues());
  std::vector<Values> all = {{"values of few bytes", few, Narrowed(ShapeOfBytes(true), few)},
                             {"edges", edges, ShapeOfBytes(true)},
                             {"edges, behind a function", edges, ShapeOfBytes(false)},
                             Terminated(edges)};
  Values turned{"edges, turned", {edges.rbegin(), edges.rend()}, ShapeOfBytes(false)};
  turned.shape.order = Direction::kDown;
  all.push_back(turned);
  for (auto group : {ByteSetsOf(edges), WidthsOf(edges), MadeOfNumbers()}) {
    std::move(group.begin(), group.end(), std::back_inserter(all));
  }
  return all;
}

/// Numbers, times and ranks; of their own order, and turned.
std::vector<Values> ValuesOfNumbers(Type type, const std::vector<int64_t>& numbers) {
  std::vector<Values> all;
  const auto add = [&](const std::string& name, int64_t least, int64_t most) {
    Values some{name, {}, {}};
    some.shape.BecomeNumber(type);
    some.shape.order = Direction::kUp;
    some.shape.keeps_sign = true;
    for (const int64_t number : numbers) {
      if (number < least || number > most) continue;
      some.values.push_back({"", number});
      some.origins.push_back(number);
    }
    some.shape = Narrowed(some.shape, some.values);
    all.push_back(some);
    some.name += ", turned";
    some.shape.order = Direction::kDown;
    some.shape.keeps_sign = false;
    for (int64_t& origin : some.origins) origin = ~origin;
    std::reverse(some.values.begin(), some.values.end());
    std::reverse(some.origins.begin(), some.origins.end());
    all.push_back(some);
  };
  add("all numbers", INT64_MIN, INT64_MAX);
  add("numbers from 0 on", 0, INT64_MAX);
  add("negative numbers", INT64_MIN, -1);
  add("numbers below 100,000", 0, 99'999);
  add("numbers near 0", -300, 300);
  add("numbers of 32 bits", INT32_MIN, INT32_MAX);
  add("large numbers", int64_t{1} << 40, INT64_MAX);
  return all;
}

std::vector<Values> ValuesOfDecimals() {
  Values all{"decimals", {}, {}};
  all.shape.BecomeBytes();
  all.shape.type = Type::kDecimal;
  for (const std::string& decimal : EdgeDecimals()) all.values.push_back({decimal, 0});
  return {all};
}

std::vector<Values> ValuesFor(Type type) {
  switch (type) {
    case Type::kInteger:
    case Type::kTime:
      return ValuesOfNumbers(type, EdgeNumbers());
    case Type::kReal:
      return ValuesOfNumbers(type, EdgeRanks());
    case Type::kDecimal:
      return ValuesOfDecimals();
    default:
      return ValuesOfBytes();
  }
}

const std::vector<Values>& AllValues(Type type) {
  static std::map<Type, std::vector<Values>> known;
  std::vector<Values>& values = known[type];
  if (values.empty()) values = ValuesFor(type);
  return values;
}

const std::vector<FunctionCase>& Cases() {
  static std::vector<std::string> missing;
  static const std::vector<FunctionCase> all = FunctionCases(&missing);
  EXPECT_EQ(missing, std::vector<std::string>()) << "add arguments to tests/mapping/functions/function_cases.cc";
  return all;
}

TEST(Shapes, AreTriedForEveryFunction) {
  std::map<const Function*, size_t> tried;
  for (const FunctionCase& one : Cases()) ++tried[one.step.function];
  for (const Function& function : Functions()) EXPECT_GT(tried[&function], 0U) << function.name;
}

TEST(Shapes, HoldForValuesOfFewBytes) {
  for (const FunctionCase& one : Cases()) {
    for (const Values& values : AllValues(one.takes)) Results(one, values).Check(values.shape);
  }
}

/// The narrowest shape of all: that of one value.
TEST(Shapes, HoldForEachValueByItself) {
  for (const FunctionCase& one : Cases()) {
    const Values& all = AllValues(one.takes)[one.takes == Type::kBytes ? 1 : 0];
    for (size_t i = 0; i < all.values.size(); ++i) {
      Values single{"one value", {all.values[i]}, all.shape};
      if (!all.origins.empty()) single.origins = {all.origins[i]};
      single.shape = Narrowed(all.shape, single.values);
      Results(one, single).Check(single.shape);
      if (HasFailure()) return;
    }
  }
}

}  // namespace
}  // namespace fensi::mapping

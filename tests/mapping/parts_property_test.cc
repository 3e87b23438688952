// What is claimed of a part of a template before there is a row holds for every row: values have the announced width,
// bytes, range and order, and so many bits of a hash are left. All functions.
#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::mapping {
namespace {

// A property says what is wrong, or nothing. The first seed of which it speaks ends the test.
template <typename Property>
void HoldsForEverySeed(int runs, const Property& property) {
  for (int seed = 1; seed <= runs; ++seed) {
    Dice dice(static_cast<uint64_t>(seed));
    const std::string wrong = property(&dice);
    ASSERT_EQ(wrong, "") << "seed " << seed;
  }
}

struct Result1 {
  Outcome outcome = Outcome::kAbsent;
  std::string bytes;
  int64_t number = 0;
};

// A part step by step, with what is said behind each step.
struct Chain {
  Part part;
  std::vector<Slot> slots;
  std::vector<Shape> shapes;  // behind so many steps
  size_t measure = 0;         // the value behind so many steps is what order is measured by

  const Shape& shape() const { return shapes.back(); }

  Result1 Run(const SourceRow& row, size_t steps) const {
    Part begun = part;
    begun.steps.resize(steps);
    const std::vector<VisibleCell> cells = row.View();
    std::vector<const VisibleCell*> pointers;
    for (const Slot& slot : slots) {
      const auto found = std::find_if(cells.begin(), cells.end(), [&](const VisibleCell& cell) {
        return cell.family == slot.family && cell.qualifier == slot.qualifier;
      });
      pointers.push_back(found == cells.end() ? nullptr : &*found);
    }
    Inputs inputs;
    inputs.row = row.row;
    inputs.slots = pointers;
    Scratch scratch;
    Value value;
    Result1 result;
    result.outcome = RunPart(begun, inputs, &scratch, &value);
    if (result.outcome != Outcome::kValue) return result;
    if (!IsRanked(shapes[steps].type)) result.bytes = value.bytes;
    result.number = value.number;
    return result;
  }
};

bool IsNumber(const Shape& shape) { return IsRanked(shape.type); }
bool IsMeasure(const Shape& shape) { return IsNumber(shape) || shape.type == Type::kDecimal; }

std::optional<Chain> ChainOf(const std::string& text, std::string* said) {
  Chain chain;
  const std::optional<Template> compiled = CompileWithProtos(text, &chain.slots);
  if (!compiled || compiled->parts[0].shape.type == Type::kList) return std::nullopt;
  *said = text;
  chain.part = compiled->parts[0];
  std::string steps = "{" + chain.part.reference->name;
  chain.shapes.push_back(CompileWithProtos(steps + "}", &chain.slots)->parts[0].shape);
  bool measured = IsNumber(chain.shapes[0]);
  for (const Step& step : chain.part.steps) {
    Shape next = chain.shapes.back();
    if (step.function != nullptr) step.function->shape(step.arguments, &next);
    if (step.function == nullptr && next.may_be_absent) {
      next.AddDefault(step.arguments[0].text, step.arguments[0].number);
    }
    next.Settle();
    const bool first_number = !IsMeasure(chain.shapes.back()) && IsMeasure(next) && chain.shapes.back().piece;
    chain.shapes.push_back(next);
    if (first_number && !measured) {
      chain.measure = chain.shapes.size() - 1;
      measured = true;
    }
  }
  return chain;
}

std::string WrongValue(const Shape& shape, const Result1& value) {
  if (value.outcome == Outcome::kAbsent) return shape.may_be_absent ? "" : "absent, and never absent";
  if (value.outcome == Outcome::kUnmappable) return shape.mappable ? "unmappable, and always mappable" : "";
  if (IsNumber(shape)) {
    const bool within = value.number >= shape.least && value.number <= shape.most;
    return within ? "" : std::to_string(value.number) + " is outside of its range";
  }
  if (value.bytes.size() < shape.min_width || value.bytes.size() > shape.max_width) {
    return Escape(value.bytes) + " has another width than " + std::to_string(shape.min_width) + " to " +
           std::to_string(shape.max_width);
  }
  if ((BytesOf(value.bytes) & ~shape.bytes).any()) return Escape(value.bytes) + " has a byte that cannot occur";
  return "";
}

int Compare(const Shape& shape, const Result1& a, const Result1& b) {
  if (IsNumber(shape)) return a.number < b.number ? -1 : a.number > b.number;
  return a.bytes < b.bytes ? -1 : a.bytes > b.bytes;
}

// What a row gives behind each number of steps.
using Results = std::vector<Result1>;

std::string WrongOrder(const Chain& chain, const Results& one, const Results& other) {
  const Shape& shape = chain.shape();
  if (shape.order == Direction::kNone) return "";
  const Result1 &a = one[chain.measure], &b = other[chain.measure], &x = one.back(), &y = other.back();
  if (a.outcome != Outcome::kValue || b.outcome != Outcome::kValue) return "";
  const int measured = Compare(chain.shapes[chain.measure], a, b);
  const int values = Compare(shape, x, y);
  // Negative ones behind all others: of two with different signs the order is the other one.
  const bool signs = shape.order == Direction::kUpFromZero && (a.number < 0) != (b.number < 0);
  const bool down = shape.order == Direction::kDown || signs;
  if (down ? measured * values <= 0 : measured * values >= 0) return "";
  return "not in order: " + Escape(a.bytes) + " " + std::to_string(a.number) + " gives " + Escape(x.bytes) + ", " +
         Escape(b.bytes) + " " + std::to_string(b.number) + " gives " + Escape(y.bytes);
}

std::string WrongPair(const Chain& chain, const Results& one, const Results& other) {
  const Result1 &source = one[0], &source2 = other[0], &x = one.back(), &y = other.back();
  // A default is not made of a source.
  if (source.outcome != Outcome::kValue || source2.outcome != Outcome::kValue) return "";
  if (x.outcome != Outcome::kValue || y.outcome != Outcome::kValue) return "";
  const bool same_source = Compare(chain.shapes[0], source, source2) == 0;
  const bool same = Compare(chain.shape(), x, y) == 0;
  if (chain.shape().injective && same && !same_source) {
    return "different sources " + Escape(source.bytes) + " and " + Escape(source2.bytes) + " give " + Escape(x.bytes);
  }
  if (chain.shape().terminated && !same && y.bytes.starts_with(x.bytes)) {
    return Escape(x.bytes) + " ends itself, and begins " + Escape(y.bytes);
  }
  return WrongOrder(chain, one, other);
}

std::string WrongPart(const Chain& chain, const std::vector<SourceRow>& rows) {
  std::vector<Results> all;
  for (const SourceRow& row : rows) {
    Results& results = all.emplace_back();
    for (size_t steps = 0; steps < chain.shapes.size(); ++steps) {
      results.push_back(chain.Run(row, steps));
      const std::string wrong = WrongValue(chain.shapes[steps], results.back());
      if (!wrong.empty()) return "behind " + std::to_string(steps) + " steps: " + wrong;
    }
  }
  for (const Results& one : all) {
    for (const Results& other : all) {
      const std::string wrong = WrongPair(chain, one, other);
      if (!wrong.empty()) return wrong;
    }
  }
  return "";
}

// What a step may lose: white space around it, capitals, a byte here or there.
std::string Twin(Dice* dice, std::string text) {
  const size_t at = text.empty() ? 0 : dice->Below(text.size());
  switch (dice->Below(5)) {
    case 0:
      return text + dice->Text({" ", "\t", "\n"});
    case 1:
      return dice->Text({" ", "\t", "\n"}) + text;
    case 2:
      return text.insert(at, dice->Text({"-", ".", "0", "a", ","}));
    case 3:
      return text.empty() ? text : text.erase(at, 1);
    default:
      if (!text.empty() && std::isalpha(static_cast<unsigned char>(text[at])) != 0) text[at] ^= 0x20;
      return text;
  }
}

// `number` in the field `cents` of an example.Order of Avro.
std::string OrderOf(int64_t number) {
  std::string bytes = "\x02o";
  uint64_t bits = static_cast<uint64_t>(number) << 1 ^ static_cast<uint64_t>(number >> 63);
  for (; bits >= 0x80; bits >>= 7) bytes.push_back(static_cast<char>(bits | 0x80));
  bytes.push_back(static_cast<char>(bits));
  return bytes + std::string(4, '\0');
}

// `number` in the field `requests` of an example.Visitor of protobuf.
std::string VisitorOf(int64_t number) {
  std::string bytes = "\x08";
  auto bits = static_cast<uint64_t>(number);
  for (; bits >= 0x80; bits >>= 7) bytes.push_back(static_cast<char>(bits | 0x80));
  return bytes + static_cast<char>(bits);
}

std::string Written(Dice* dice, int64_t number) {
  std::string bytes(8, '\0');
  for (size_t k = 0; k < 8; ++k) bytes[7 - k] = static_cast<char>(static_cast<uint64_t>(number) >> (8 * k));
  switch (dice->Below(6)) {
    case 0:
      return bytes;
    case 1:
      return bytes.substr(4);
    case 2:
      return OrderOf(number);
    case 3:
      return VisitorOf(number);
    default:
      return std::to_string(number);
  }
}

// Values that are near to each other: numbers in small steps, texts of the same pieces, and twins.
std::vector<SourceRow> RowsForAPart(Dice* dice) {
  std::vector<SourceRow> rows = RandomRows(dice, 8);
  const int64_t begin = dice->OneIn(2) ? 0 : dice->Number() >> dice->Below(60);
  for (int i = 0; i < 10; ++i) {
    const auto number = static_cast<int64_t>(static_cast<uint64_t>(begin) + dice->Below(3) * 40 + dice->Below(12) - 6);
    const std::string text = Written(dice, number);
    rows.push_back({text, {{"f", "a", text, number}, {"f", "b", RandomValue(dice), i}}});
  }
  for (const int64_t number : {INT64_MIN, INT64_MAX, int64_t{-1}, int64_t{0}, int64_t{1}}) {
    const auto edge = static_cast<int64_t>(static_cast<uint64_t>(number) + dice->Below(3) - 1);
    const std::string text = Written(dice, edge);
    rows.push_back({text, {{"f", "a", text, edge}}});
  }
  for (int i = 0; i < 6; ++i) {
    const std::string text = Twin(dice, dice->Of(rows).row);
    if (!text.empty()) rows.push_back({text, {{"f", "a", text, i}}});
  }
  return rows;
}

TEST(Parts, AreWhatIsSaidOfThem) {
  HoldsForEverySeed(Runs(100'000), [](Dice* dice) -> std::string {
    std::string text;
    const std::optional<Chain> chain = ChainOf(RandomPart(dice, dice->Text({"row", "f:a", "f:a", "f:a@ts"})), &text);
    if (!chain) return "";
    const std::string wrong = WrongPart(*chain, RowsForAPart(dice));
    return wrong.empty() ? "" : text + ": " + wrong;
  });
}

TEST(Hashes, HaveAsManyBitsLeftAsIsSaid) {
  constexpr size_t kSources = 3000;
  constexpr double kPairs = kSources * (kSources - 1) / 2.0;
  HoldsForEverySeed(Runs(1000), [&](Dice* dice) -> std::string {
    std::string part = RandomPart(dice, "row");
    part.insert(4, dice->Text({" | md5", " | sha256 | hex", " | sha1 | hex", " | md5 | hex", " | xxh64", " | crc32",
                               " | md5 | first 8 | i64 | ordered", " | xxh64 | hex | upper", " | md5 | pad 24 x"}));
    std::string text;
    const std::optional<Chain> chain = ChainOf(part, &text);
    if (!chain || chain->shape().hash_bits == 0) return "";
    std::map<std::string, int> values;
    for (size_t i = 0; i < kSources; ++i) {
      const Result1 value = chain->Run({std::to_string(dice->Number()), {}}, chain->part.steps.size());
      if (value.outcome == Outcome::kValue) ++values[value.bytes];
    }
    double pairs = 0;
    for (const auto& [value, count] : values) pairs += count * (count - 1) / 2.0;
    const double expected = kPairs / std::pow(2.0, chain->shape().hash_bits);
    if (pairs <= 10 + 3 * expected) return "";
    return text + ": " + std::to_string(chain->shape().hash_bits) + " bits, and " + std::to_string(pairs) +
           " pairs are alike";
  });
}

}  // namespace
}  // namespace fensi::mapping

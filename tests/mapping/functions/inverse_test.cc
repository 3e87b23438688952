// What a function tells readers of keys holds for each of its results: the inverse, the numbers that one result stands
// for, the order of results, and the salts.
#include "mapping/functions/inverse.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>

#include "base/bytes.h"
#include "mapping/functions/numbers_as_text.h"
#include "tests/mapping/functions/function_cases.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

std::vector<Held> ValuesOf(Type type) {
  std::vector<Held> values;
  if (IsRanked(type)) {
    for (const int64_t number : type == Type::kReal ? EdgeRanks() : EdgeNumbers()) values.push_back({"", number});
  } else if (type == Type::kDecimal) {
    for (const std::string& decimal : EdgeDecimals()) values.push_back({decimal, 0});
  } else {
    for (const std::string& value : EdgeValues()) values.push_back({value, 0});
    for (const std::string& value : ShortValues()) values.push_back({value, 0});
  }
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

const std::vector<Held>& SortedValues(Type type) {
  static std::map<Type, std::vector<Held>> known;
  std::vector<Held>& values = known[type];
  if (values.empty()) values = ValuesOf(type);
  return values;
}

__extension__ typedef __int128 Wide;

/// A function, with values in their order and their results.
class Trial {
 public:
  explicit Trial(const FunctionCase& one) : one_(one) {
    Shape shape;
    shape.type = one.takes;
    one.step.function->shape(one.step.arguments, &shape);
    gives_ = shape.type;
    for (const Held& held : SortedValues(one.takes)) {
      if (std::optional<Held> result = Apply(held)) pairs_.emplace_back(held, *std::move(result));
    }
  }

  bool GivesValues() const { return gives_ != Type::kList; }

  void CheckInverse() {
    const Reading& reading = Function().reading;
    const Inverse best = reading.best == nullptr ? Inverse::kNone : reading.best(Arguments());
    if (reading.invert == nullptr) {
      EXPECT_EQ(best, Inverse::kNone) << Function().name << " claims an inverse and has none";
      return;
    }
    for (const auto& [input, result] : pairs_) {
      Scratch scratch;
      Value back = result.value();
      const Inverse found = reading.invert(Arguments(), &back, &scratch);
      const Held origin = HeldOf(one_.takes, back);
      if (found == Inverse::kExact && origin != input)
        return Report("calls another value exact", input, result, origin);
      if (found > best && best != Inverse::kNone) return Report("is worse than the best", input, result, origin);
      if (best != Inverse::kNone && Apply(origin) != result)
        return Report("gives another result", input, result, origin);
    }
  }

  /// Numbers that are the result of none have no inverse, or one that gives something else.
  void CheckGivesAny() {
    if (!Function().reading.gives_any) return;
    for (const int64_t number : EdgeNumbers()) {
      Scratch scratch;
      Value back{.number = number};
      ASSERT_EQ(Function().reading.invert(Arguments(), &back, &scratch), Inverse::kExact) << one_.steps << number;
      EXPECT_EQ(Apply(HeldOf(one_.takes, back)), (Held{"", number})) << one_.steps;
    }
  }

  void CheckSpread() {
    if (Function().reading.spread == nullptr) return;
    for (const auto& [input, result] : pairs_) {
      Numbers numbers{result.number, result.number, 0};
      if (!Function().reading.spread(Arguments(), result.bytes, &numbers)) {
        // A product of 0 is of every number, and the lowest factor has no magnitude in 64 bits.
        const bool product = Function().name == "mul";
        const bool unknown = product && (Arguments()[0].number == 0 || Arguments()[0].number == INT64_MIN);
        if (IsRanked(gives_) && !unknown) return Report("knows no number of a result", input, result, input);
        continue;
      }
      const Wide distance = static_cast<Wide>(input.number) - numbers.least;
      const Wide width = static_cast<Wide>(numbers.most) - numbers.least;
      const Wide within = numbers.cycle == 0 ? distance : (distance % numbers.cycle + numbers.cycle) % numbers.cycle;
      if (within < 0 || within > width) {
        return Report("leaves out a number", input, result, {"", numbers.least});
      }
    }
  }

  void CheckOrder() {
    const Reading& reading = Function().reading;
    const Direction order = reading.order == nullptr ? Direction::kNone : reading.order(Arguments());
    if (order == Direction::kNone) return;
    if (order == Direction::kUpFromZero) {
      std::stable_partition(pairs_.begin(), pairs_.end(), [](const auto& pair) { return pair.first.number >= 0; });
    }
    for (size_t i = 1; i < pairs_.size(); ++i) {
      const bool turned = order == Direction::kDown;
      const auto& [low, high] = std::pair(pairs_[i - 1], pairs_[i]);
      // Digits are in order while no sign and no further digit comes in: readers of keys look at both.
      const bool other_width = low.first.number < 0 || low.second.bytes.size() != high.second.bytes.size();
      if (WritesOpenDigits(one_.step) && other_width) continue;
      if (turned ? low.second < high.second : high.second < low.second) {
        return Report("claims an order that it has not", low.first, low.second, high.first);
      }
    }
  }

  /// A bound that has no result: what is there instead lies between the results of its neighbours.
  void CheckBelow() {
    if (Function().reading.below == nullptr) return;
    for (const auto& [input, result] : pairs_) {
      Scratch scratch;
      Value value = input.value();
      ASSERT_EQ(Function().reading.below(Arguments(), &value, &scratch), Outcome::kValue);
      if (HeldOf(gives_, value) != result)
        return Report("has another result at a bound", input, result, HeldOf(gives_, value));
    }
  }

  void CheckSalts() {
    const Reading& reading = Function().reading;
    EXPECT_EQ(reading.salts == nullptr, reading.salt == nullptr) << Function().name;
    const int64_t count = reading.salts == nullptr ? 0 : reading.salts(Arguments());
    constexpr int64_t kMostTried = 4000;
    if (count == 0 || count > kMostTried) return;
    std::vector<Held> salts;
    Scratch scratch;
    for (int64_t n = 0; n < count; ++n) {
      Value value;
      reading.salt(Arguments(), n, &value, &scratch);
      salts.push_back(HeldOf(gives_, value));
    }
    for (const auto& [input, result] : pairs_) {
      if (std::find(salts.begin(), salts.end(), result) == salts.end())
        return Report("has a salt of its own", input, result, {});
    }
  }

 private:
  const mapping::Function& Function() const { return *one_.step.function; }
  const mapping::Arguments& Arguments() const { return one_.step.arguments; }

  std::optional<Held> Apply(const Held& input) const {
    Scratch scratch;
    Value value = input.value();
    if (Function().apply(Arguments(), &value, &scratch) != Outcome::kValue) return std::nullopt;
    return HeldOf(gives_, value);
  }

  void Report(const std::string& what, const Held& input, const Held& result, const Held& origin) const {
    ADD_FAILURE() << "{" << one_.steps << "} " << what << ": " << HeldText(input) << " -> " << HeldText(result)
                  << ", and " << HeldText(origin);
  }

  const FunctionCase& one_;
  Type gives_ = Type::kBytes;
  std::vector<std::pair<Held, Held>> pairs_;
};

void ForEachTrial(const std::function<void(Trial*)>& check) {
  std::vector<std::string> missing;
  const std::vector<FunctionCase> cases = FunctionCases(&missing);
  EXPECT_EQ(missing, std::vector<std::string>()) << "add arguments to tests/mapping/functions/function_cases.cc";
  for (const FunctionCase& one : cases) {
    Trial trial(one);
    if (trial.GivesValues()) check(&trial);
  }
}

TEST(Readings, HoldForEveryFunction) {
  ForEachTrial([](Trial* trial) {
    trial->CheckInverse();
    trial->CheckGivesAny();
    trial->CheckSpread();
    trial->CheckBelow();
    trial->CheckSalts();
    trial->CheckOrder();
  });
}

}  // namespace
}  // namespace fensi::mapping

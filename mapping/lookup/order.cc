#include "mapping/lookup/order.h"

#include <algorithm>
#include <iterator>

#include "mapping/functions/numbers_as_text.h"
#include "mapping/lookup/inverse.h"
#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

using Intervals = std::vector<Interval>;

Direction OrderOf(const Step& step) {
  if (step.function == nullptr) return Direction::kUp;
  const auto order = step.function->reading.order;
  return order == nullptr ? Direction::kNone : order(step.arguments);
}

/// Values of exactly one width, or without one byte, are what they were before.
bool OnlyChecks(const Step& step) { return step.function == nullptr || RoleOf(step) == Role::kChecks; }

/// Does a function from bytes to bytes keep their order?
bool KeepsOrder(const Step& step) { return OrderOf(step) == Direction::kUp; }

bool KeepOrder(const Part& part, size_t begin) {
  return std::all_of(part.steps.begin() + static_cast<std::ptrdiff_t>(begin), part.steps.end(), KeepsOrder);
}

/// From bytes or a number to the part's bytes, without checks: a bound need not be a value.
Result<std::string> BytesOf(const Part& part, size_t begin, Value value) {
  Scratch scratch;
  for (size_t i = begin; i < part.steps.size(); ++i) {
    const Step& step = part.steps[i];
    if (OnlyChecks(step)) continue;
    const auto below = step.function->reading.below;
    const Outcome outcome =
        below != nullptr ? below(step.arguments, &value, &scratch) : RunSteps(part, i, i + 1, &scratch, &value);
    if (outcome != Outcome::kValue) return InvalidArgument(part.text + ": " + scratch.reason);
  }
  return std::string(value.bytes);
}

/// Numbers through the function `writer` that makes bytes of them, and what follows it.
class NumberIntervals {
 public:
  NumberIntervals(const Part& part, size_t writer) : part_(part), writer_(writer) {}

  Result<std::optional<Intervals>> Between(std::optional<int64_t> first, std::optional<int64_t> last) {
    const Step& step = part_.steps[writer_];
    const bool padded = WritesOpenDigits(step);
    const Direction direction = step.function == nullptr ? Direction::kNone : OrderOf(step);
    if (padded && !(PadIsNext() && FitsPad(first) && FitsPad(last))) return std::optional<Intervals>();
    if (!KeepOrder(part_, writer_ + (padded ? 2 : 1)) || direction == Direction::kNone) {
      return std::optional<Intervals>();
    }
    if (direction == Direction::kUp) return Add(first, last);
    Result<std::optional<Intervals>> added = std::optional<Intervals>(Intervals());
    if (!last || *last >= 0) added = Add(std::max<int64_t>(first.value_or(0), 0), last.value_or(INT64_MAX));
    const bool negative = (first && *first < 0) || (!first && !NeverNegative());
    if (!added.ok() || !negative) return added;
    return Add(first.value_or(INT64_MIN), std::min<int64_t>(last.value_or(-1), -1));
  }

 private:
  bool PadIsNext() const {
    const size_t next = writer_ + 1;
    return next < part_.steps.size() && FillsWithZeros(part_.steps[next]);
  }

  /// Padded digits of one width are in order, those of longer or negative numbers are not.
  bool FitsPad(const std::optional<int64_t>& number) const {
    const int64_t width = part_.steps[writer_ + 1].arguments[0].number;
    return number && *number >= 0 && std::to_string(*number).size() <= static_cast<size_t>(width);
  }

  /// Are the bytes of this bound those of a value before it? Then no value of theirs is at the bound or behind it.
  bool LiesBelow(Value value) const {
    const Step& step = part_.steps[writer_];
    if (step.function == nullptr || step.function->reading.below == nullptr) return false;
    Scratch scratch;
    return RunSteps(part_, writer_, writer_ + 1, &scratch, &value) != Outcome::kValue &&
           Invertible(part_, writer_ + 1) == Inverse::kExact;
  }

  bool NeverNegative() const { return ShapeAt(part_, writer_).non_negative(); }

  Result<std::optional<Intervals>> Add(std::optional<int64_t> first, std::optional<int64_t> last) {
    Interval interval;
    for (const auto& [number, end] : {std::pair(first, false), std::pair(last, true)}) {
      if (!number) continue;
      Value value;
      value.number = *number;
      FENSI_ASSIGN_OR_RETURN(std::string bytes, BytesOf(part_, writer_, value));
      if (end) {
        interval.high = std::move(bytes);
      } else {
        interval.without_low = LiesBelow(value);
        interval.low = std::move(bytes);
      }
    }
    interval.with_high = true;
    intervals_.push_back(std::move(interval));
    return std::optional<Intervals>(intervals_);
  }

  const Part& part_;
  const size_t writer_;
  Intervals intervals_;
};

Result<std::optional<int64_t>> NumberBehind(const Part& part, size_t begin, size_t end,
                                            const std::optional<Value>& bound) {
  if (!bound) return std::optional<int64_t>();
  Scratch scratch;
  Value value = *bound;
  if (RunSteps(part, begin, end, &scratch, &value) == Outcome::kValue) return std::optional<int64_t>(value.number);
  return InvalidArgument(part.text + ": " + scratch.reason);
}

Result<std::optional<Intervals>> OfNumbers(const Part& part, size_t begin, const std::optional<Value>& first,
                                           const std::optional<Value>& last) {
  size_t writer = begin;
  while (writer < part.steps.size() && TypeAt(part, writer + 1) != Type::kBytes) ++writer;
  const Direction direction = NumberOrder(part, begin, writer);
  if (direction == Direction::kNone) return std::optional<Intervals>();
  auto low = NumberBehind(part, begin, writer, first);
  auto high = NumberBehind(part, begin, writer, last);
  if (!low.ok()) return low.status().WithContext("--from");
  if (!high.ok()) return high.status().WithContext("--to");
  if (direction == Direction::kDown) std::swap(low, high);
  return NumberIntervals(part, writer).Between(*low, *high);
}

/// Where something is cut off, values below the bound may have its bytes.
bool SharedFromBelow(const Part& part, size_t begin, const Value& bound, const std::string& bytes) {
  Value shorter = bound;
  shorter.bytes.remove_suffix(1);
  const Result<std::string> of_shorter = BytesOf(part, begin, shorter);
  return of_shorter.ok() && *of_shorter == bytes;
}

/// Bounds longer than all values lie between two of them.
void CutTo(size_t width, Interval* interval) {
  if (interval->high && interval->high->size() > width) {
    interval->high->resize(width);
    interval->with_high = true;
  }
  if (interval->low.size() > width) {
    interval->low.resize(width);
    interval->without_low = true;
  }
}

Result<std::optional<Intervals>> OfBytes(const Part& part, size_t begin, const std::optional<Value>& first,
                                         const std::optional<Value>& last) {
  if (!KeepOrder(part, begin)) return std::optional<Intervals>();
  Interval interval;
  if (first) {
    Result<std::string> bytes = BytesOf(part, begin, *first);
    if (!bytes.ok()) return bytes.status().WithContext("--from");
    interval.low = std::move(*bytes);
  }
  if (last) {
    Result<std::string> bytes = BytesOf(part, begin, *last);
    if (!bytes.ok()) return bytes.status().WithContext("--to");
    interval.with_high = SharedFromBelow(part, begin, *last, *bytes);
    interval.high = std::move(*bytes);
  }
  if (part.shape.fixed()) CutTo(part.shape.min_width, &interval);
  return std::optional<Intervals>({std::move(interval)});
}

}  // namespace

Direction NumberOrder(const Part& part, size_t begin, size_t end) {
  bool down = false;
  for (size_t i = begin; i < end; ++i) {
    const Direction step = OrderOf(part.steps[i]);
    if (step == Direction::kNone || step == Direction::kUpFromZero) return Direction::kNone;
    down = down != (step == Direction::kDown);
  }
  return down ? Direction::kDown : Direction::kUp;
}

bool Interval::Holds(std::string_view bytes) const {
  if (bytes < low || (without_low && bytes == low)) return false;
  return !high || bytes < *high || (with_high && bytes == *high);
}

Result<std::optional<Intervals>> IntervalsOf(const Part& part, size_t begin, const std::optional<Value>& first,
                                             const std::optional<Value>& last) {
  return IsRanked(TypeAt(part, begin)) ? OfNumbers(part, begin, first, last) : OfBytes(part, begin, first, last);
}

}  // namespace fensi::mapping

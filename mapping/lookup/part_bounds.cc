#include "mapping/lookup/part_bounds.h"

#include <algorithm>
#include <limits>

namespace fensi::mapping {
namespace {

/// The largest number below an exclusive bound, so that it can be given as an inclusive one.
std::optional<Value> LastValue(const Bound& to) {
  Value value = to.AsValue();
  if (to.is_number && value.number > std::numeric_limits<int64_t>::min()) --value.number;
  return value;
}

// Each end may stand behind another step: the intervals between both are those that lie in both halves.
std::vector<Interval> Common(const std::vector<Interval>& a, const std::vector<Interval>& b) {
  std::vector<Interval> common;
  for (const Interval& one : a) {
    for (const Interval& other : b) {
      Interval both = other;
      const bool one_begins_last = one.low >= other.low;
      if (one_begins_last) both.without_low = one.without_low || (one.low == other.low && other.without_low);
      if (one_begins_last) both.low = one.low;
      const bool one_ends_first = one.high && (!other.high || *one.high < *other.high);
      if (one_ends_first) both.high = one.high;
      if (one_ends_first) both.with_high = one.with_high;
      if (one.high && one.high == other.high) both.with_high = one.with_high && other.with_high;
      if (!both.high || both.low <= *both.high) common.push_back(std::move(both));
    }
  }
  return common;
}

Result<std::optional<std::vector<Interval>>> IntervalsBetween(const Part& part, const Bounds& bounds) {
  const auto& from = bounds.from();
  const auto& to = bounds.to();
  const std::optional<Value> first = from ? std::optional(from->AsValue()) : std::nullopt;
  const std::optional<Value> last = to ? LastValue(*to) : std::nullopt;
  if (!from || !to || from->step == to->step) return IntervalsOf(part, from ? from->step : to->step, first, last);
  auto above = IntervalsOf(part, from->step, first, std::nullopt);
  auto below = IntervalsOf(part, to->step, std::nullopt, last);
  if (!above.ok() || !below.ok()) return above.ok() ? below : above;
  if (!*above || !*below) return std::optional<std::vector<Interval>>();
  return std::optional(Common(**above, **below));
}

}  // namespace

PartBounds::PartBounds(const Part& part, Bounds bounds) : part_(&part), bounds_(std::move(bounds)), exact_(true) {
  for (const std::optional<Bound>* bound : {&bounds_.from(), &bounds_.to()}) {
    if (*bound) exact_ = exact_ && Invertible(part, (*bound)->step) == Inverse::kExact;
  }
}

Result<PartBounds> PartBounds::Make(const Part& part, Bounds bounds) {
  PartBounds made(part, std::move(bounds));
  if (made.bounds_.Empty()) {
    made.intervals_.emplace();
    return made;
  }
  auto intervals = IntervalsBetween(part, made.bounds_);
  if (!intervals.ok()) return intervals.status();
  made.intervals_ = std::move(*intervals);
  return made;
}

bool PartBounds::HoldOthers() const {
  size_t begin = part_->steps.size();
  for (const std::optional<Bound>* bound : {&bounds_.from(), &bounds_.to()}) {
    if (*bound) begin = std::min(begin, (*bound)->step);
  }
  return std::any_of(part_->steps.begin() + static_cast<std::ptrdiff_t>(begin), part_->steps.end(),
                     [](const Step& step) { return step.function == nullptr || FillsWithZeros(step); });
}

Placement PartBounds::Judge(std::string_view bytes) const {
  const auto holds = [bytes](const Interval& interval) { return interval.Holds(bytes); };
  if (intervals_ && std::none_of(intervals_->begin(), intervals_->end(), holds)) return Placement::kOutside;
  Placement placement = Placement::kInside;
  for (const std::optional<Bound>* bound : {&bounds_.from(), &bounds_.to()}) {
    if (!*bound) continue;
    const Placement end = JudgeEnd(bytes, **bound, bound == &bounds_.from());
    if (end == Placement::kOutside) return end;
    if (end == Placement::kUnsure) placement = end;
  }
  return placement;
}

Placement PartBounds::JudgeEnd(std::string_view bytes, const Bound& bound, bool is_from) const {
  Scratch scratch;
  Value value;
  value.bytes = bytes;
  switch (InvertPart(*part_, bound.step, &value, &scratch)) {
    case Inverse::kExact:
      return Bounds::AtLeast(value, bound) == is_from ? Placement::kInside : Placement::kOutside;
    case Inverse::kGood:
      return Placement::kUnsure;
    case Inverse::kNone:
      break;
  }
  // Where a way back is always found, these bytes are of no value: they stand in for an absent one.
  return Invertible(*part_, bound.step) == Inverse::kNone ? Placement::kUnsure : Placement::kOutside;
}

}  // namespace fensi::mapping

#include "mapping/lookup/bounds.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/functions/time_format.h"
#include "mapping/instant.h"
#include "mapping/lookup/key_parts.h"
#include "mapping/lookup/order.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

/// Reads bounds of one part.
class BoundReader {
 public:
  BoundReader(const Part& part, size_t typed_at, std::optional<int64_t> unit)
      : part_(part), typed_at_(typed_at), number_at_(FirstNumber(part, typed_at)), unit_(unit) {
    for (size_t i = number_at_; i < part.steps.size() && time_at_ == kNoStep; ++i) {
      if (TypeAt(part, i) == Type::kTime) time_at_ = i;
    }
    const size_t end = part.steps.size();
    if (number_at_ == kNoStep && TypeAt(part, end) != Type::kBytes) number_at_ = end;
    if (time_at_ == kNoStep && TypeAt(part, end) == Type::kTime) time_at_ = end;
    const size_t decimal_at = FirstDecimal(part, typed_at);
    if (decimal_at <= number_at_) decimal_at_ = decimal_at;
  }

  Result<Bound> Read(const std::string& text) const {
    Bound bound{typed_at_, false, 0, text};
    if (decimal_at_ != kNoStep) return ReadPointed(Type::kDecimal, decimal_at_, text);
    if (number_at_ == kNoStep) return ReadText(text);
    if (TypeAt(part_, number_at_) == Type::kReal) return ReadPointed(Type::kReal, number_at_, text);
    bound.is_number = true;
    if (const std::optional<int64_t> number = ParseInteger(text)) {
      if (IsTime() && LooksLikeDay(text)) return DayWithoutDashes(text);
      bound.step = number_at_;
      bound.number = *number;
      return bound;
    }
    const std::optional<int64_t> instant = ParseInstant(text);
    if (!instant) {
      return InvalidArgument(Shown(text) + " is neither a number nor a time: write a whole number" +
                             (AllDigits(text) ? " of 64 bits" : "") +
                             ", or a time like 2016-12-19, 2016-12-19T08:00:00Z or 2016-12-19T08:00+08:00");
    }
    bound.step = time_at_ == kNoStep ? number_at_ : time_at_;
    // The first whole unit at or after the instant: as a bound that is the same.
    const int64_t unit = time_at_ == kNoStep ? unit_.value_or(1) : 1;
    bound.number = *instant / unit + (*instant % unit > 0 ? 1 : 0);
    return bound;
  }

 private:
  // A function may make a text of the bytes, and the text is what people write: whole, or only its beginning.
  Result<Bound> ReadText(const std::string& text) const {
    const size_t text_at = FirstText(part_, typed_at_);
    if (text_at == kNoStep) return Bound{typed_at_, false, 0, text};
    const Step& reader = part_.steps[text_at - 1];
    const std::optional<std::string> bytes = BytesByText(reader, text);
    if (!reader.function->reading.unsorted_text) {
      const bool one_form = bytes && reader.function->reading.best(reader.arguments) == Inverse::kExact;
      return Bound{text_at, false, 0, one_form ? TextBy(reader, *bytes).value_or(text) : text};
    }
    if (bytes) return Bound{text_at - 1, false, 0, *bytes};
    return InvalidArgument(Shown(text) + " is not a text that " + std::string(reader.function->name) +
                           " writes: write the value as 'fensi lookup' shows it");
  }

  Result<Bound> ReadPointed(Type type, size_t step, const std::string& text) const {
    Scratch scratch;
    Value value;
    if (!ReadTyped(type, text, &value, &scratch))
      return InvalidArgument(Shown(text) + " is not a number: write a number like 19.90");
    const Step* const reader = step > 0 ? &part_.steps[step - 1] : nullptr;
    const bool rounds = type == Type::kReal && reader != nullptr && reader->function != nullptr;
    if (rounds) value.number = NearestRank(*reader, value.number);
    return Bound{step, IsRanked(type), value.number, std::string(value.bytes)};
  }

  bool IsTime() const { return time_at_ != kNoStep || unit_; }

  static bool AllDigits(std::string_view text) { return text.find_first_not_of("0123456789+-") == std::string::npos; }

  static bool LooksLikeDay(std::string_view text) {
    return text.size() == 8 && (text.starts_with("19") || text.starts_with("20")) && ParseTime("%Y%m%d", text);
  }

  static Status DayWithoutDashes(const std::string& text) {
    return InvalidArgument(text + " can be a number or a day: write " + text.substr(0, 4) + "-" + text.substr(4, 2) +
                           "-" + text.substr(6) + " for the day, or +" + text + " for the number");
  }

  const Part& part_;
  const size_t typed_at_;
  size_t number_at_;
  size_t time_at_ = kNoStep;
  size_t decimal_at_ = kNoStep;
  const std::optional<int64_t> unit_;
};

/// The value after `to` steps, given the value after `from` steps.
std::optional<Value> Forward(const Part& part, size_t from, size_t to, Value value, Scratch* scratch) {
  if (RunSteps(part, from, to, scratch, &value) != Outcome::kValue) return std::nullopt;
  return value;
}

}  // namespace

Value Bound::AsValue() const {
  Value value;
  value.number = number;
  value.bytes = bytes;
  return value;
}

bool Bounds::AtLeast(const Value& value, const Bound& bound) {
  return bound.is_number ? value.number >= bound.number : value.bytes >= bound.bytes;
}

Result<Bounds> Bounds::Read(const Part& part, size_t typed_at, const std::string& from, const std::string& to,
                            std::optional<int64_t> unit) {
  const BoundReader reader(part, typed_at, unit);
  Bounds bounds(part, typed_at);
  if (!from.empty()) {
    Result<Bound> bound = reader.Read(from);
    if (!bound.ok()) return bound.status().WithContext("--from");
    bounds.from_ = std::move(*bound);
  }
  if (!to.empty()) {
    Result<Bound> bound = reader.Read(to);
    if (!bound.ok()) return bound.status().WithContext("--to");
    bounds.to_ = std::move(*bound);
  }
  const Status order = bounds.CheckOrder(from, to);
  if (!order.ok()) return order;
  return bounds;
}

// A number and an instant may stand behind different steps: they are compared behind the later one, when that is
// possible.
Status Bounds::CheckOrder(const std::string& from, const std::string& to) const {
  if (!from_ || !to_) return Status();
  const size_t step = std::max(from_->step, to_->step);
  Scratch scratch;
  const std::optional<Value> first = Forward(*part_, from_->step, step, from_->AsValue(), &scratch);
  const std::optional<Value> end = Forward(*part_, to_->step, step, to_->AsValue(), &scratch);
  const std::string both = "--from " + Shown(from) + " and --to " + Shown(to);
  if (!first || !end)
    return InvalidArgument(both + " cannot be compared: " + scratch.reason +
                           ". Write both as numbers, or both as times");
  const Direction direction = NumberOrder(*part_, std::min(from_->step, to_->step), step);
  const bool after = from_->is_number ? first->number > end->number : first->bytes > end->bytes;
  return after && direction == Direction::kUp
             ? InvalidArgument(both + ": --from is after --to. Exchange the two values")
             : Status();
}

bool Bounds::Empty() const {
  if (to_ && to_->is_number && to_->number == INT64_MIN) return true;
  if (!from_ || !to_ || from_->step != to_->step) return false;
  return from_->is_number ? from_->number >= to_->number : from_->bytes >= to_->bytes;
}

bool Bounds::Include(const Value& typed) const {
  Scratch scratch;
  for (const std::optional<Bound>* bound : {&from_, &to_}) {
    if (!*bound) continue;
    const std::optional<Value> value = Forward(*part_, typed_at_, (*bound)->step, typed, &scratch);
    if (!value || AtLeast(*value, **bound) != (bound == &from_)) return false;
  }
  return true;
}

Placement Bounds::Judge(const Numbers& numbers, size_t number_at) const {
  Placement placement = Placement::kInside;
  for (const std::optional<Bound>* bound : {&from_, &to_}) {
    if (!*bound) continue;
    const Placement end = JudgeEnd(numbers, number_at, **bound, bound == &from_);
    if (end == Placement::kOutside) return end;
    if (end == Placement::kUnsure) placement = end;
  }
  return placement;
}

// What lies on one side of the bound at both ends lies there between them, when order is kept or turned round.
Placement Bounds::JudgeEnd(const Numbers& numbers, size_t number_at, const Bound& bound, bool is_from) const {
  Scratch scratch;
  Value least;
  Value most;
  least.number = numbers.least;
  most.number = numbers.most;
  const std::optional<Value> first = Forward(*part_, number_at, bound.step, least, &scratch);
  const std::optional<Value> last = Forward(*part_, number_at, bound.step, most, &scratch);
  if (!first || !last || AtLeast(*first, bound) != AtLeast(*last, bound)) return Placement::kUnsure;
  if (first->number != last->number && NumberOrder(*part_, number_at, bound.step) == Direction::kNone) {
    return Placement::kUnsure;
  }
  return AtLeast(*first, bound) == is_from ? Placement::kInside : Placement::kOutside;
}

namespace {

/// Is no value of the part the beginning of another? Then keys lie as their parts do, whatever follows.
bool IsPrefixFree(const Part& part) { return part.shape.fixed() || part.shape.terminated; }

/// A key may go on behind a part that is a beginning of the bound: the end of the shortest that lies behind the bound.
std::string StopBehindShorter(const Template& row, size_t part, const std::string& prefix, const std::string& high) {
  const size_t least = std::min(row.parts[part].shape.min_width, high.size());
  const bool separated = row.parts[part + 1].IsLiteral() && !row.parts[part + 1].literal.empty();
  if (!separated) return PrefixEnd(prefix + high.substr(0, least));
  const char separator = row.parts[part + 1].literal[0];
  const auto behind = [separator](char c) {
    return static_cast<unsigned char>(separator) >= static_cast<unsigned char>(c);
  };
  const auto at = std::find_if(high.begin() + static_cast<std::ptrdiff_t>(least), high.end(), behind);
  if (at == high.end()) return PrefixEnd(prefix + high);
  return PrefixEnd(prefix + std::string(high.begin(), at) + separator);
}

std::string StopOf(const Template& row, size_t part, const std::string& prefix, const Interval& interval) {
  if (!interval.high) return PrefixEnd(prefix);
  const std::string exclusive = prefix + *interval.high;
  const std::string inclusive = part + 1 == row.parts.size() ? RowAfter(exclusive) : PrefixEnd(exclusive);
  if (part + 1 < row.parts.size() && !IsPrefixFree(row.parts[part])) {
    return StopBehindShorter(row, part, prefix, *interval.high);
  }
  return interval.with_high ? inclusive : exclusive;
}

std::vector<KeyRange> Merged(std::vector<KeyRange> ranges) {
  std::sort(ranges.begin(), ranges.end(), [](const KeyRange& a, const KeyRange& b) { return a.start < b.start; });
  std::vector<KeyRange> merged;
  for (KeyRange& range : ranges) {
    if (!range.stop.empty() && range.stop <= range.start) continue;
    const bool apart = merged.empty() || (!merged.back().stop.empty() && merged.back().stop <= range.start);
    if (apart) {
      merged.push_back(std::move(range));
    } else if (range.stop.empty() || (!merged.back().stop.empty() && merged.back().stop < range.stop)) {
      merged.back().stop = range.stop;
    }
  }
  return merged;
}

}  // namespace

bool RangeSuffices(const Template& row, size_t part) {
  return part + 1 == row.parts.size() || IsPrefixFree(row.parts[part]);
}

std::vector<KeyRange> RangesOf(const Template& row, const EncodedKey& key,
                               const std::optional<std::vector<Interval>>& intervals) {
  std::vector<KeyRange> ranges;
  for (const std::string& prefix : key.prefixes) {
    if (key.open == row.parts.size()) {
      ranges.push_back({prefix, RowAfter(prefix)});
    } else if (!intervals) {
      ranges.push_back({prefix, PrefixEnd(prefix)});
    } else {
      for (const Interval& interval : *intervals) {
        const std::string low = prefix + interval.low;
        const std::string start = interval.without_low ? PrefixEnd(low) : low;
        if (interval.without_low && start.empty()) continue;  // no key lies behind bytes of FF alone
        ranges.push_back({start, StopOf(row, key.open, prefix, interval)});
      }
    }
  }
  return Merged(std::move(ranges));
}

}  // namespace fensi::mapping

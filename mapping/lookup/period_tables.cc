#include "mapping/lookup/period_tables.h"

#include <algorithm>
#include <set>

#include "mapping/functions/time_format.h"
#include "mapping/lookup/order.h"
#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

// Nobody reads so many tables with one lookup, and so many HBase does not hold.
constexpr size_t kMostTables = 10'000;
// A name is made for each; they take some seconds.
constexpr int64_t kMostSteps = 20'000'000;

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;
// No clocks are changed twice within this time.
constexpr int64_t kBetweenChanges = 15 * kMinute;

/// The shortest time for which a name stays what it is while clocks are not changed, as far as can be told from the
/// functions that make it.
int64_t ShortestPeriod(const Part& part, size_t first_step) {
  for (size_t i = first_step; i < part.steps.size(); ++i) {
    if (part.steps[i].function == nullptr || TypeAt(part, i + 1) == Type::kTime) continue;
    const std::string* const format = FormatOf(part.steps[i]);
    if (format == nullptr) return kSecond;  // numbers: whole seconds are the least that is useful
    if (format->find("%L") != std::string::npos) return 1;
    if (format->find("%S") != std::string::npos) return kSecond;
    return format->find("%M") != std::string::npos ? kMinute : kHour;
  }
  return kSecond;
}

/// Names of period tables from instants; reuses its memory.
class TableNames {
 public:
  TableNames(const Template& program, size_t first_step) : program_(program), first_step_(first_step) {
    for (const Part& part : program_.parts) {
      if (part.IsLiteral()) continue;
      period_ = std::min(period_, ShortestPeriod(part, first_step_));
      for (const Step& step : part.steps) {
        if (const TimeZone* zone = ZoneOf(step)) zones_.push_back(zone);
      }
    }
    if (!zones_.empty()) period_ = std::min(period_, kBetweenChanges);
  }

  int64_t period() const { return period_; }

  /// How far the next name is from this instant, at least. A change of clocks can cut a period to any length.
  int64_t StepAt(int64_t instant) const {
    const auto changed = [&](const TimeZone* zone) {
      return zone->OffsetSeconds(instant) != zone->OffsetSeconds(instant + period_);
    };
    return std::any_of(zones_.begin(), zones_.end(), changed) ? std::min(period_, kSecond) : period_;
  }

  /// Empty: this instant has no table.
  std::string At(int64_t instant) {
    std::string table;
    for (const Part& part : program_.parts) {
      Value value;
      value.bytes = part.literal;
      value.number = instant;
      const size_t begin = part.IsLiteral() ? 0 : first_step_;
      if (RunSteps(part, begin, part.steps.size(), &scratch_, &value) != Outcome::kValue) return "";
      table += value.bytes;
    }
    scratch_.Reset();
    return table;
  }

 private:
  const Template& program_;
  const size_t first_step_;
  int64_t period_ = kHour;
  std::vector<const TimeZone*> zones_;
  Scratch scratch_;
};

/// The time behind the steps of the period.
Result<int64_t> TimeOf(const Part& period, const Bound& bound, int64_t less) {
  Value value;
  value.number = bound.number - less;
  Scratch scratch;
  if (RunSteps(period, bound.step, period.steps.size(), &scratch, &value) == Outcome::kValue) return value.number;
  return InvalidArgument(period.text + ": " + scratch.reason);
}

Result<std::vector<std::string>> NamesFrom(int64_t first, int64_t last, TableNames* names, const Status& too_many) {
  int64_t steps = 0;
  if (__builtin_sub_overflow(last / names->period(), first / names->period(), &steps) || steps > kMostSteps) {
    return too_many;
  }
  std::vector<std::string> tables;
  std::set<std::string> known;
  // The last instant is asked, too: its period may have begun after the last whole step.
  for (int64_t at = first;; at = last - at > names->StepAt(at) ? at + names->StepAt(at) : last) {
    std::string table = names->At(at);
    const bool other = !table.empty() && (tables.empty() || tables.back() != table);
    if (other && known.insert(table).second) {
      if (tables.size() == kMostTables) return too_many;
      tables.push_back(std::move(table));
    }
    if (at == last) return tables;
  }
}

/// Is the name nothing but plain text and what is made of the one time?
bool IsOfTimeAlone(const IndexDefinition& definition) {
  const Part& period = definition.period;
  const auto& parts = definition.table_template->parts;
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return part.IsLiteral() ||
           (part.reference->Same(*period.reference) && BeginAlike(part, period, period.steps.size()));
  });
}

/// Where a part that begins at `begin` of the name can end.
std::set<size_t> NameEnds(const Part& part, std::string_view name, size_t begin) {
  const std::string_view rest = name.substr(begin);
  if (part.IsLiteral())
    return rest.starts_with(part.literal) ? std::set{begin + part.literal.size()} : std::set<size_t>();
  std::set<size_t> ends;
  if (const std::string* format = part.steps.empty() ? nullptr : FormatOf(part.steps.back())) {
    const size_t width = TimeWidth(*format);
    if (width <= rest.size() && ParseTime(*format, rest.substr(0, width))) ends.insert(begin + width);
  } else {
    for (size_t end = begin + 1; end <= name.size(); ++end) ends.insert(end);
  }
  return ends;
}

}  // namespace

bool MayBeMade(const Template& table, std::string_view name) {
  std::set<size_t> ends = {0};
  for (const Part& part : table.parts) {
    std::set<size_t> next;
    for (const size_t begin : ends) next.merge(NameEnds(part, name, begin));
    ends = std::move(next);
  }
  return ends.contains(name.size());
}

Result<std::vector<std::string>> TablesBetween(const IndexDefinition& definition, const Bounds& bounds,
                                               const LookupRequest& asked) {
  const Part& period = definition.period;
  if (!bounds.from() || !bounds.to()) {
    return InvalidArgument("index " + definition.name +
                           " has a table per period: give --from and --to, as times like 2016-12-19 or numbers");
  }
  if (!IsOfTimeAlone(definition)) {
    return InvalidArgument("the table's name has more parts than the time: read its tables with 'fensi scan'");
  }
  if (bounds.Empty()) return std::vector<std::string>();
  for (const Bound* bound : {&*bounds.from(), &*bounds.to()}) {
    if (NumberOrder(period, bound->step, period.steps.size()) != Direction::kNone) continue;
    return InvalidArgument(definition.table_template->text +
                           " does not keep the order of its times: --from and --to do not tell its tables");
  }
  const Result<int64_t> from = TimeOf(period, *bounds.from(), 0);
  const Result<int64_t> to = TimeOf(period, *bounds.to(), 1);
  if (!from.ok()) return from.status().WithContext("--from");
  if (!to.ok()) return to.status().WithContext("--to");
  TableNames names(*definition.table_template, period.steps.size());
  return NamesFrom(std::min(*from, *to), std::max(*from, *to), &names,
                   InvalidArgument("index " + definition.name + ": from " + asked.from + " to " + asked.to +
                                   " there can be more than " + std::to_string(kMostTables) + " tables '" +
                                   definition.table_template->text + "': ask for a shorter time"));
}

Result<std::vector<std::string>> TablesFrom(const IndexDefinition& definition, int64_t from_millis, int64_t to_millis) {
  if (!definition.table_template || !IsOfTimeAlone(definition)) {
    return InvalidArgument("the names of the tables of index " + definition.name + " do not follow from a time alone");
  }
  TableNames names(*definition.table_template, definition.period.steps.size());
  return NamesFrom(from_millis, to_millis, &names,
                   InvalidArgument("index " + definition.name + " can have more than " + std::to_string(kMostTables) +
                                   " tables '" + definition.table_template->text + "' in that time"));
}

}  // namespace fensi::mapping

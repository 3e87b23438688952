#include "mapping/lookup/table_names.h"

#include <algorithm>

#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

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

}  // namespace

bool IsOfTimeAlone(const IndexDefinition& definition) {
  const Part& period = definition.period;
  const auto& parts = definition.table_template->parts;
  return std::all_of(parts.begin(), parts.end(), [&](const Part& part) {
    return part.IsLiteral() ||
           (part.reference->Same(*period.reference) && BeginAlike(part, period, period.steps.size()));
  });
}

TableNames::TableNames(const Template& program, size_t first_step)
    : program_(program), first_step_(first_step), period_(kHour) {
  for (const Part& part : program_.parts) {
    if (part.IsLiteral()) continue;
    period_ = std::min(period_, ShortestPeriod(part, first_step_));
    for (const Step& step : part.steps) {
      if (const TimeZone* zone = ZoneOf(step)) zones_.push_back(zone);
    }
  }
  if (!zones_.empty()) period_ = std::min(period_, kBetweenChanges);
}

int64_t TableNames::StepAt(int64_t instant) const {
  const auto changed = [&](const TimeZone* zone) {
    return zone->OffsetSeconds(instant) != zone->OffsetSeconds(instant + period_);
  };
  return std::any_of(zones_.begin(), zones_.end(), changed) ? std::min(period_, kSecond) : period_;
}

std::string TableNames::At(int64_t instant) {
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

}  // namespace fensi::mapping

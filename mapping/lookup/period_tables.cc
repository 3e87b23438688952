#include "mapping/lookup/period_tables.h"

#include <algorithm>
#include <set>

#include "mapping/functions/time_format.h"
#include "mapping/lookup/order.h"
#include "mapping/lookup/table_names.h"
#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

// Nobody reads so many tables with one lookup, and so many HBase does not hold.
constexpr size_t kMostTables = 10'000;

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

#include "mapping/lookup/period_tables.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "mapping/functions/time_format.h"
#include "mapping/lookup/order.h"
#include "mapping/lookup/table_names.h"
#include "mapping/template/program.h"

namespace fensi::mapping {
namespace {

// Nobody reads so many tables with one lookup, and so many HBase does not hold.
constexpr size_t kMostTables = 10'000;

/// How a reader finds rows if no time selects the tables.
std::string ReadEachText(const IndexDefinition& definition) {
  const Part& first = definition.table_template->parts.front();
  return "List the tables with 'fensi tables" + (first.IsLiteral() ? " " + first.literal : "") +
         "', and read each table with 'fensi scan TABLE'";
}

std::string NamesOfMore(const IndexDefinition& definition) {
  return "the table names of index " + definition.name + " have more than a time";
}

/// The time after the steps of the period.
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
    return InvalidArgument(
        "index " + definition.name +
        " has a table per period, and --from or --to is missing. Give both, as times like 2016-12-19 or as numbers");
  }
  if (!IsOfTimeAlone(definition)) {
    return InvalidArgument(NamesOfMore(definition) + ", so --from and --to cannot select its tables. " +
                           ReadEachText(definition));
  }
  if (bounds.Empty()) return std::vector<std::string>();
  for (const Bound* bound : {&*bounds.from(), &*bounds.to()}) {
    if (NumberOrder(period, bound->step, period.steps.size()) != Direction::kNone) continue;
    return InvalidArgument("the table names '" + definition.table_template->text + "' of index " + definition.name +
                           " do not keep the order of times, so --from and --to cannot select its tables. " +
                           ReadEachText(definition));
  }
  const Result<int64_t> from = TimeOf(period, *bounds.from(), 0);
  const Result<int64_t> to = TimeOf(period, *bounds.to(), 1);
  if (!from.ok()) return from.status().WithContext("--from");
  if (!to.ok()) return to.status().WithContext("--to");
  TableNames names(*definition.table_template, period.steps.size());
  return NamesFrom(std::min(*from, *to), std::max(*from, *to), &names,
                   InvalidArgument("index " + definition.name + " can have more than " + std::to_string(kMostTables) +
                                   " tables '" + definition.table_template->text + "' between --from " + asked.from +
                                   " and --to " + asked.to + ": give a shorter time"));
}

Result<std::vector<std::string>> TablesFrom(const IndexDefinition& definition, int64_t from_millis, int64_t to_millis) {
  if (!definition.table_template || !IsOfTimeAlone(definition)) {
    return InvalidArgument(NamesOfMore(definition));
  }
  TableNames names(*definition.table_template, definition.period.steps.size());
  return NamesFrom(from_millis, to_millis, &names,
                   InvalidArgument("index " + definition.name + " can have more than " + std::to_string(kMostTables) +
                                   " tables '" + definition.table_template->text +
                                   "' within 'retention': shorten 'retention', or use a longer period"));
}

namespace {

constexpr int64_t kDay = 86'400'000;
/// Clocks of two places differ by less, as do those of one before and after they are changed.
constexpr int64_t kMostOffset = 2 * kDay;
/// Names made while a time is looked for that the text does not tell.
constexpr int64_t kMostStepsBack = 4'000'000;
/// The same right after a time that clocks never showed.
constexpr int kStepsBehindGap = 200;

/// The name as one text of `time`, as far as it is made of nothing else.
struct NameFormat {
  std::string format;
  const Arguments* clocks = nullptr;  // of one of the times
};

std::optional<NameFormat> FormatOfName(const Template& table, size_t first_step) {
  NameFormat name;
  for (const Part& part : table.parts) {
    if (part.IsLiteral()) {
      for (const char c : part.literal) name.format += c == '%' ? "%%" : std::string(1, c);
      continue;
    }
    const std::string* format = part.steps.size() == first_step ? nullptr : FormatOf(part.steps.back());
    if (format == nullptr) return std::nullopt;
    name.format += *format;
    name.clocks = &part.steps.back().arguments;
  }
  return name;
}

class EndedNames {
 public:
  EndedNames(const IndexDefinition& definition, int64_t from, int64_t to)
      : definition_(definition),
        from_(from),
        to_(to),
        names_(*definition.table_template, definition.period.steps.size()),
        whole_(FormatOfName(*definition.table_template, definition.period.steps.size())) {
    if (whole_ && TimeCanBeRead(whole_->format)) spread_ = TimesOfOneText(whole_->format);
  }

  Result<std::vector<EndedPeriod>> Among(const std::vector<std::string>& tables) {
    std::set<std::string> open;
    for (const std::string& table : tables) {
      if (MayBe(table)) open.insert(table);
    }
    Read(&open);
    WalkBack(&open);
    FENSI_RETURN_IF_ERROR(LeaveOutLater());
    std::vector<EndedPeriod> ended;
    for (const auto& [table, time] : times_) ended.push_back({table, EndOf(table, time)});
    return ended;
  }

 private:
  /// Has it digits where names have them, and else the same text?
  bool MayBe(const std::string& table) {
    if (!whole_) return MayBeMade(*definition_.table_template, table);
    const std::string name = names_.At(from_ - 1);
    const auto digit = [](char c) { return c >= '0' && c <= '9'; };
    return std::equal(name.begin(), name.end(), table.begin(), table.end(),
                      [&](char a, char b) { return a == b || (digit(a) && digit(b)); });
  }

  /// Does the text say which instant is meant?
  bool IsAbsolute() const { return spread_.unit > 0 && spread_.cycle == 0; }

  /// The times that the names themselves tell.
  void Read(std::set<std::string>* open) {
    if (!IsAbsolute()) return;
    for (auto table = open->begin(); table != open->end();) {
      const std::optional<int64_t> time = TimeIn(*table);
      if (time && *time < from_) times_[*table] = *time;
      table = time ? open->erase(table) : std::next(table);
    }
  }

  std::optional<int64_t> TimeIn(const std::string& table) {
    const std::optional<int64_t> local = ParseTime(whole_->format, table);
    if (!local) return std::nullopt;
    int64_t at = InstantOf(*whole_->clocks, *local).value_or(*local - OffsetMillis(*whole_->clocks, *local));
    for (int i = 0; i < kStepsBehindGap; ++i, at += names_.StepAt(at)) {
      // M26: the template must make exactly this name.
      if (names_.At(at) == table) return at;
    }
    return std::nullopt;
  }

  /// The newest times before the bound at which these names are made, one name after the other.
  void WalkBack(std::set<std::string>* open) {
    if (IsAbsolute()) return;
    int64_t at = from_ - 1;
    for (int64_t i = 0; i < kMostStepsBack && !open->empty() && at > kYear0Millis; ++i) {
      const auto found = open->find(names_.At(at));
      if (found != open->end()) {
        times_[*found] = at;
        open->erase(found);
      }
      at -= std::min(names_.period(), names_.StepAt(at - names_.period()));
    }
  }

  /// Those that are made again from the bound on.
  Status LeaveOutLater() {
    int64_t last = INT64_MIN;
    for (const auto& [table, time] : times_) {
      last = std::max(last, IsAbsolute() ? std::min(to_, time + spread_.unit + kMostOffset) : to_);
    }
    if (last < from_) return {};
    if ((last - from_) / names_.period() > kMostSteps) {
      return InvalidArgument("index " + definition_.name + " can have more than " + std::to_string(kMostSteps) +
                             " tables '" + definition_.table_template->text +
                             "' within 'retention': shorten 'retention', or use a longer period");
    }
    for (int64_t at = from_;; at = last - at > names_.StepAt(at) ? at + names_.StepAt(at) : last) {
      // M26: a later time has the same name, so the table is not over.
      times_.erase(names_.At(at));
      if (at == last) return {};
    }
  }

  /// The newest time from `time` on that has the name without a gap, as far as halving finds it.
  int64_t EndOf(const std::string& table, int64_t time) {
    int64_t behind = IsAbsolute() ? std::min(from_, time + spread_.unit + kMostOffset) : from_;
    while (behind - time > 1) {
      const int64_t middle = time + (behind - time) / 2;
      (names_.At(middle) == table ? time : behind) = middle;
    }
    return time;
  }

  const IndexDefinition& definition_;
  const int64_t from_, to_;
  TableNames names_;
  const std::optional<NameFormat> whole_;
  TextedTimes spread_;
  std::map<std::string, int64_t> times_;  // one of each name
};

}  // namespace

Result<std::vector<EndedPeriod>> PeriodsBefore(const IndexDefinition& definition,
                                               const std::vector<std::string>& tables, int64_t from_millis,
                                               int64_t to_millis) {
  if (!definition.table_template || !IsOfTimeAlone(definition)) {
    return InvalidArgument(NamesOfMore(definition));
  }
  return EndedNames(definition, from_millis, to_millis).Among(tables);
}

}  // namespace fensi::mapping

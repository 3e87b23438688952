#include "mapping/lookup/ended_periods.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include "mapping/functions/clocks.h"
#include "mapping/functions/time_format.h"
#include "mapping/lookup/period_tables.h"
#include "mapping/lookup/table_names.h"
#include "mapping/template/steps.h"

namespace fensi::mapping {
namespace {

constexpr int64_t kDay = 86'400'000;
/// Clocks of two places differ by less, as do those of one before and after they are changed.
constexpr int64_t kMostOffset = 2 * kDay;
/// Names made while a time is looked for that the text does not tell.
constexpr int64_t kMostStepsBack = 4'000'000;
/// The same right behind a time that clocks never showed.
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
      if (names_.At(at) == table) return at;
    }
    return std::nullopt;
  }

  /// The newest times before the bound at which these names are made, one name behind the other.
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
                             " tables '" + definition_.table_template->text + "' within 'keep'");
    }
    for (int64_t at = from_;; at = last - at > names_.StepAt(at) ? at + names_.StepAt(at) : last) {
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
    return InvalidArgument("the names of the tables of index " + definition.name + " do not follow from a time alone");
  }
  return EndedNames(definition, from_millis, to_millis).Among(tables);
}

}  // namespace fensi::mapping

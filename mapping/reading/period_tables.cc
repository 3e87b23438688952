// Which tables of an index with a table per period a reader needs for a span of time.
#include <algorithm>
#include <set>

#include "mapping/compiled_index.h"
#include "mapping/reading/instant.h"

namespace fensi::mapping {
namespace {

// Nobody reads so many tables with one lookup, and so many HBase does not hold.
constexpr size_t kMostTables = 10'000;
// A name is made for each; they take some seconds.
constexpr int64_t kMostSteps = 20'000'000;

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kHour = 60 * kMinute;

/// The shortest time for which a name stays what it is, as far as can be told from the functions that make it.
int64_t ShortestPeriod(const Part& part, size_t first_step) {
  for (size_t i = first_step; i < part.steps.size(); ++i) {
    if (part.steps[i].function == nullptr) continue;
    if (part.steps[i].function->name.starts_with("floor_")) continue;
    if (part.steps[i].function->name != "time") return kSecond;  // numbers: whole seconds are the least that is useful
    const std::string& format = part.steps[i].arguments[0].text;
    if (format.find("%L") != std::string::npos) return 1;
    if (format.find("%S") != std::string::npos) return kSecond;
    return format.find("%M") != std::string::npos ? kMinute : kHour;
  }
  return kSecond;
}

/// Names of period tables from instants; reuses its memory.
class TableNames {
 public:
  TableNames(const Template& program, size_t first_step) : program_(program), first_step_(first_step) {}

  int64_t Period() const {
    int64_t period = kHour;
    for (const Part& part : program_.parts) {
      if (!part.IsLiteral()) period = std::min(period, ShortestPeriod(part, first_step_));
    }
    return period;
  }

  std::string At(int64_t instant) {
    std::string table;
    for (const Part& part : program_.parts) {
      Value value;
      value.bytes = part.literal;
      value.number = instant;
      for (size_t i = part.IsLiteral() ? 0 : first_step_; i < part.steps.size(); ++i) {
        const Step& step = part.steps[i];
        if (step.function == nullptr) continue;
        if (step.function->apply(step.arguments, &value, &scratch_) != Outcome::kValue) break;
      }
      table += value.bytes;
    }
    scratch_.Reset();
    return table;
  }

 private:
  const Template& program_;
  const size_t first_step_;
  Scratch scratch_;
};

}  // namespace

Result<std::vector<std::string>> CompiledIndex::TablesBetween(const std::string& from, const std::string& to) const {
  if (!table_is_template()) return std::vector<std::string>{table()};
  const std::optional<int64_t> first = ParseInstant(from), end = ParseInstant(to);
  if (!first || !end || *end <= *first) {
    return InvalidArgument("index " + name() +
                           " has a table per period: give --from and --to as times like 2016-12-19");
  }
  const Template& program = *definition_.table_template;
  const bool only_time = std::all_of(program.parts.begin(), program.parts.end(), [this](const Part& part) {
    return part.IsLiteral() || part.reference->Same(*definition_.period.reference);
  });
  if (!only_time)
    return InvalidArgument("the table's name has more parts than the time: read its tables with 'fensi scan'");
  TableNames names(program, definition_.period.steps.size());
  const int64_t period = names.Period();
  const auto too_many = [&] {
    return InvalidArgument("index " + name() + ": from " + from + " to " + to + " there can be more than " +
                           std::to_string(kMostTables) + " tables '" + program.text + "': ask for a shorter time");
  };
  if ((*end - *first) / period > kMostSteps) return too_many();
  std::vector<std::string> tables;
  std::set<std::string> known;
  // The last instant is asked, too: its period may have begun after the last whole step.
  for (int64_t at = *first; at < *end; at = at < *end - 1 ? std::min(at + period, *end - 1) : *end) {
    std::string table = names.At(at);
    if (!tables.empty() && tables.back() == table) continue;
    if (!known.insert(table).second) continue;
    if (tables.size() == kMostTables) return too_many();
    tables.push_back(std::move(table));
  }
  return tables;
}

}  // namespace fensi::mapping

#include "operations/alias/proof.h"

#include <nlohmann/json.hpp>
#include <optional>

#include "base/text.h"
#include "operations/access/position.h"
#include "operations/repair/report_targets.h"

namespace fensi::operations {
namespace {

using nlohmann::json;

constexpr int64_t kOldestMillis = 24 * int64_t{3'600'000};
constexpr int64_t kClocksDiffer = 60'000;

struct Ends {
  json first, summary;
};

/// Reads a report that was checked as complete; a file that changed meanwhile has none.
Result<Ends> EndsOf(const std::string& path) {
  const auto lines = consumer::LineReader::Open(path);
  FENSI_RETURN_IF_ERROR(lines.status());
  std::string first, last;
  consumer::LineReader::Line line;
  while ((*lines)->Next(true, &line) == consumer::LineReader::Outcome::kLine) {
    (first.empty() ? first : last) = line.text;
  }
  Ends ends{json::parse(first, nullptr, false), json::parse(last, nullptr, false)};
  if (ends.first.is_object() && ends.summary.is_object()) return ends;
  return Status(StatusCode::kConfiguration,
                path + " is not a whole report. Write a new report: 'fensi verify MAPPING INDEX --report FILE'");
}

/// One that is no number is a reason to doubt.
int64_t NumberOf(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_number_integer() ? found->get<int64_t>() : INT64_MAX;
}

std::string WordOf(const json& object, const char* key) {
  const auto found = object.find(key);
  return found != object.end() && found->is_string() ? found->get<std::string>() : "";
}

/// Milliseconds since the epoch, to the second.
std::optional<int64_t> BeganAt(const json& first) {
  constexpr size_t kSeconds = sizeof("2026-01-31T12:00:00") - 1;
  const Result<Position> began = ParsePosition(WordOf(first, "began").substr(0, kSeconds));
  return began.ok() && began->kind == Position::Kind::kTime ? std::optional(began->value) : std::nullopt;
}

/// `again`: the sentence that says how to write a new report.
std::string FaultOf(const Ends& ends, bool found_any, int64_t now, const std::string& again) {
  if (found_any) {
    return "the report has differences or undecided rows. Repair them with 'fensi repair MAPPING INDEX --from_report "
           "FILE --execute', then verify again: " +
           again;
  }
  for (const char* part : {"start_row", "stop_row", "sample"}) {
    // M22: the report must prove the whole index.
    if (ends.first.contains(part))
      return std::string("the report covers only a part of the rows (") + part + "). Verify all rows: " + again;
  }
  if (WordOf(ends.first, "direction") != "both")
    return "the report covers one direction only. Verify both directions: " + again;
  if (ends.summary.contains("younger") && NumberOf(ends.summary, "younger") != 0) {
    return "the report leaves out cells that are younger than its --as_of. Verify without --as_of: " + again;
  }
  for (const char* count : {"missing", "orphan", "content_differs", "undecided", "unattributed"}) {
    if (NumberOf(ends.summary, count) != 0)
      return std::string("the summary of the report does not have 0 for \"") + count + "\". Verify again: " + again;
  }
  const std::optional<int64_t> began = BeganAt(ends.first);
  if (!began) return "the first line of the report lacks \"began\". Verify again: " + again;
  if (*began > now + kClocksDiffer)
    return "the report began in the future. Compare the clocks of this machine and of the machine that ran 'fensi "
           "verify', and correct the wrong clock (NTP)";
  // M22: the report must be of the last day.
  return now - *began > kOldestMillis ? "the report is older than a day. Verify again: " + again : "";
}

}  // namespace

Result<Proof> ReadProof(const std::string& path, const mapping::Index& index, const std::string& incarnation,
                        int64_t now_millis) {
  const auto report = ReportTargets::Open(path, {&index, incarnation, false});
  FENSI_RETURN_IF_ERROR(report.status());
  bool found_any = false;
  FENSI_RETURN_IF_ERROR((*report)->ForEach([&](const Target&) {
    found_any = true;
    return Status();
  }));
  FENSI_ASSIGN_OR_RETURN(const Ends ends, EndsOf(path));
  const std::string again = "'fensi verify MAPPING " + index.name() + " --report FILE'";
  const std::string fault = FaultOf(ends, found_any, now_millis, again);
  if (!fault.empty()) return Proof{"report " + path + " does not prove that the whole index is right: " + fault, ""};
  return Proof{"", "verified " + WordOf(ends.first, "began") + ": nothing differs among " +
                       Counted(NumberOf(ends.summary, "rows"), "source row")};
}

}  // namespace fensi::operations

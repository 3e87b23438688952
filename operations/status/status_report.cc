#include "operations/status/status_report.h"

#include <chrono>

#include "base/clock.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"
#include "operations/status/standing.h"
#include "operations/status/status_text.h"

namespace fensi::operations {
namespace {

constexpr std::chrono::seconds kLongestAnswer{3};

void PrintDaemonsJson(const Daemons& daemons) {
  for (const Daemon& daemon : daemons.answered) {
    nlohmann::ordered_json line = {{"daemon", daemon.place}};
    line.update(daemon.status);
    Print(JsonLine(line));
  }
}

/// True if an index needs a person; says why.
bool AnyTrouble(const Standings& standings, int64_t max_lag_s) {
  bool any = false;
  for (const IndexStanding& index : standings.indexes) {
    any = any || index.Stopped() || index.mismatch;
    const std::string late = max_lag_s > 0 ? WhyLate(index, max_lag_s) : "";
    if (late.empty()) continue;
    Say("index " + index.name + " is late: " + late);
    any = true;
  }
  return any;
}

}  // namespace

Result<bool> ReportDaemons(const DaemonsOptions& asked, const StatusReportOptions& options) {
  FENSI_ASSIGN_OR_RETURN(const Daemons daemons, AskDaemons(asked, kLongestAnswer));
  return ReportAnswers(daemons, !asked.places.empty(), options);
}

Result<bool> ReportAnswers(const Daemons& daemons, bool named, const StatusReportOptions& options) {
  FENSI_ASSIGN_OR_RETURN(const Standings standings, StandingsOf(daemons.answered));
  if (options.json) {
    PrintDaemonsJson(daemons);
  } else {
    Print(StatusText(standings));
  }
  const bool trouble = AnyTrouble(standings, options.max_lag_s);
  for (const Status& fault : daemons.faults) Say(fault.message());
  if (!named) FENSI_RETURN_IF_ERROR(CheckAnyRuns(daemons));
  if (!named || daemons.faults.empty()) return trouble;
  return Status(
      daemons.faults.front().code(),
      std::to_string(daemons.faults.size()) + " of the daemons that were named did not report a status (see above)");
}

Result<bool> ReportGroups(const std::vector<std::string>& paths, const GroupLookOptions& look,
                          const StatusReportOptions& options) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<GroupStanding> groups, LookAtGroups(paths, look));
  return ReportStandings(groups, options, SystemClock()->WallMillis());
}

bool ReportStandings(const std::vector<GroupStanding>& groups, const StatusReportOptions& options, int64_t now) {
  if (!options.json) Print(GroupsText(groups, now));
  bool trouble = false;
  for (const GroupStanding& group : groups) {
    if (options.json) Print(JsonLine(GroupJson(group, now)));
    const std::string why = WhyInTrouble(group, options.max_lag_s, now);
    if (why.empty()) continue;
    Say("index " + group.index + ": " + why);
    trouble = true;
  }
  return trouble;
}

}  // namespace fensi::operations

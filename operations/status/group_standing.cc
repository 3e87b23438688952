#include "operations/status/group_standing.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/shown_text.h"
#include "base/text.h"
#include "operations/access/position.h"
#include "operations/json/json_line.h"
#include "operations/status/standing.h"
#include "operations/status/status_text.h"

namespace fensi::operations {
namespace {

using nlohmann::ordered_json;

constexpr auto kOpen = static_cast<size_t>(LetterState::kOpen);

std::string PartitionsBehind(const GroupStanding& group, int64_t now) {
  constexpr size_t kMostShown = 10;
  std::string text;
  size_t behind = 0;
  for (size_t i = 0; i < group.partitions.size(); ++i) {
    const GroupPartition& each = group.partitions[i];
    if (each.Behind() == 0 || ++behind > kMostShown) continue;
    const std::optional<double> age =
        each.next_time ? std::optional(static_cast<double>(std::max<int64_t>(0, now - *each.next_time)) / 1000)
                       : std::nullopt;
    text += "  " + Escape(group.index) + ": partition " + std::to_string(i) + ": " + Counted(each.Behind(), "event") +
            " behind, the oldest " + AgeText(age) + "\n";
  }
  if (behind <= kMostShown) return text;
  const std::string more = Counted(static_cast<int64_t>(behind - kMostShown), "partition");
  return text + "  " + Escape(group.index) + ": " + more + " more behind, which --json shows\n";
}

std::string KindsOf(const GroupStanding& group) {
  std::string text;
  for (const auto& [kind, counts] : group.letters) {
    if (counts[kOpen] > 0) text += (text.empty() ? "" : ", ") + WithCommas(counts[kOpen]) + " " + kind;
  }
  return text;
}

std::string GroupDetails(const GroupStanding& group, int64_t now) {
  const std::string begin = "  " + Escape(group.index) + ": ";
  std::string text;
  for (const std::string& fault : group.faults) text += begin + SanitizeForTerminal(fault) + "\n";
  if (!group.paused.empty()) text += begin + "paused: " + Escape(group.paused) + "\n";
  if (!group.phase.empty()) {
    text += begin + "phase " + group.phase +
            (group.complete ? ", complete to " + TimeText(*group.complete) : ", no watermark") + "\n";
  }
  if (group.OpenLetters() > 0)
    text += begin + "dead letters: " + KindsOf(group) + "; 'fensi dead-letters list' has more\n";
  return text + PartitionsBehind(group, now);
}

StatusLine GroupLine(const GroupStanding& group, int64_t now) {
  return {Escape(group.index),
          group.State(),
          std::to_string(group.members),
          std::to_string(group.partitions.size()),
          WithCommas(group.EventsBehind()),
          AgeText(group.SecondsBehind(now)),
          group.complete ? TimeText(*group.complete) : "-",
          WithCommas(group.OpenLetters())};
}

}  // namespace

int64_t GroupPartition::Behind() const {
  return std::max<int64_t>(0, log_end - std::max(log_start, committed.value_or(log_start)));
}

int64_t GroupStanding::EventsBehind() const {
  int64_t events = 0;
  for (const GroupPartition& each : partitions) events += each.Behind();
  return events;
}

std::optional<double> GroupStanding::SecondsBehind(int64_t now) const {
  double most = 0;
  for (const GroupPartition& each : partitions) {
    if (each.Behind() == 0) continue;
    if (!each.next_time) return std::nullopt;
    most = std::max(most, static_cast<double>(now - *each.next_time) / 1000);
  }
  return most;
}

int64_t GroupStanding::OpenLetters() const {
  int64_t open = 0;
  for (const auto& [kind, counts] : letters) open += counts[kOpen];
  return open;
}

std::string GroupStanding::State() const {
  if (!faults.empty()) return "misconfigured";
  if (!begun) return "new";
  if (!paused.empty()) return "paused";
  if (mismatch) return "mismatch";
  return members > 0 ? "running" : "unassigned";
}

std::string GroupsText(const std::vector<GroupStanding>& groups, int64_t now) {
  std::vector<StatusLine> lines = {
      {"INDEX", "STATE", "MEMBERS", "PARTITIONS", "BEHIND", "OLDEST", "COMPLETE TO", "DEAD LETTERS"}};
  for (const GroupStanding& group : groups) lines.push_back(GroupLine(group, now));
  std::string text = StatusTable(lines);
  for (const GroupStanding& group : groups) text += GroupDetails(group, now);
  return text;
}

ordered_json GroupJson(const GroupStanding& group, int64_t now) {
  ordered_json json = {{"index", group.index},
                       {"state", group.State()},
                       {"topic", group.topic},
                       {"group", group.group},
                       {"group_state", group.group_state},
                       {"members", group.members},
                       {"lag_records", group.EventsBehind()},
                       {"lag_seconds", OrNull(group.SecondsBehind(now))}};
  if (!group.paused.empty()) json["paused"] = group.paused;
  json["mismatch"] = group.mismatch;
  json["phase"] = group.phase.empty() ? ordered_json() : ordered_json(group.phase);
  json["complete_ms"] = OrNull(group.complete);
  json["dead_letters"] = ordered_json::object();
  for (const auto& [kind, counts] : group.letters) {
    for (size_t i = 0; i < counts.size(); ++i) json["dead_letters"][kind][kLetterStateNames[i]] = counts[i];
  }
  json["partitions"] = ordered_json::array();
  for (size_t i = 0; i < group.partitions.size(); ++i) {
    const GroupPartition& each = group.partitions[i];
    json["partitions"].push_back({{"partition", i},
                                  {"committed", OrNull(each.committed)},
                                  {"log_end", each.log_end},
                                  {"lag_records", each.Behind()},
                                  {"next_ms", OrNull(each.next_time)}});
  }
  json["faults"] = group.faults;
  return json;
}

std::string WhyInTrouble(const GroupStanding& group, int64_t most_seconds, int64_t now) {
  if (!group.faults.empty()) return group.faults.front();
  if (group.mismatch)
    return "its table was dropped and created again, and no comparison of all rows was clean since. Run 'fensi verify "
           "MAPPING " +
           group.index + "'";
  if (group.State() == "unassigned") return "no daemon has the index: start 'fensi run'";
  if (most_seconds == 0) return "";
  return WhyBehind(group.SecondsBehind(now), most_seconds);
}

}  // namespace fensi::operations

#include "indexer/marks/mark_rule.h"

#include <algorithm>
#include <utility>

namespace fensi::indexer {

const char* BasisName(MarkBasis basis) {
  switch (basis) {
    case MarkBasis::kMarkers:
      return "markers";
    case MarkBasis::kProducer:
      return "producer";
    case MarkBasis::kNone:
      break;
  }
  return "none";
}

std::string BulkLoadsText(const std::vector<consumer::Mark>& marks) {
  using BulkLoads = consumer::Mark::BulkLoads;
  std::string text;
  for (const consumer::Mark& mark : marks) {
    if (mark.bulk_loads == BulkLoads::kReported) text = "reported";
    if (mark.bulk_loads == BulkLoads::kNotReported) text = "not reported";
  }
  return text;
}

void MarkRule::Meet(const consumer::Mark& mark) {
  if (!mark.members.empty() && mark.members_time > members_time_) MeetMembers(mark);
  for (const consumer::Mark::Call& call : mark.calls) MeetCall(call);
  by_producer_ = std::max(by_producer_, mark.complete_to);
}

/// Forgets servers that are no members any more: their last change is in the stream. A server that returns starts
/// without knowledge.
void MarkRule::MeetMembers(const consumer::Mark& mark) {
  members_time_ = mark.members_time;
  std::map<std::string, int64_t, std::less<>> members;
  for (const std::string& member : mark.members) {
    const auto known = members_.find(member);
    members.emplace(member, known == members_.end() ? mark.members_time : known->second);
  }
  members_ = std::move(members);
  std::erase_if(servers_, [this](const auto& known) { return !members_.contains(known.first); });
}

void MarkRule::MeetCall(const consumer::Mark::Call& call) {
  auto known = servers_.find(call.server);
  if (known == servers_.end()) {
    // Forgetting a marker only delays the watermark.
    if (!members_.contains(call.server) && servers_.size() >= members_.size() + kMostStrangers) return;
    servers_.emplace(call.server, Server{.newest = call.last, .complete = {}});
    return;
  }
  Server& server = known->second;
  // M20: a newer first marker proves that all before the marker that was received last is here. A change of the same
  // millisecond may have been logged after that marker.
  if (call.first > server.newest) server.complete = server.newest - 1;
  server.newest = std::max(server.newest, call.last);
}

std::optional<int64_t> MarkRule::complete_to() const {
  if (basis() == MarkBasis::kMarkers) return CompleteByMarkers();
  return by_producer_ > 0 ? std::optional(by_producer_) : std::nullopt;
}

/// M20: the minimum over all members. A server that was no member when the members were read started later.
std::optional<int64_t> MarkRule::CompleteByMarkers() const {
  int64_t complete = members_time_ - skew_ - 1;
  for (const auto& [member, since] : members_) {
    const auto server = servers_.find(member);
    // M20: a member that sent no markers yet may still have changes.
    if (server == servers_.end() || !server->second.complete) return std::nullopt;
    complete = std::min(complete, *server->second.complete);
  }
  return complete > 0 ? std::optional(complete) : std::nullopt;
}

std::optional<MarkRule::Silent> MarkRule::silent() const {
  const int64_t now = CompleteByClocks();
  std::optional<Silent> silent;
  for (const auto& [member, since] : members_) {
    const auto server = servers_.find(member);
    const int64_t millis = now - (server == servers_.end() ? since : server->second.newest);
    if (millis > kSilence && (!silent || millis > silent->millis)) silent = {member, millis};
  }
  return silent;
}

std::string MarkRule::TextOf(const Silent& silent) {
  return "no replication marker of region server " + silent.server + " for " + std::to_string(silent.millis / 1000) +
         " s, so the watermark does not advance. If the server has regions, set "
         "hbase.regionserver.replication.marker.enabled to true on it";
}

/// The newest time that two clocks confirm, because one clock may be ahead. With one server only, the captures' clock
/// counts.
int64_t MarkRule::CompleteByClocks() const {
  int64_t newest = members_time_, second = 0;
  for (const auto& [name, server] : servers_) {
    second = std::max(second, std::min(newest, server.newest));
    newest = std::max(newest, server.newest);
  }
  return servers_.size() > 1 ? second : newest;
}

MarkBasis MarkRule::basis() const {
  // Where a capture writes, no other producer has the whole stream.
  if (!members_.empty() || !servers_.empty()) return MarkBasis::kMarkers;
  return by_producer_ > 0 ? MarkBasis::kProducer : MarkBasis::kNone;
}

}  // namespace fensi::indexer

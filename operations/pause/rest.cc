#include "operations/pause/rest.h"

#include "base/clock.h"

namespace fensi::operations {
namespace {

constexpr std::chrono::seconds kForAnAnswer{3};
constexpr std::chrono::milliseconds kLook{200};

/// A daemon's state of the index; empty: it has none of that name.
std::string StateAt(const Daemon& daemon, const std::string& index) {
  const auto indexes = daemon.status.find("indexes");
  if (indexes == daemon.status.end() || !indexes->is_array()) return "";
  for (const nlohmann::ordered_json& each : *indexes) {
    if (each.is_object() && each.value("name", "") == index) return each.value("state", "");
  }
  return "";
}

}  // namespace

Result<std::string> WhoMayWork(const Daemons& daemons, const std::string& index) {
  if (!daemons.faults.empty()) return daemons.faults.front().message();
  bool any = false;
  for (const Daemon& daemon : daemons.answered) {
    const std::string state = StateAt(daemon, index);
    // One that waits for partitions has not heard of the pause: it would be paused.
    const bool works = state == "running" || state == "starting" || state == "waiting" || state == "mismatch";
    if (works) return "the daemon at " + daemon.place + " has the index in state '" + state + "'";
    any = any || !state.empty();
  }
  if (any) return std::string();
  return Status(StatusCode::kUnavailable, "index " + index +
                                              ": the pause is requested, not confirmed, because no daemon that was "
                                              "asked has the index. Name the daemons of the index with "
                                              "--daemon=ADDRESS:PORT");
}

Status AwaitRest(const std::string& index, const DaemonsOptions& options, std::chrono::seconds longest) {
  const auto until = SystemClock()->MonotonicNow() + longest;
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const Daemons daemons, AskDaemons(options, kForAnAnswer));
    FENSI_ASSIGN_OR_RETURN(const std::string works, WhoMayWork(daemons, index));
    if (works.empty()) return {};
    if (SystemClock()->MonotonicNow() >= until) {
      return Status(StatusCode::kCancelled, "index " + index + ": the pause is requested, not confirmed after " +
                                                std::to_string(longest.count()) + " s, because " + works +
                                                ". Run 'fensi status' until it shows the state 'paused'");
    }
    SystemClock()->Sleep(kLook);
  }
}

}  // namespace fensi::operations

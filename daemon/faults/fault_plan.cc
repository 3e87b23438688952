#include "daemon/faults/fault_plan.h"

#include <unistd.h>

#include <algorithm>

#include "base/clock.h"
#include "base/text.h"

namespace fensi::daemon {
namespace {

constexpr std::string_view kCalls[] = {"put",  "state", "delete", "get",   "scan", "describe",
                                       "next", "begin", "done",   "close", "fence"};
constexpr std::string_view kDelay = "delay:";

/// From 1 on.
std::optional<int64_t> ParseCount(std::string_view text) {
  const auto number = ParseWhole<int64_t>(text);
  return number && *number > 0 ? number : std::nullopt;
}

}  // namespace

void FaultPlan::ExitHere(const std::string& where) const {
  if (tell_) tell_("fault: the process ends " + where);
  _exit(FaultPlan::kExitCode);
}

Result<std::shared_ptr<FaultPlan>> FaultPlan::Parse(const std::string& text, Tell tell) {
  auto plan = std::make_shared<FaultPlan>();
  plan->tell_ = std::move(tell);
  for (const std::string& part : SplitList(text)) {
    FENSI_ASSIGN_OR_RETURN(Fault fault, ParseFault(part));
    plan->faults_.push_back(std::move(fault));
  }
  return plan;
}

Result<FaultPlan::Fault> FaultPlan::ParseFault(const std::string& text) {
  const auto bad = [&text](const std::string& why) {
    return Status(StatusCode::kInvalidArgument,
                  "fault '" + text + "' " + why + ". Write CALL:N=ACTION, such as put:1=fail");
  };
  const size_t colon = text.find(':');
  const size_t equals = text.find('=');
  if (colon == std::string::npos || equals == std::string::npos || equals < colon)
    return bad("has no ':' before a '='");
  Fault fault{.call = text.substr(0, colon)};
  if (std::find(std::begin(kCalls), std::end(kCalls), fault.call) == std::end(kCalls))
    return bad("names an unknown call (known: " +
               Joined(std::vector<std::string>(std::begin(kCalls), std::end(kCalls))) + ")");
  const std::string number = text.substr(colon + 1, equals - colon - 1);
  fault.number = ParseCount(number);
  if (number != "*" && !fault.number) return bad("needs a number N from 1 on, or *");
  if (!ParseAction(text.substr(equals + 1), &fault)) {
    return bad("names no known action (known: fail, lose, delay:MS, exit_before, exit_after)");
  }
  return fault;
}

bool FaultPlan::ParseAction(const std::string& text, Fault* fault) {
  if (text.starts_with(kDelay)) {
    const auto milliseconds = ParseCount(std::string_view(text).substr(kDelay.size()));
    fault->action = Action::kDelay;
    fault->delay = std::chrono::milliseconds(milliseconds.value_or(0));
    return milliseconds.has_value();
  }
  constexpr std::pair<std::string_view, Action> kNames[] = {{"fail", Action::kFail},
                                                            {"lose", Action::kLose},
                                                            {"exit_before", Action::kExitBefore},
                                                            {"exit_after", Action::kExitAfter}};
  for (const auto& [name, action] : kNames) {
    if (name != text) continue;
    fault->action = action;
    return true;
  }
  return false;
}

std::vector<FaultPlan::Fault> FaultPlan::Due(std::string_view call) {
  const MutexLock lock(mu_);
  auto count = counts_.find(call);
  if (count == counts_.end()) count = counts_.emplace(call, 0).first;
  ++count->second;
  std::vector<Fault> due;
  for (const Fault& fault : faults_) {
    if (fault.call == call && fault.number.value_or(count->second) == count->second) due.push_back(fault);
  }
  return due;
}

FaultPlan::Fate FaultPlan::Enter(std::string_view call) {
  Fate fate;
  for (const Fault& fault : Due(call)) {
    const std::string what = std::string(call) + (fault.number ? " " + std::to_string(*fault.number) : "");
    switch (fault.action) {
      case Action::kFail:
        fate.before = Status(StatusCode::kUnavailable, "fault: " + what + " fails");
        break;
      case Action::kLose:
        fate.after = Status(StatusCode::kUnavailable, "fault: " + what + " loses its reply");
        break;
      case Action::kDelay:
        SystemClock()->Sleep(fault.delay);
        break;
      case Action::kExitBefore:
        ExitHere("before " + what);
      case Action::kExitAfter:
        fate.exit_after = true;
        break;
    }
  }
  return fate;
}

Status FaultPlan::Leave(const Fate& fate) const {
  if (fate.exit_after) ExitHere("after a call");
  return fate.after;
}

}  // namespace fensi::daemon

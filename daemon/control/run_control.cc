#include "daemon/control/run_control.h"

#include <chrono>
#include <exception>
#include <nlohmann/json.hpp>
#include <string>

#include "base/clock.h"
#include "base/who.h"
#include "daemon/sources/sources.h"
#include "operations/access/position.h"
#include "operations/json/json_line.h"

namespace fensi::daemon {
namespace {

using admin::Verdict;
using admin::Wish;
using std::chrono::milliseconds;

constexpr milliseconds kLimit{10'000};  // of all of a wish
constexpr milliseconds kApplyPoll{50};

Verdict Refused(int status, const std::string& words) { return {status, operations::JsonLine({{"error", words}})}; }

}  // namespace

Verdict NotChanged(const std::string& index, const Status& why) {
  const std::string cause = why.words().open();
  if (why.code() != StatusCode::kUnavailable)
    return Refused(500, "the pause of index " + index + " is not changed: " + cause);
  return Refused(503, "the store did not confirm the change in time, and may still apply it (" + cause +
                          "). Check the state of index " + index + " with 'fensi status', then try again");
}

RunControl::RunControl(const IndexRunList& runs, Options options, Reload reload)
    : runs_(runs), options_(std::move(options)), reload_(std::move(reload)), thread_([this] { Work(); }) {}

RunControl::~RunControl() { End(); }

void RunControl::End() {
  {
    const MutexLock lock(mu_);
    ending_ = true;
    changed_.notify_all();
  }
  if (thread_.joinable()) thread_.join();
}

bool RunControl::ending() {
  const MutexLock lock(mu_);
  return ending_;
}

bool RunControl::Try(Wish wish, const Done& done) {
  const MutexLock lock(mu_);
  if (busy_ || ending_) return false;
  busy_ = true;
  asked_.emplace(std::move(wish), done);
  changed_.notify_all();
  return true;
}

void RunControl::Carry(Wish wish, Done done) {
  if (!Try(std::move(wish), done))
    done(Refused(409, "this daemon carries out another change now. Try again in a few seconds"));
}

void RunControl::Work() {
  while (true) {
    std::pair<Wish, Done> asked;
    {
      MutexLock lock(mu_);
      const auto due = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return ending_ || asked_.has_value(); };
      while (!due()) changed_.wait(lock);
      if (ending_) return;
      asked = std::move(*asked_);
      asked_.reset();
    }
    Verdict verdict;
    try {
      verdict = Do(asked.first);
    } catch (const std::exception& fault) {
      verdict = Refused(500, "the request failed: " + InternalError(fault).message());
    }
    {
      const MutexLock lock(mu_);
      busy_ = false;
    }
    asked.second(std::move(verdict));
  }
}

Verdict RunControl::Do(const Wish& wish) {
  return wish.kind == Wish::Kind::kReload ? reload_([this] { return ending(); }) : DoPause(wish);
}

Verdict RunControl::DoPause(const Wish& wish) {
  if (options_.ends) return Refused(409, std::string(kRunHasEnd) + ", and cannot be paused. Stop the process instead");
  const bool pauses = wish.kind == Wish::Kind::kPause;
  const std::string fault = pauses ? options_.fault_of_reason(wish.reason) : "";
  if (!fault.empty()) return Refused(400, fault);
  for (const auto& run : runs_.all()) {
    if (run->name() != wish.index) continue;
    if (run->ended())
      return Refused(409, "index " + wish.index +
                              " has stopped. The event index_stopped in the log of this process has the cause. "
                              "Remove the cause, then enter 'fensi reload', or restart the process");
    if (!run->reached()) return Refused(409, "index " + wish.index + " has not begun yet. Try again in a few seconds");
    return Change(run.get(), !pauses ? ""
                                     : WhoIsAtWork() + " by HTTP, " +
                                           operations::TimeText(SystemClock()->WallMillis()) + ": " + wish.reason);
  }
  return Refused(404, "this process does not run index '" + wish.index + "'. 'fensi status' lists its indexes");
}

/// Written is not yet applied: each daemon reads it every few seconds, and finishes what it has in flight.
Verdict RunControl::Change(IndexRun* run, const std::string& words) {
  const milliseconds end = SystemClock()->MonotonicNow() + kLimit;
  const auto late = [&] { return ending() || SystemClock()->MonotonicNow() > end; };
  const Status written = run->SetPause(
      words, [&] { return late() ? Status(StatusCode::kUnavailable, "the store did not answer in time") : Status(); });
  if (!written.ok()) return NotChanged(run->name(), written);
  const auto applied = [&] { return words.empty() ? run->paused().empty() : run->state() == std::string("paused"); };
  while (!applied() && !late()) SystemClock()->Sleep(kApplyPoll);
  nlohmann::ordered_json json = {{"index", run->name()}};
  json["paused"] = words;
  json["applied"] = applied();
  return {200, operations::JsonLine(json)};
}

}  // namespace fensi::daemon

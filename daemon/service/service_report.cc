#include "daemon/service/service_report.h"

#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>

#include "base/text.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kPeriod{1'000};

/// Absent, or no number: 0.
int64_t NumberOf(const char* variable) {
  const char* const value = std::getenv(variable);
  return value == nullptr ? 0 : ParseWhole<int64_t>(value).value_or(0);
}

/// Four signs of life in the time of one.
milliseconds PeriodOf(milliseconds watchdog) {
  if (watchdog.count() == 0) return kPeriod;
  return std::clamp(watchdog / 4, milliseconds(1), kPeriod);
}

/// "index a: what it waits for; index b: …", in one line; empty: all is as it should be.
std::string FaultsOf(const std::vector<admin::Check>& checks) {
  constexpr size_t kMost = 500;
  std::string text;
  for (const admin::Check& check : checks) {
    if (check.fault.empty()) continue;
    if (text.size() > kMost) return text + "; …";
    if (!text.empty()) text += "; ";
    text += check.name + ": " + check.fault;
  }
  std::replace(text.begin(), text.end(), '\n', ' ');
  return text;
}

}  // namespace

ServiceManager ManagerOfEnvironment() {
  ServiceManager manager;
  if (const char* const socket = std::getenv("NOTIFY_SOCKET"); socket != nullptr) manager.socket = socket;
  const int64_t watched = NumberOf("WATCHDOG_PID");
  // The variables were for whoever started us, and are not for us.
  if (watched != 0 && watched != getpid()) return manager;
  manager.watchdog = milliseconds(std::max<int64_t>(NumberOf("WATCHDOG_USEC"), 0) / 1000);
  return manager;
}

ServiceReport::ServiceReport(const admin::StatusSource* source, Clock* clock, const ServiceManager& manager)
    : source_(source),
      clock_(clock),
      socket_(manager.socket),
      watched_(manager.watchdog.count() > 0),
      period_(PeriodOf(manager.watchdog)) {}

std::string ServiceReport::Progress(bool waits, bool healthy) const {
  if (ready_) return "";
  if (!waits) return "READY=1\n";
  // More than the time between two of these.
  return healthy ? "EXTEND_TIMEOUT_USEC=30000000\n" : "";
}

void ServiceReport::Tick() {
  const milliseconds now = clock_->MonotonicNow();
  if (!socket_.wanted() || now < next_) return;
  next_ = now + period_;
  const bool healthy = FaultsOf(source_->Health()).empty();
  std::string message;
  std::string status = told_;
  bool waits = true;
  if (!stopping_) {
    const std::string faults = FaultsOf(source_->Readiness());
    waits = !faults.empty();
    status = waits ? "waits: " + faults : "ready";
    message = Progress(waits, healthy);
    if (status != told_) message += "STATUS=" + status + "\n";
  }
  if (watched_ && healthy) message += "WATCHDOG=1\n";
  if (message.empty() || !socket_.Send(message)) return;
  ready_ = ready_ || !waits;
  told_ = status;
}

void ServiceReport::NoteReady() {
  if (!ready_) ready_ = socket_.Send("READY=1\n");
}

void ServiceReport::NoteStop() {
  stopping_ = true;
  socket_.Send("STOPPING=1\nSTATUS=finishing the events in flight\n");
}

}  // namespace fensi::daemon

// Counts the calls to one server and their results, for metrics and health.
//
// Thread-safe.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <string>

#include "base/histogram.h"
#include "base/mutex.h"

namespace fensi::hbase {

struct ServerCounts {
  int64_t calls = 0;       // that were sent
  int64_t unanswered = 0;  // of these: the connection ended, or the deadline passed
  int64_t retries = 0;     // calls that repeat an unfinished one
  int64_t in_flight = 0;
  int64_t waiting = 0;                    // for another call to be answered
  std::map<std::string, int64_t> errors;  // by the name of the class
  std::string trouble;                    // why the last call had no answer; empty: it had one
  std::chrono::milliseconds trouble_age{0};
  Histogram::Snapshot latency;
};

class ServerStats {
 public:
  void Sent() { ++calls_; }
  void Repeated() { ++retries_; }
  void Unanswered() { ++unanswered_; }
  void InFlight(int64_t change) { in_flight_ += change; }
  void Waiting(int64_t change) { waiting_ += change; }
  void Answered(double seconds) {
    latency_.Observe(seconds);
    if (!is_troubled_) return;
    const MutexLock lock(mu_);
    is_troubled_ = false;
    trouble_.clear();
  }
  void Failed(const std::string& exception_class) {
    const MutexLock lock(mu_);
    ++errors_[exception_class];
  }
  /// A call was not answered, or could not be sent.
  void Troubled(const std::string& why) {
    const MutexLock lock(mu_);
    is_troubled_ = true;
    trouble_ = why;
    troubled_at_ = Clock::now();
  }

  ServerCounts counts() const {
    const MutexLock lock(mu_);
    const auto age = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - troubled_at_);
    return {calls_, unanswered_, retries_, in_flight_, waiting_, errors_, trouble_, age, latency_.snapshot()};
  }

 private:
  using Clock = std::chrono::steady_clock;

  std::atomic<int64_t> calls_ = 0, unanswered_ = 0, retries_ = 0, in_flight_ = 0, waiting_ = 0;
  Histogram latency_{Histogram::kOfCalls};
  mutable Mutex mu_;
  std::map<std::string, int64_t> errors_ ABSL_GUARDED_BY(mu_);
  std::atomic<bool> is_troubled_ = false;
  std::string trouble_ ABSL_GUARDED_BY(mu_);
  Clock::time_point troubled_at_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::hbase

// Counts the calls to one server and their results, for metrics and health.
//
// Thread-safe.
#pragma once

#include <atomic>
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
  std::string last_fault;                 // why the last connection failed or ended; empty: it is up
  Histogram::Snapshot latency;
};

class ServerStats {
 public:
  void Sent() { ++calls_; }
  void Repeated() { ++retries_; }
  void Unanswered() { ++unanswered_; }
  void InFlight(int64_t change) { in_flight_ += change; }
  void Waiting(int64_t change) { waiting_ += change; }
  void Answered(double seconds) { latency_.Observe(seconds); }
  void Failed(const std::string& exception_class) {
    const MutexLock lock(mu_);
    ++errors_[exception_class];
  }
  void Connected() {
    const MutexLock lock(mu_);
    last_fault_.clear();
  }
  void Disconnected(const std::string& why) {
    const MutexLock lock(mu_);
    last_fault_ = why;
  }

  ServerCounts counts() const {
    const MutexLock lock(mu_);
    return {calls_, unanswered_, retries_, in_flight_, waiting_, errors_, last_fault_, latency_.snapshot()};
  }

 private:
  std::atomic<int64_t> calls_ = 0, unanswered_ = 0, retries_ = 0, in_flight_ = 0, waiting_ = 0;
  Histogram latency_{Histogram::kOfCalls};
  mutable Mutex mu_;
  std::map<std::string, int64_t> errors_ ABSL_GUARDED_BY(mu_);
  std::string last_fault_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::hbase

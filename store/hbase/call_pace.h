// How large the calls of one kind to one table may be, so that one takes a fraction of a second.
//
// Far from the gateway a call is mostly waiting, so that few large ones are better; of a slow table, or one whose calls
// fail, small ones are. Nobody can know beforehand: the pace follows from what calls took. What always holds: never
// below the fewest, which always were taken; after a call of n that says something, at most 2 n; after one that failed,
// at most half of it for a minute, or longer where it is not the first of its size to fail, and never more by a call
// that began before the failure. Thread-safe.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"

namespace fensi::store {

class CallPace {
 public:
  static constexpr std::chrono::milliseconds kLongest{250};  // what a call should take at most
  static constexpr std::chrono::minutes kCaution{1}, kMostCaution{60};

  struct Bounds {
    size_t fewest = 1;
    size_t most = 1;
  };

  /// The clock must outlive it.
  CallPace(const Bounds& bounds, Clock* clock) : bounds_(bounds), clock_(clock), units_(bounds.fewest) {}

  /// Of the next call.
  size_t units() const;

  /// Makes a call of so many units, and learns from it. Blocks while it does.
  template <typename Call>
  Status Time(size_t count, Call call) {
    const Begun begun = Begin();
    Status status = call();
    End(begun, count, status);
    return status;
  }

 private:
  struct Begun {
    std::chrono::milliseconds at{0};
    int64_t failures = 0;  // that were known
  };

  Begun Begin() const;
  void End(const Begun& begun, size_t count, const Status& status);
  void Took(size_t count, std::chrono::nanoseconds took) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Failed(size_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  size_t Most() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  /// No more than so many until then.
  struct Ceiling {
    size_t units;
    std::chrono::milliseconds until;
  };

  const Bounds bounds_;
  Clock* const clock_;
  mutable Mutex mu_;
  size_t units_ ABSL_GUARDED_BY(mu_);
  int64_t failures_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<Ceiling> ceiling_ ABSL_GUARDED_BY(mu_);
  std::chrono::minutes caution_ ABSL_GUARDED_BY(mu_) = kCaution;  // of the next failure
  size_t failed_ ABSL_GUARDED_BY(mu_) = 0;                        // units of the last one
};

/// Those of a store: what one table, or one kind of call, is good for says nothing of another. Thread-safe.
class CallPaces {
 public:
  enum class Kind { kPut, kDelete, kGet };

  static constexpr size_t kFewestGets = 500;  // rows of a call

  explicit CallPaces(Clock* clock) : clock_(clock) {}

  /// Lives as long as this.
  CallPace& Of(const std::string& table, Kind kind);

 private:
  Clock* const clock_;
  Mutex mu_;
  std::map<std::pair<std::string, Kind>, CallPace> paces_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::store

// Chooses the size of the calls of one kind to one table, so that a call takes a fraction of a second.
//
// Far from the gateway a call is mostly waiting, so few large calls are better; for a slow table, or a table whose
// calls fail, small ones are. The size follows from the duration of earlier calls. It doubles at most after a success,
// halves for at least a minute after a failure (longer if calls of this size failed before; a call that began before
// the failure raises nothing), and is never below `fewest`. Thread-safe.
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

class CallSizer {
 public:
  static constexpr std::chrono::milliseconds kLongest{250};  // target duration of a call
  static constexpr std::chrono::minutes kCaution{1}, kMostCaution{60};

  struct Bounds {
    size_t fewest = 1;
    size_t most = 1;
  };

  /// The clock must outlive it.
  CallSizer(const Bounds& bounds, Clock* clock) : bounds_(bounds), clock_(clock), units_(bounds.fewest) {}

  /// Units of the next call.
  size_t units() const;

  /// Makes a call of this many units, and learns from it. Blocks during the call.
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
    int64_t failures = 0;  // known at its beginning
  };

  Begun Begin() const;
  void End(const Begun& begun, size_t count, const Status& status);
  void Took(size_t count, std::chrono::nanoseconds took) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void Failed(size_t count) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  size_t Most() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  /// Upper bound until that time.
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
  std::chrono::minutes caution_ ABSL_GUARDED_BY(mu_) = kCaution;  // after the next failure
  size_t failed_ ABSL_GUARDED_BY(mu_) = 0;                        // units of the last failed call
};

/// The call sizers of a store, one per table and kind of call: each learns for itself. Thread-safe.
class CallPaces {
 public:
  enum class Kind { kPut, kDelete, kGet };

  static constexpr size_t kFewestGets = 500;  // rows of a call

  explicit CallPaces(Clock* clock) : clock_(clock) {}

  /// Lives as long as this object.
  CallSizer& Of(const std::string& table, Kind kind);

 private:
  Clock* const clock_;
  Mutex mu_;
  std::map<std::pair<std::string, Kind>, CallSizer> paces_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::store

// The context of one operation: connections, locations, time limits and retries.
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>

#include "hbase/locate/locator.h"
#include "hbase/wire/call_scope.h"
#include "hbase/wire/connections.h"

namespace fensi::hbase {

struct CallContext {
  Connections* connections = nullptr;
  Locator* locator = nullptr;
  CallScope scope;
  /// How long an operation is retried here; then its caller gets the error.
  std::chrono::milliseconds retry_for{3'000};
};

/// Schedules the retries of an operation: at once, then after growing pauses, until its time is over.
class RetryPace {
 public:
  /// The time of the next retry; absent: none.
  std::optional<Deadline> Next(Remedy remedy, const CallContext& context) {
    const auto now = std::chrono::steady_clock::now();
    if (attempts_++ == 0) first_fault_ = now;
    const Deadline end = std::min(first_fault_ + context.retry_for, context.scope.until);
    if (now >= end) return std::nullopt;
    return std::min(now + PauseFor(remedy), end);
  }
  int attempts() const { return attempts_; }

 private:
  std::chrono::milliseconds PauseFor(Remedy remedy) const {
    constexpr int kMostDoublings = 4;
    const bool patient = remedy == Remedy::kLongPause;
    const bool at_once = attempts_ == 1 && !patient && remedy != Remedy::kPause && remedy != Remedy::kUnknownClass;
    if (at_once) return std::chrono::milliseconds(0);
    return std::chrono::milliseconds(patient ? 200 : 50) * (1 << std::min(attempts_ - 1, kMostDoublings));
  }

  int attempts_ = 0;
  Deadline first_fault_;
};

/// Checks the state of a table by its row in hbase:meta: ok if it is enabled. kUnavailable: it is disabled, or about to
/// be. kNotFound: it does not exist.
Status CheckEnabled(const CallContext& context, const std::string& table);

/// Blocks until that time, or until the permission ends.
Status PauseUntil(const CallScope& scope, Deadline until);

}  // namespace fensi::hbase

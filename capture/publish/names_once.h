// Reports names to a person: each name once, or again after a pause.
#pragma once

#include <chrono>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/mutex.h"

namespace fensi::capture {

// More names would not be read.
inline constexpr size_t kMaxNames = 100;

/// Thread-safe, bounded by kMaxNames.
class NamesOnce {
 public:
  /// False if the name is known, or there are too many.
  bool Add(std::string_view name) {
    const MutexLock lock(mu_);
    return names_.size() < kMaxNames && names_.emplace(name).second;
  }

 private:
  Mutex mu_;
  std::set<std::string, std::less<>> names_ ABSL_GUARDED_BY(mu_);
};

/// Thread-safe, bounded by kMaxPacedNames.
class NamesPaced {
 public:
  static constexpr size_t kMaxPacedNames = 1'000;

  NamesPaced(Clock* clock, std::chrono::milliseconds pause) : clock_(clock), pause_(pause) {}

  /// True for a new name, and for a known name once the pause has passed since the last true. While there are too many
  /// names, a new name waits until the pause of others has passed.
  bool IsDue(std::string_view name) {
    const auto now = clock_->MonotonicNow();
    const MutexLock lock(mu_);
    const auto known = next_.find(name);
    if (known == next_.end()) {
      if (next_.size() >= kMaxPacedNames) std::erase_if(next_, [now](const auto& each) { return each.second <= now; });
      return next_.size() < kMaxPacedNames && next_.emplace(name, now + pause_).second;
    }
    if (now < known->second) return false;
    known->second = now + pause_;
    return true;
  }

 private:
  Clock* const clock_;
  const std::chrono::milliseconds pause_;
  Mutex mu_;
  std::map<std::string, std::chrono::milliseconds, std::less<>> next_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::capture

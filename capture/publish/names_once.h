// Names that are told to a person once each.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace fensi::capture {

/// Thread-safe, bounded: beyond so many nobody reads on.
class NamesOnce {
 public:
  /// False for one that was there, or when there are too many.
  bool Add(std::string_view name) {
    const MutexLock lock(mu_);
    return names_.size() < kMaxNames && names_.emplace(name).second;
  }

 private:
  static constexpr size_t kMaxNames = 100;
  Mutex mu_;
  std::set<std::string, std::less<>> names_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::capture

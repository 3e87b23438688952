// Reports each name to a person once.
#pragma once

#include <set>
#include <string>
#include <string_view>

#include "base/mutex.h"

namespace fensi::capture {

/// Thread-safe, bounded: more names would not be read.
class NamesOnce {
 public:
  /// False if the name is known, or there are too many.
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

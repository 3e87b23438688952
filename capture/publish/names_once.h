// Names that are told to a person once each.
#pragma once

#include <mutex>
#include <set>
#include <string>
#include <string_view>

namespace fensi::capture {

/// Thread-safe, bounded: beyond so many nobody reads on.
class NamesOnce {
 public:
  /// False for one that was there, or when there are too many.
  bool Add(std::string_view name) {
    const std::lock_guard lock(mu_);
    return names_.size() < kMaxNames && names_.emplace(name).second;
  }

 private:
  static constexpr size_t kMaxNames = 100;
  std::mutex mu_;
  std::set<std::string, std::less<>> names_;  // guarded by mu_
};

}  // namespace fensi::capture

// What a capture tells a person, kept for a test: a line each, "ALARM: " in front of those that are one. Thread-safe.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>

#include "capture/notices.h"

namespace fensi::capture {

class NoticeLog {
 public:
  /// The log must outlive it.
  Notices Listener() {
    return [this](const Notice& notice) {
      const std::lock_guard lock(mu_);
      text_ += (notice.severity() == Severity::kAlarm ? "ALARM: " : "") + notice.words.all() + "\n";
    };
  }
  std::string text() const {
    const std::lock_guard lock(mu_);
    return text_;
  }
  long lines() const {
    const std::string now = text();
    return std::count(now.begin(), now.end(), '\n');
  }
  bool Tells(const std::string& words) const { return text().find(words) != std::string::npos; }

 private:
  mutable std::mutex mu_;
  std::string text_;
};

}  // namespace fensi::capture

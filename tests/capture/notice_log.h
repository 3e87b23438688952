// What a capture tells a person, kept for a test: a line each, "ALARM: " in front of those that are one. Thread-safe.
#pragma once

#include <algorithm>
#include <mutex>
#include <string>
#include <vector>

#include "capture/notices.h"

namespace fensi::capture {

class NoticeLog {
 public:
  /// The log must outlive it.
  Notices Listener() {
    return [this](const Notice& notice) {
      const std::lock_guard lock(mu_);
      text_ += (notice.severity() == Severity::kAlarm ? "ALARM: " : "") + notice.words.all() + "\n";
      if (!notice.server.empty()) servers_.push_back(notice.server);
    };
  }
  std::string text() const {
    const std::lock_guard lock(mu_);
    return text_;
  }
  /// Of the notices that name one, in their order.
  std::vector<std::string> servers() const {
    const std::lock_guard lock(mu_);
    return servers_;
  }
  long lines() const {
    const std::string now = text();
    return std::count(now.begin(), now.end(), '\n');
  }
  bool Tells(const std::string& words) const { return text().find(words) != std::string::npos; }

 private:
  mutable std::mutex mu_;
  std::string text_;
  std::vector<std::string> servers_;
};

}  // namespace fensi::capture

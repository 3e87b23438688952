// A DeadLetterSink that a test can read and break. Thread-safe.
#pragma once

#include <functional>
#include <mutex>
#include <string_view>
#include <vector>

#include "consumer/dead_letters.h"

namespace fensi::consumer {

class MemoryDeadLetters final : public DeadLetterSink {
 public:
  /// `fault` is asked at every call ("send", "flush") and decides its outcome; a failed Send keeps nothing.
  explicit MemoryDeadLetters(std::function<Status(std::string_view call)> fault = nullptr) : fault_(std::move(fault)) {}

  Status Send(const DeadLetter& letter) override {
    if (fault_) FENSI_RETURN_IF_ERROR(fault_("send"));
    const std::lock_guard lock(mu_);
    pending_.push_back(letter);
    return {};
  }
  Status Flush() override {
    if (fault_) FENSI_RETURN_IF_ERROR(fault_("flush"));
    const std::lock_guard lock(mu_);
    durable_.insert(durable_.end(), pending_.begin(), pending_.end());
    pending_.clear();
    return {};
  }

  /// The letters that were flushed.
  std::vector<DeadLetter> letters() const {
    const std::lock_guard lock(mu_);
    return durable_;
  }

 private:
  const std::function<Status(std::string_view)> fault_;
  mutable std::mutex mu_;
  std::vector<DeadLetter> pending_;  // guarded by mu_
  std::vector<DeadLetter> durable_;  // guarded by mu_
};

}  // namespace fensi::consumer

// Why nothing moves, for people. Thread-safe, never blocks.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "base/clock.h"

namespace fensi::consumer {

class Trouble {
 public:
  Trouble(Clock* clock, std::string brokers) : clock_(clock), brokers_(std::move(brokers)) {}

  /// No broker answers. The first report counts as the beginning.
  void Away(const std::string& detail) {
    const std::lock_guard lock(mu_);
    if (!away_since_) away_since_ = clock_->SinceBoot();
    if (!detail.empty()) detail_ = detail;
  }
  /// Whether there is a connection that a broker has answered on: without an answer it is slow then, and not away.
  void Connected(bool connected) {
    const std::lock_guard lock(mu_);
    connected_ = connected;
  }
  bool connected() const {
    const std::lock_guard lock(mu_);
    return connected_;
  }
  void Other(const std::string& detail) {
    const std::lock_guard lock(mu_);
    detail_ = detail;
  }
  /// What stays when brokers answer: partitions that cannot be opened, another reader. Empty: nothing.
  void Standing(const std::string& text) {
    const std::lock_guard lock(mu_);
    standing_ = text;
  }
  /// Partitions that are open and that no broker leads. Empty: none.
  void Leaderless(const std::string& text) {
    const std::lock_guard lock(mu_);
    leaderless_ = text;
  }
  void Over() {
    const std::lock_guard lock(mu_);
    away_since_.reset();
    detail_.clear();
  }
  bool any() const {
    const std::lock_guard lock(mu_);
    return away_since_ || !detail_.empty();
  }
  /// "broker 127.0.0.1:9092 is away since 12 s (…)", or empty.
  std::string Text() const {
    const std::lock_guard lock(mu_);
    std::string text;
    for (const std::string& part : {PassingText(), standing_, leaderless_}) {
      if (!part.empty()) text += (text.empty() ? "" : "; ") + part;
    }
    return text;
  }

 private:
  std::string PassingText() const {
    if (!away_since_) return detail_;
    const auto seconds = (clock_->SinceBoot() - *away_since_).count() / 1000;
    const std::string detail = detail_.empty() ? "" : " (" + detail_ + ")";
    const std::string verdict = connected_ ? " is slow: no answer since " : " is away since ";
    return "broker " + brokers_ + verdict + std::to_string(seconds) + " s" + detail;
  }

  Clock* const clock_;
  const std::string brokers_;
  mutable std::mutex mu_;
  std::optional<std::chrono::milliseconds> away_since_;  // guarded by mu_
  bool connected_ = false;                               // guarded by mu_
  std::string detail_;                                   // guarded by mu_
  std::string standing_;                                 // guarded by mu_
  std::string leaderless_;                               // guarded by mu_
};

}  // namespace fensi::consumer

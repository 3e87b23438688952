// The common status of daemons for the admin server: identity, whether the main thread is alive, whether it is ending.
// Its texts are made of facts, never of messages, which may name rows.
//
// Any thread may read and update it.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "admin/status_source.h"
#include "base/clock.h"

namespace fensi::daemon {

struct DaemonFacts {
  std::string instance;                // its name in the groups of its topics; empty: none
  std::function<std::string()> flags;  // flags in effect, as --print_flags shows them; any thread
};

class DaemonStatus : public admin::StatusSource {
 public:
  /// The main thread is alive; call it often.
  void NoteTurn() { last_turn_ = clock_->MonotonicNow(); }
  /// The process was asked to end.
  void NoteStop() { stopping_ = true; }

  std::string Version() const final;
  std::string Flags() const final;
  std::string History() const override;

 protected:
  /// The clock outlives it.
  DaemonStatus(DaemonFacts facts, Clock* clock)
      : facts_(std::move(facts)), clock_(clock), last_turn_(clock->MonotonicNow()) {}

  /// The first part of every daemon's status.
  nlohmann::ordered_json ProcessJson() const;
  /// How long the main thread has been silent, if that is too long.
  std::optional<std::chrono::milliseconds> SilentFor() const;
  /// The readiness checks of the process itself.
  std::vector<admin::Check> ProcessReadiness() const;
  Clock* clock() const { return clock_; }

 private:
  const DaemonFacts facts_;
  Clock* const clock_;
  std::atomic<std::chrono::milliseconds> last_turn_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace fensi::daemon

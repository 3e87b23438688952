// What the admin server shows of every daemon: who it is, whether its main thread lives, whether it is ending. Its
// words are made of facts, never of messages: those may name rows.
//
// Any thread may ask and note.
#pragma once

#include <atomic>
#include <chrono>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "admin/status_source.h"
#include "base/clock.h"

namespace fensi::cli {

class DaemonStatus : public admin::StatusSource {
 public:
  /// The main thread lives; call it often.
  void NoteTurn() { last_turn_ = clock_->SinceBoot(); }
  /// The process was asked to end.
  void NoteStop() { stopping_ = true; }

  std::string Version() const final;
  std::string Flags() const final;
  std::string History() const override;

 protected:
  /// The clock outlives it.
  explicit DaemonStatus(Clock* clock) : clock_(clock), last_turn_(clock->SinceBoot()) {}

  /// What every daemon's status begins with.
  nlohmann::ordered_json ProcessJson() const;
  /// For how long the main thread has not turned, when that is too long.
  std::optional<std::chrono::milliseconds> SilentFor() const;
  /// What the process itself adds to the readiness.
  std::vector<admin::Check> ProcessReadiness() const;
  Clock* clock() const { return clock_; }

 private:
  Clock* const clock_;
  std::atomic<std::chrono::milliseconds> last_turn_;
  std::atomic<bool> stopping_ = false;
};

}  // namespace fensi::cli

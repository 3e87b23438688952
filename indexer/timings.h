// Where the time of an index goes. Who measures hands out a Timings; without one nothing is measured.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <utility>

#include "base/histogram.h"

namespace fensi::indexer {

/// What is done for a batch; kPlan is what is none of the others, so that all together are the batch.
enum class Phase {
  kDecode,
  kReadState,
  kPlan,
  kReadSource,
  kWriteIntents,
  kWritePuts,
  kWriteDeletes,
  kWriteStates,
  kDeadLetters
};
inline constexpr size_t kPhases = 9;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {"decode",        "read_state",    "plan",
                                                                 "read_source",   "write_intents", "write_puts",
                                                                 "write_deletes", "write_states",  "dead_letters"};

/// Of all batches of an index. Thread-safe.
struct Timings {
  std::array<Histogram, kPhases> phases = {
      Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
      Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
      Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls)};
  Histogram since_write{Histogram::kOfDelays};   // of events: HBase's write time -> acknowledged
  Histogram since_append{Histogram::kOfDelays};  // Kafka's time -> acknowledged
};

/// Of one batch: time goes by in one phase after the other. One thread at a time.
class PhaseClock {
 public:
  /// Null: off.
  explicit PhaseClock(Timings* timings) : timings_(timings) {}

  /// A batch begins, or goes on after a pause that is nobody's time.
  void Start() {
    if (timings_ == nullptr) return;
    phase_ = Phase::kPlan;
    since_ = Now();
  }
  /// What comes is of that phase; the phase until now.
  Phase Switch(Phase phase) {
    if (timings_ == nullptr) return phase;
    const Time now = Now();
    Spend(phase_, now - since_);
    since_ = now;
    return std::exchange(phase_, phase);
  }
  void Spend(Phase phase, std::chrono::nanoseconds time) { spent_[static_cast<size_t>(phase)] += time; }
  void Pause() { Switch(Phase::kPlan); }
  /// The batch is done: each phase counts once.
  void Finish() {
    if (timings_ == nullptr) return;
    for (size_t i = 0; i < kPhases; ++i) {
      timings_->phases[i].Observe(std::chrono::duration<double>(spent_[i]).count());
    }
    spent_.fill({});
  }
  Timings* timings() const { return timings_; }

 private:
  using Time = std::chrono::steady_clock::time_point;
  static Time Now() { return std::chrono::steady_clock::now(); }

  Timings* const timings_;
  Phase phase_ = Phase::kPlan;
  Time since_{};
  std::array<std::chrono::nanoseconds, kPhases> spent_{};
};

/// A phase for as long as it lives.
class InPhase {
 public:
  InPhase(PhaseClock* clock, Phase phase) : clock_(clock), before_(clock->Switch(phase)) {}
  ~InPhase() { clock_->Switch(before_); }
  InPhase(const InPhase&) = delete;
  InPhase& operator=(const InPhase&) = delete;

 private:
  PhaseClock* const clock_;
  const Phase before_;
};

}  // namespace fensi::indexer

// Counters and times of an index. Code that measures gets a Timings; without one nothing is measured.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/histogram.h"
#include "indexer/plan/event_check.h"

namespace fensi::indexer {

// What an index has done, counted by all its workers. A copy has the values of its time, each number for itself. But it
// has all other counts of its `events`. Timings that are read after it have the phases of their batches, except of a
// batch that waits for a delayed re-read.

/// An atomic number that may be copied.
struct Count : std::atomic<int64_t> {
  using std::atomic<int64_t>::atomic;
  using std::atomic<int64_t>::operator=;
  Count() = default;
  Count(const Count& other) : std::atomic<int64_t>(other.load()) {}
};

struct Counters {
  Count events{0};   // records of finished batches, counted last and copied first
  Count skipped{0};  // of another table
  Count puts{0};     // index cells
  Count deletes{0};
  Count dead_letters{0};
  std::array<Count, kLetterKinds> letters_of{};  // by LetterKind
  Count consumed_bytes{0};                       // of finished batches
  Count state_reads{0};                          // rows of the state table
  Count units_cached{0};                         // units whose state was needed and cached,
  Count units_skipped{0};                        // surely absent (M13),
  Count units_read{0};                           // or read
  Count source_reads{0};
  Count batches{0};
  Count requests{0};             // of finished batches
  Count stale_requests{0};       // of these, meant for another incarnation
  Count bulk_loads{0};           // recorded, also again
  Count changelog_messages{0};   // envelopes that Kafka has acknowledged
  Count changelog_escaped{0};    // values in them that are not UTF-8 text
  Count changelog_too_large{0};  // envelopes that became dead letters
  Count changelog_reads{0};      // rows of the index, for `before`
  Count unmappable_images{0};    // reasons why images gave no entry, also those without a dead letter
};

// The phases of a batch. kPlan is everything that is none of the others, so that all together are the batch.

/// The phases of a batch. kPlan is everything that is none of the others, so that all together are the batch.
enum class Phase {
  kDecode,
  kReadState,
  kPlan,
  kReadSource,
  kWriteIntents,
  kChangelog,
  kWritePuts,
  kWriteDeletes,
  kWriteStates,
  kDeadLetters
};
inline constexpr size_t kPhases = 10;
inline constexpr std::array<const char*, kPhases> kPhaseNames = {
    "decode",    "read_state", "plan",          "read_source",  "write_intents",
    "changelog", "write_puts", "write_deletes", "write_states", "dead_letters"};

/// Times of all batches of an index. Thread-safe.
struct Timings {
  std::array<Histogram, kPhases> phases = {Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                           Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                           Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                           Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls),
                                           Histogram(Histogram::kOfCalls), Histogram(Histogram::kOfCalls)};
  Histogram since_write{Histogram::kOfDelays};   // of events: HBase's write time -> acknowledged
  Histogram since_append{Histogram::kOfDelays};  // Kafka's time -> acknowledged
};

/// Measures one batch, one phase after the other. One thread at a time.
class PhaseClock {
 public:
  /// Null: off.
  explicit PhaseClock(Timings* timings) : timings_(timings) {}

  /// Starts a batch, or continues it after a pause that is not counted.
  void Start() {
    if (timings_ == nullptr) return;
    phase_ = Phase::kPlan;
    since_ = Now();
  }
  /// From now on time counts for `phase`. Returns the phase before.
  Phase Switch(Phase phase) {
    if (timings_ == nullptr) return phase;
    const Time now = Now();
    Spend(phase_, now - since_);
    since_ = now;
    return std::exchange(phase_, phase);
  }
  void Spend(Phase phase, std::chrono::nanoseconds time) { spent_[static_cast<size_t>(phase)] += time; }
  void Pause() { Switch(Phase::kPlan); }
  /// Ends the batch: adds each phase once.
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

/// Measures a phase for its own lifetime.
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

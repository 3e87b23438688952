// Holds batches until the delayed re-read of their ambiguous rows (M8), while the workers continue with other
// partitions. Runs one thread from construction to Finish.
//
// Thread-safe; only Finish blocks. The clock is borrowed.
#pragma once

#include <chrono>
#include <deque>
#include <functional>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"

namespace fensi::indexer {

class DelayedRereads {
 public:
  explicit DelayedRereads(Clock* clock);
  ~DelayedRereads() { Finish(); }

  /// Calls `look` at `due` (Clock::MonotonicNow), after all calls that were added before.
  void Add(std::chrono::milliseconds due, std::function<void()> look);
  /// Blocks until every added call has run. Nothing may be added afterwards.
  void Finish();

 private:
  struct Waiting {
    std::chrono::milliseconds due;
    std::function<void()> look;
  };
  void Run();

  Clock* const clock_;
  Mutex mu_;
  Condition changed_;
  std::deque<Waiting> waiting_ ABSL_GUARDED_BY(mu_);
  bool finishing_ ABSL_GUARDED_BY(mu_) = false;
  std::thread thread_;
};

}  // namespace fensi::indexer

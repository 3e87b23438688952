// Batches that wait for the second look at their rows in doubt (M8), while the workers go on with other partitions. A
// thread of its own, from construction to Finish.
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

class SecondLooks {
 public:
  explicit SecondLooks(Clock* clock);
  ~SecondLooks() { Finish(); }

  /// Calls `look` at `due` (Clock::SinceBoot), after everything that was added before it.
  void Add(std::chrono::milliseconds due, std::function<void()> look);
  /// Blocks until all that were added had their time. Nothing may be added afterwards.
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

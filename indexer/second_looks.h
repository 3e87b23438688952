// Batches that wait for the second look at their rows in doubt (M8), while the workers go on with other partitions. A
// thread of its own, from construction to Finish.
//
// Thread-safe; only Finish blocks. The clock is borrowed.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include "base/clock.h"

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
  std::mutex mu_;
  std::condition_variable changed_;
  std::deque<Waiting> waiting_;  // guarded by mu_
  bool finishing_ = false;       // guarded by mu_
  std::thread thread_;
};

}  // namespace fensi::indexer

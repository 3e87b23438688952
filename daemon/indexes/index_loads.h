// Follows the bulk loads of one index (operations/loads/load_follower.h) on a thread of its own, for as long as the
// index runs. Its work goes to the log and to counters that any thread may read. Failures never end the index: the
// thread tries again.
//
// Start and the destructor belong to one thread; other calls may come from any thread and return at once.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <thread>

#include "base/clock.h"
#include "base/mutex.h"
#include "daemon/log/events.h"
#include "mapping/index.h"
#include "operations/access/kafka.h"
#include "operations/loads/load_progress.h"
#include "store/store.h"

namespace fensi::daemon {

struct LoadCounts {
  operations::LoadProgress now;
  int64_t jobs = 0;      // that this process has ended
  int64_t failures = 0;  // turns that failed
  std::string trouble;   // why the last turn failed; empty: it did not
};

class IndexLoads final : public operations::LoadListener {
 public:
  /// Between two looks whether a load waits, and after a failure.
  static constexpr std::chrono::seconds kPause{2}, kFailurePause{10};

  struct Parts {
    const mapping::Index* index;
    std::shared_ptr<store::Store> store;  // whose calls end soon after `stopped`
    std::string meta_table;
    operations::KafkaOptions kafka;  // of the stream
    std::chrono::milliseconds clock_skew;
    std::function<bool()> stopped;
    std::function<bool()> ready;  // true while the index runs
    Clock* clock = SystemClock();
  };
  explicit IndexLoads(Parts parts) : parts_(std::move(parts)) {}
  ~IndexLoads() override { Join(); }  // after `stopped` returns true

  void Start();
  void Join();
  LoadCounts counts() const;

 private:
  void Work();
  Status GoOn() const;
  bool Rest(std::chrono::milliseconds pause) const;
  void Note(const Status& turn);
  void Progress(const operations::LoadProgress& progress) override;
  void Begins(int64_t regions, size_t ranges) override;
  void Ends(int64_t rows) override;
  void Tell(Event event, const RedactableText& words) const;

  const Parts parts_;
  std::thread thread_;

  mutable Mutex mu_;
  LoadCounts counts_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::daemon

// Runs one index: takes partitions from a change source, gives every batch to the maintainer of its assignment, and
// stops as a whole when something needs a person.
//
// Run blocks; its workers are threads of its own, joined before it returns. The source, the store, the sink and the
// clock belong to the caller and outlive the runner. Stop, counts and trouble may be called from any thread.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "consumer/dead_letters.h"
#include "indexer/index_meta.h"
#include "indexer/maintainer.h"
#include "indexer/second_looks.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

struct RunnerOptions {
  int workers = 1;
  size_t cache_bytes = size_t{64} << 20;  // for states, of all partitions of a topic together
};

class IndexRunner {
 public:
  IndexRunner(std::shared_ptr<const mapping::Index> index, consumer::ChangeSource* source, store::Store* store,
              consumer::DeadLetterSink* dead_letters, Clock* clock, RunnerOptions options);
  ~IndexRunner();

  /// Blocks until the source ends (ok), Stop was called (ok), or the index must stop (why). Closes the source.
  Status Run();

  void Stop();

  struct Counts {
    int64_t events = 0, skipped = 0, puts = 0, deletes = 0, dead_letters = 0, state_reads = 0, source_reads = 0,
            batches = 0;
  };
  Counts counts() const;

  /// Why nothing moves at the moment ("store: … since 12 s"), or empty.
  std::string trouble() const;
  /// The store has answered at least once.
  bool reached() const { return reached_; }

 private:
  struct Lane;  // what belongs to one assignment

  void Work();
  /// One answer of the source; false: there will be no more.
  bool WorkOnce();
  /// Applies the batch; its offset moves now, or after the second look.
  void Take(const consumer::Batch& batch);
  void LookAgain(const std::shared_ptr<Lane>& lane, const consumer::Batch& batch);
  Status Explained(const Status& status, const consumer::Assignment& assignment) const;
  /// Gives the partition of failed work back, and ends the index when that is no loss of the partition.
  void GiveUp(const std::shared_ptr<consumer::Assignment>& assignment, const Status& why);
  Status Open(const consumer::Opening& opening);
  void NoteCommit(const consumer::Assignment& assignment);
  void NoteLastCommits();
  std::shared_ptr<Lane> FindLane(const consumer::Assignment* assignment);
  /// `behind`, or the store itself, repeating what it cannot do for now as long as `should_go_on`.
  std::unique_ptr<store::Store> Patient(std::unique_ptr<store::Store> behind, std::function<Status()> should_go_on);
  Status StillWanted() const;
  /// Ok also while work in hand has its time after Stop.
  Status MayFinish() const;
  void Fail(const Status& status);
  void NoteTrouble(const std::string& text);

  const std::shared_ptr<const mapping::Index> index_;
  consumer::ChangeSource* const source_;
  store::Store* const store_;
  consumer::DeadLetterSink* const dead_letters_;
  Clock* const clock_;
  const RunnerOptions options_;
  std::unique_ptr<store::Store> meta_store_;
  std::unique_ptr<IndexMeta> meta_;
  std::unique_ptr<SecondLooks> second_looks_;

  Counters counters_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::chrono::milliseconds> stopped_at_{std::chrono::milliseconds(0)};  // set before stopping_
  std::atomic<bool> reached_{false};

  mutable std::mutex mu_;  // guards what follows
  std::map<const consumer::Assignment*, std::shared_ptr<Lane>> lanes_;
  Status failure_;
  std::string trouble_;
};

}  // namespace fensi::indexer

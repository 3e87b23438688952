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
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "consumer/change_source.h"
#include "consumer/dead_letters.h"
#include "indexer/counters.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/marks/mark_rule.h"
#include "indexer/marks/mark_writer.h"
#include "indexer/pause_watch.h"
#include "indexer/requests/told_requests.h"
#include "indexer/second_looks.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// What a look at the index table came to, once for each change.
struct TableNews {
  enum class Kind {
    kMismatch,  // the table was made again, and nobody has proved the index since
    kProved,    // it is proved now
    kUnknown,   // the store does not let this process look, and `why`
  } kind = Kind::kUnknown;
  Status why;
};

struct RunnerOptions {
  int workers = 1;
  size_t cache_bytes = size_t{64} << 20;          // for states, of all partitions of a topic together
  Timings* timings = nullptr;                     // null: nothing is timed; outlives the runner
  std::string meta_table;                         // where it says how far it is; empty: nowhere
  std::chrono::milliseconds clock_skew{1'000};    // by which clocks of the source's servers may differ
  std::chrono::milliseconds mark_period{1'000};   // between two times at which it says so
  bool may_pause = true;                          // false: an index that a person paused is not begun
  std::chrono::milliseconds pause_period{5'000};  // after which it is asked again whether one did
  std::function<void(const IndexMeta&)> opened = [](const IndexMeta&) {};  // called once, before any work
  std::chrono::milliseconds table_period{0};  // after which it is asked again whether the index table is the same; 0:
                                              // never
  std::function<void(const TableNews&)> table_news = [](const TableNews&) {};  // before any work, and on the watch
};

class IndexRunner {
 public:
  IndexRunner(std::shared_ptr<const mapping::Index> index, consumer::ChangeSource* source, store::Store* store,
              consumer::DeadLetterSink* dead_letters, Clock* clock, RunnerOptions options);
  ~IndexRunner();

  /// Blocks until the source ends (ok), Stop was called (ok), or the index must stop (why). Closes the source.
  Status Run();

  void Stop();

  Counters counts() const { return counters_; }

  /// Why nothing moves at the moment ("store: … since 12 s"), or empty.
  Words trouble() const;
  /// The store has answered at least once.
  bool reached() const { return reached_; }
  /// Since then (Clock::SinceBoot) a call has been repeated without an answer; absent: none is.
  std::optional<std::chrono::milliseconds> store_away_since() const;
  /// Who paused the index, when and why; empty: nobody.
  std::string paused() const;
  /// Since when the index table is known to have been made again without a proof, in milliseconds since the epoch;
  /// absent: it was not.
  std::optional<int64_t> mismatch_since() const;
  /// The first of the messages in hand when the work failed for which Run ended; absent: it was of no partition.
  std::optional<consumer::StreamPlace> failed_at() const;

 private:
  struct OpenPartition;  // what belongs to one assignment

  /// What Run does once the index is open.
  void RunWorkers();
  Status LearnPause();
  void LookAtRow();
  void LookAtTable();
  Result<std::optional<NotedTable>> SeenTable();
  void NotePause(const std::string& paused);
  void NoteTable(const NotedTable& noted);
  void Work();
  /// One answer of the source; false: there will be no more.
  bool WorkOnce();
  /// Applies the batch; its offset moves now, or after the second look.
  void Take(const consumer::Batch& batch);
  void Take(const consumer::RequestBatch& batch);
  Status ApplyNoted(OpenPartition* partition, const consumer::RequestBatch& batch, const ToldRequests& told);
  void FinishRequests(const std::shared_ptr<OpenPartition>& partition, const consumer::RequestBatch& batch);
  void LookAgain(const std::shared_ptr<OpenPartition>& partition, const consumer::Batch& batch);
  /// Everything of the batch is acknowledged by the store.
  void Finish(OpenPartition* partition, const consumer::Batch& batch);
  std::unique_ptr<MarkWriter> NewMarkWriter();
  Status Explained(const Status& status, const consumer::Assignment& assignment) const;
  /// Gives the partition of failed work back, and ends the index when that is no loss of the partition.
  void GiveUp(const std::shared_ptr<consumer::Assignment>& assignment, const Status& why,
              std::optional<int64_t> offset = {});
  Status Open(const consumer::Opening& opening);
  /// Where its requests begin, if it has some.
  Status OpenRequests(const consumer::Opening& opening, OpenPartition* partition);
  void NoteCommit(const consumer::Committed& committed);
  void NoteCommit(const consumer::Assignment& assignment);
  /// What was handed out of the assignment so far is of the logs that were begun; waits until that is known.
  Status ConfirmLogs(const consumer::Assignment& assignment);
  void NoteLastCommits();
  std::shared_ptr<OpenPartition> FindPartition(const consumer::Assignment* assignment);
  /// `behind`, or the store itself, repeating what it cannot do for now as long as `should_go_on`.
  std::unique_ptr<store::Store> WithRetry(std::unique_ptr<store::Store> behind, std::function<Status()> should_go_on);
  Status StillWanted() const;
  /// Ok also while work in hand has its time after Stop.
  Status MayFinish() const;
  void Fail(const Status& status, std::optional<consumer::StreamPlace> at = {});
  void NoteTrouble(const Words& words);
  void NoteStore(std::optional<std::chrono::milliseconds> away_since);
  /// What is done is done now: how old were its events?
  void NoteDelays(const consumer::Batch& batch) const;
  void NoteTroubleOfMarks(const Words& words);
  void NoteSilence(OpenPartition* partition);
  Words SilenceText() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::shared_ptr<const mapping::Index> index_;
  consumer::ChangeSource* const source_;
  store::Store* const store_;
  consumer::DeadLetterSink* const dead_letters_;
  Clock* const clock_;
  const RunnerOptions options_;
  std::unique_ptr<store::Store> meta_store_;
  std::unique_ptr<store::Store> light_store_;  // is not asked again and again: what fails now is done later
  std::unique_ptr<IndexMeta> meta_;
  std::unique_ptr<SecondLooks> second_looks_;
  std::unique_ptr<MarkWriter> mark_writer_;  // null: nobody is told
  // Of the thread of Run, then of the watch's.
  std::optional<std::chrono::milliseconds> table_seen_;  // absent: it is to be looked at as soon as may be
  bool table_unknown_told_ = false;

  Counters counters_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::chrono::milliseconds> stopped_at_{std::chrono::milliseconds(0)};  // set before stopping_
  std::atomic<bool> reached_{false};

  mutable Mutex mu_;
  std::map<const consumer::Assignment*, std::shared_ptr<OpenPartition>> partitions_ ABSL_GUARDED_BY(mu_);
  Status failure_ ABSL_GUARDED_BY(mu_);
  std::optional<consumer::StreamPlace> failed_at_ ABSL_GUARDED_BY(mu_);
  Words trouble_ ABSL_GUARDED_BY(mu_);
  std::optional<std::chrono::milliseconds> store_away_since_ ABSL_GUARDED_BY(mu_);
  Words trouble_of_marks_ ABSL_GUARDED_BY(mu_);
  std::string paused_ ABSL_GUARDED_BY(mu_);
  std::optional<int64_t> mismatch_since_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::indexer

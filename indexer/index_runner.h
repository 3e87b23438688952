// Runs one index: takes partitions from a change source, gives every batch to the maintainer of its assignment, and
// stops the whole index if an error needs a person.
//
// Run blocks; its workers are threads of its own, joined before Run returns. The source, the store, the sink and the
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
#include "consumer/changelog.h"
#include "consumer/dead_letters.h"
#include "indexer/delayed_rereads.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/marks/mark_rule.h"
#include "indexer/marks/mark_writer.h"
#include "indexer/meta_row.h"
#include "indexer/requests/told_requests.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// The result of a check of the index table, reported once for each change.
struct TableNews {
  enum class Kind {
    kMismatch,  // the table was recreated, and nothing has proved the index since
    kProved,    // the index is proved now
    kUnknown,   // the store does not let this process check; `why` has the reason
  } kind = Kind::kUnknown;
  Status why;
};

struct RunnerOptions {
  consumer::Changelog* changelog = nullptr;  // null: the index has none; outlives the runner
  std::string version;                       // of fensi
  int workers = 1;
  size_t cache_bytes = size_t{64} << 20;          // for states, shared by all partitions of a topic
  Timings* timings = nullptr;                     // null: no timing; outlives the runner
  std::string meta_table;                         // table for the watermarks; empty: none are written
  std::chrono::milliseconds clock_skew{1'000};    // by which clocks of the source's servers may differ
  std::chrono::milliseconds mark_period{1'000};   // between two watermark writes
  bool may_pause = true;                          // false: a paused index is not started
  std::chrono::milliseconds pause_period{5'000};  // between two checks whether a person paused the index
  std::function<void(const IndexMeta&)> opened = [](const IndexMeta&) {};  // called once, before any work
  std::chrono::milliseconds table_period{0};  // between two checks whether the index table is the same; 0: never
  std::function<void(const TableNews&)> table_news = [](const TableNews&) {};  // also before any work
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
  RedactableText trouble() const;
  /// True once the store has answered.
  bool reached() const { return reached_; }
  /// Since when (Clock::MonotonicNow) a call has been retried without an answer; absent: no call is.
  std::optional<std::chrono::milliseconds> store_away_since() const;
  /// Who paused the index, when and why; empty: not paused.
  std::string paused() const;
  /// Since when the index table is known to be recreated without a proof, in milliseconds since the epoch; absent: the
  /// index matches.
  std::optional<int64_t> mismatch_since() const;
  /// See MarkWriter; absent also before the store has answered.
  std::optional<int64_t> complete() const {
    return reached_ && mark_writer_ != nullptr ? mark_writer_->complete() : std::nullopt;
  }
  /// The first of the messages in flight at the failure for which Run ended; absent: the failure was of no partition.
  std::optional<consumer::StreamPosition> failed_at() const;

 private:
  struct OpenPartition;  // state of one assignment

  /// The part of Run after the index is open.
  void RunWorkers();
  Status LearnPause();
  void LookAtRow();
  void LookAtTable();
  Result<std::optional<NotedTable>> SeenTable();
  void NotePause(const std::string& paused);
  void NoteTable(const NotedTable& noted);
  void Work();
  /// Handles one answer of the source; false: the source has ended.
  bool WorkOnce();
  /// Applies the batch. Its offset moves now, or after the delayed re-read, which then has the batch alone.
  void Take(const std::shared_ptr<const consumer::Batch>& taken);
  void Take(const std::shared_ptr<consumer::RequestBatch>& taken);
  Status ApplyNoted(OpenPartition* partition, const consumer::RequestBatch& batch, const ToldRequests& told);
  void FinishRequests(const std::shared_ptr<OpenPartition>& partition, const consumer::RequestBatch& batch);
  using BatchPtr = std::shared_ptr<const consumer::Batch>;
  void FinishOrReread(const std::shared_ptr<OpenPartition>& partition, const BatchPtr& taken);
  void RereadSource(const std::shared_ptr<OpenPartition>& partition, const BatchPtr& taken);
  /// Ends a batch whose writes are all acknowledged by the store.
  void Finish(OpenPartition* partition, const consumer::Batch& batch);
  std::unique_ptr<MarkWriter> NewMarkWriter();
  Status Explained(const Status& status, const consumer::Assignment& assignment) const;
  /// Gives the partition of failed work back, and ends the index if the failure is not a loss of the partition.
  void GiveUp(const std::shared_ptr<consumer::Assignment>& assignment, const Status& why,
              std::optional<int64_t> offset = {});
  Status Open(const consumer::Opening& opening);
  /// Finds where the partition's requests begin, if it has a request topic.
  Status OpenRequests(const consumer::Opening& opening, OpenPartition* partition);
  void NoteCommit(const consumer::Committed& committed);
  void NoteCommit(const consumer::Assignment& assignment);
  /// Waits until it is confirmed that everything handed out of the assignment is of the logs that were opened.
  Status ConfirmLogs(const consumer::Assignment& assignment);
  void NoteLastCommits();
  std::shared_ptr<OpenPartition> FindPartition(const consumer::Assignment* assignment);
  /// Wraps `behind`, or the store itself, so that temporary errors are retried as long as `should_go_on` says so.
  std::unique_ptr<store::Store> WithRetry(std::unique_ptr<store::Store> behind, std::function<Status()> should_go_on);
  Status CheckNotStopped() const;
  /// Ok also after Stop, until the deadline of work in flight.
  Status CheckStopDeadline() const;
  void Fail(const Status& status, std::optional<consumer::StreamPosition> at = {});
  void NoteTrouble(const RedactableText& words);
  void NoteStore(std::optional<std::chrono::milliseconds> away_since);
  /// Records how old the events of a finished batch were.
  void NoteDelays(const consumer::Batch& batch) const;
  void NoteSilence(OpenPartition* partition);
  RedactableText SilenceText() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);

  const std::shared_ptr<const mapping::Index> index_;
  consumer::ChangeSource* const source_;
  store::Store* const store_;
  consumer::DeadLetterSink* const dead_letters_;
  Clock* const clock_;
  const RunnerOptions options_;
  std::unique_ptr<store::Store> meta_store_;
  std::unique_ptr<store::Store> light_store_;  // makes no retries; the caller repeats what failed later
  std::unique_ptr<IndexMeta> meta_;
  std::unique_ptr<DelayedRereads> second_looks_;
  std::unique_ptr<MarkWriter> mark_writer_;  // set before reached_; null: no watermarks are written
  // Used by the thread of Run, then by the watch's.
  std::optional<std::chrono::milliseconds> table_seen_;  // absent: to be checked as soon as possible
  bool table_unknown_told_ = false;

  Counters counters_;
  std::atomic<bool> stopping_{false};
  std::atomic<std::chrono::milliseconds> stopped_at_{std::chrono::milliseconds(0)};  // set before stopping_
  std::atomic<bool> reached_{false};

  mutable Mutex mu_;
  std::map<const consumer::Assignment*, std::shared_ptr<OpenPartition>> partitions_ ABSL_GUARDED_BY(mu_);
  Status failure_ ABSL_GUARDED_BY(mu_);
  std::optional<consumer::StreamPosition> failed_at_ ABSL_GUARDED_BY(mu_);
  RedactableText trouble_ ABSL_GUARDED_BY(mu_);
  std::optional<std::chrono::milliseconds> store_away_since_ ABSL_GUARDED_BY(mu_);
  RedactableText trouble_of_marks_ ABSL_GUARDED_BY(mu_);
  std::string paused_ ABSL_GUARDED_BY(mu_);
  std::optional<int64_t> mismatch_since_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::indexer

// Keeps one index exact for one assignment of a partition: takes a batch, and returns when the store has acknowledged
// every change.
//
// The common part of both modes (mapping::Scheme): StatefulMaintainer keeps row states, mirror::Mirror keeps floors.
// Blocks; one thread at a time. After any error the object must not be used again, because its memory may differ from
// what is stored.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "consumer/changelog.h"
#include "consumer/dead_letters.h"
#include "indexer/changelog/row_changelog.h"
#include "indexer/index_writer.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/event_check.h"
#include "indexer/requests/dead_letter_limit.h"
#include "indexer/requests/told_requests.h"
#include "indexer/state/layout.h"
#include "indexer/state/read_sizer.h"
#include "indexer/state/state_memory.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// Owned by the IndexRunner; outlives every IndexMaintainer.
struct MaintainerOptions {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;  // checks before each call whether the partition is still ours (M11)
  consumer::DeadLetterSink* dead_letters = nullptr;
  Counters* counters = nullptr;
  bool read_source = false;
  size_t cache_bytes = 16 << 20;
  size_t seen_filter_bytes = SeenFilter::kDefaultBytes;
  size_t planned_bytes = size_t{8} << 20;            // what is planned is written when it takes so much
  size_t read_bytes = ReadSizer::kBytes;             // what is read together, of states and of the source
  Clock* clock = SystemClock();                      // says what `retention:` of period tables counts from
  Timings* timings = nullptr;                        // null: nothing is timed
  mapping::Scheme scheme = mapping::Scheme::kState;  // IndexMeta::scheme()
  StateLayout layout;                                // IndexMeta::layout()
  /// Records a bulk load durably. Null: the index cannot follow bulk loads, because it does not read its source.
  std::function<Status(const ChangeEvent&)> note_load = nullptr;
  consumer::Changelog* changelog = nullptr;      // null: the index has none, or writes none here
  std::function<Status()> go_on;                 // asked while the changelog waits; null: the assignment is
  std::function<void(const std::string&)> tell;  // why the changelog waits; null: nobody is told
  std::string version;                           // of fensi
};

class IndexMaintainer {
 public:
  virtual ~IndexMaintainer() = default;
  IndexMaintainer(const IndexMaintainer&) = delete;
  IndexMaintainer& operator=(const IndexMaintainer&) = delete;

  /// Applies a batch. Ok: every write is acknowledged and the dead letters are durable. The offset may move, unless
  /// ambiguous rows wait for a delayed re-read.
  Status Apply(const consumer::Batch& batch);
  /// Applies requests, which are recorded before (requests/position.h). They must not change until the next batch.
  Status Apply(const ToldRequests& told);
  /// When the source must be read again (Clock::MonotonicNow) before the offset of the last batch may move; absent: not
  /// at all.
  virtual std::optional<std::chrono::milliseconds> second_look() const = 0;
  /// Runs the delayed re-read of the batch that was applied last. Ok: its offset may move, unless second_look() gives
  /// the time of another one.
  Status RereadSource(const consumer::Batch& batch);
  Status RereadSource(const ToldRequests& told) { return RereadSource(told.batch); }

 protected:
  IndexMaintainer(const MaintainerOptions& context, std::shared_ptr<consumer::Assignment> assignment);

  /// Starts a batch; requests_ are set.
  virtual void Begin(const consumer::Batch& batch) = 0;
  virtual Status ApplyPieces(const consumer::Batch& batch) = 0;
  /// Re-reads as many rows as fit into memory together.
  virtual Status LookAgainAtSome(const consumer::Batch& batch) = 0;
  /// Called when second_look() is absent: from now on it tells of the rows that are to be read once more.
  virtual void EndRereads() = 0;

  Status WriteIndex(const consumer::Batch& batch, ChangeSet* changes, std::vector<Letter>* letters);
  Status SendDeadLetters(const consumer::Batch& batch, std::vector<Letter>* letters);

  const MaintainerOptions context_;
  const std::shared_ptr<consumer::Assignment> assignment_;
  PhaseClock phases_;
  Requests requests_;  // of the batch that was applied last; empty: a batch of the stream

 private:
  Status ApplyNow(const consumer::Batch& batch);
  /// Ends the phases of the batch, unless a delayed re-read follows.
  void FinishPhases();
  void NoteBatch(const consumer::Batch& batch);
  std::string Topic(const consumer::Batch& batch) const;
  /// True if the dead letter may be written. Of the rows that a scan meets only the first get dead letters.
  bool MayTell(const Letter& letter);
  /// M27: records the bulk loads of the batch, or writes dead letters for them.
  Status NoteLoads(const consumer::Batch& batch);

  const std::unique_ptr<RowChangelog> changelog_;  // null: none
  IndexWriter writer_;
  DeadLetterLimit letters_of_images_;
};

}  // namespace fensi::indexer

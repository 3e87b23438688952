// Keeps one index exact for one assignment of a partition: a batch in, everything it changes acknowledged by the store.
//
// A batch is applied in pieces, bounded by what their states and their changes take. Order of a piece (M7): read
// states, plan, read the source for doubtful units; then write intents (M8.1), puts, removals, dead letters, states.
// Every phase is acknowledged or durable completely before the next: by the states the events are repetitions, of which
// nothing more is told. Ownership is checked before planning and before each call (M11). Blocking; one thread at a
// time. After any error the object must not be used again: what it remembers may not be what is stored.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "consumer/dead_letters.h"
#include "indexer/counters.h"
#include "indexer/doubts.h"
#include "indexer/index_writer.h"
#include "indexer/plan/batch_planner.h"
#include "indexer/requests/letter_bound.h"
#include "indexer/requests/told_requests.h"
#include "indexer/state/state_memory.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// Owned by the IndexRunner; outlives every Maintainer.
struct MaintainerContext {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;
  consumer::DeadLetterSink* dead_letters = nullptr;
  Counters* counters = nullptr;
  bool read_source = false;
  size_t cache_bytes = 16 << 20;
  size_t seen_filter_bytes = SeenFilter::kDefaultBytes;
  size_t planned_bytes = size_t{8} << 20;  // what is planned is written when it takes so much
  size_t read_bytes = ReadPace::kBytes;    // what is read together, of states and of the source
  Clock* clock = SystemClock();            // says what `keep:` of period tables counts from
  Timings* timings = nullptr;              // null: nothing is timed
};

class Maintainer {
 public:
  /// `fresh`: no state can exist but what this assignment writes itself (M13).
  Maintainer(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment, bool fresh);

  /// Ok: every write of the batch is acknowledged and its dead letters are durable; the offset may move, unless rows
  /// in doubt wait for their second look.
  Status Apply(const consumer::Batch& batch);
  /// The same for requests, noted before (requests/position.h). Until the next batch they are not changed.
  Status Apply(const ToldRequests& told);
  /// When the source must be looked at again (Clock::SinceBoot) before the offset of the last batch may move.
  std::optional<std::chrono::milliseconds> second_look() const { return doubts_.second_look(); }
  /// The second look, for the batch that was applied last. Ok: its offset may move.
  Status LookAgain(const consumer::Batch& batch);
  Status LookAgain(const ToldRequests& told) { return LookAgain(told.batch); }

 private:
  Status ApplyPieces(const consumer::Batch& batch);
  /// Unless a second look is to come.
  void FinishPhases();
  void NoteBatch(const consumer::Batch& batch);
  void NoteLookup(const RowWork& row, Count* unknown);
  std::string Topic(const consumer::Batch& batch) const;
  /// The records from `first` on, up to `*next`.
  Status ApplyPiece(const consumer::Batch& batch, size_t first, size_t* next);
  /// At as many rows as may be in memory together.
  Status LookAgainAtSome(const consumer::Batch& batch);
  /// Looks at the source for what is planned and writes all of it, as if the batch ended here (M7).
  Status Finish(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner, ChangeSet* changes,
                std::vector<Letter>* letters);
  void NotePace(std::span<const store::GetRequest> requests, const std::vector<store::Row>& answers);
  /// In the order of the rows, as many as may be in memory together.
  Status LoadStates(BatchRows* rows);
  bool SurelyUnknown(const RowWork& row) const;
  void MarkSeen(const RowWork& row);
  Status AddUnitsOfSource(BatchRows* rows);
  /// Of what a scan meets only the first are told.
  bool MayTell(const Letter& letter);
  Status Write(const consumer::Batch& batch, BatchRows* rows, ChangeSet* changes, std::vector<Letter>* letters);
  Status WriteIndex(ChangeSet* changes, std::vector<Letter>* letters);
  Status WriteStates(BatchRows* rows);
  Status WriteStateRows(const std::vector<store::RowMutation>& mutations);
  Status SendDeadLetters(const consumer::Batch& batch, std::vector<Letter>* letters);

  const MaintainerContext context_;
  const std::shared_ptr<consumer::Assignment> assignment_;
  const bool row_units_;
  const std::optional<int64_t> state_ttl_;  // milliseconds
  PhaseClock phases_;
  IndexWriter writer_;
  StateCache cache_;
  ReadPace pace_;
  std::unique_ptr<SeenFilter> seen_;  // only for a fresh assignment
  Doubts doubts_;
  Requests requests_;  // of the batch that was applied last; empty: it was none of requests
  LetterBound letters_of_images_;
};

}  // namespace fensi::indexer

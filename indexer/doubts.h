// M8 for one assignment: looks at the source for units in doubt, under intents that survive a death, and once more when
// the first look may have come too early: HBase logs a change, and so tells us of it, before it shows it.
//
// Blocks on the store; one thread at a time. Everything that is handed in outlives the object.
#pragma once

#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "indexer/plan/batch_rows.h"
#include "indexer/plan/unit_planner.h"
#include "indexer/requests/index_cells.h"
#include "indexer/shown.h"
#include "indexer/state/read_pace.h"
#include "indexer/state/state_writes.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class Doubts {
 public:
  Doubts(const mapping::Index* index, store::Store* store, Clock* clock, const consumer::Assignment* assignment,
         std::atomic<int64_t>* source_reads, PhaseClock* phases, size_t read_bytes, StateWrites states);

  /// What a batch is of.
  enum class Log { kStream, kRequests };
  /// A batch has come. What the last one left for a second look is forgotten.
  void Begin(Log log = Log::kStream);
  /// Units of the columns that the source shows, for rows that ask for all of them.
  Status AddUnitsOfSource(BatchRows* rows);
  /// Units that an earlier piece of the batch looked at stay in doubt for all of it: what this piece tells of them is
  /// looked at again, and the second look is one for all.
  void BeginPiece(BatchRows* rows);
  /// Completes the changes of a piece of the batch for its doubtful units, or for as many of them as what the source
  /// shows of may be in memory together. False: some are left, and what is complete must be written and let go of.
  Result<bool> LookFirst(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner);
  /// M8.1: what plain steps planned of units that were in doubt once stands under an intent, too.
  Status Announce(BatchRows* rows);
  /// What was seen of the source fills the memory that a piece has for it.
  bool full() const { return seen_bytes_ >= read_bytes_; }

  /// When the units of young events are to be looked at again; none: not at all.
  std::optional<std::chrono::milliseconds> second_look() const;
  /// The next units of the second look, at most as many as may be in memory together.
  void AddRows(BatchRows* rows);
  /// What became of them since the first look; of those whose rows are loaded, as far as it may be in memory together.
  Status LookAgain(BatchRows* rows, UnitPlanner* planner);

  /// Once the states are stored: removes the intents that they settle.
  Status ForgetIntents(BatchRows* rows);

 private:
  struct Waiting {  // for a second look
    std::string row, family, qualifier;
    size_t record;
    bool recheck;
  };
  static UnitWork* Find(BatchRows* rows, const Waiting& waiting);
  static bool IsLoaded(BatchRows* rows, const Waiting& waiting);
  /// A request says nothing of when the source changed: what its look left open may be a change that is not shown yet.
  bool NeedsSecondLook(const consumer::Record& record, const UnitWork& work) const;
  /// The first of them, at least one.
  Status ReadSource(std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots);
  /// M14: rechecked units get versions above all that stands in their way.
  Status Raise(Look look, std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots, UnitPlanner* planner);
  Status RaiseOne(Look look, UnitWork* work, Snapshot* seen, UnitPlanner* planner);
  /// Intents, then the units' changes. The snapshots may become newer.
  Status Finish(Look look, std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots, UnitPlanner* planner);

  /// Of a unique key what was planned stands under an intent of its own: it reaches less far than a look.
  void AddPlanned(UnitWork* work, InOrder* intents) const;
  Status WriteIntents(const InOrder& intents);
  Status PutAll(const std::vector<store::RowMutation>& rows);
  Status DeleteAll(const std::vector<store::RowMutation>& rows);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const consumer::Assignment* const assignment_;
  std::atomic<int64_t>* const source_reads_;
  PhaseClock* const phases_;
  const size_t read_bytes_;
  const StateWrites states_;
  const std::string nonce_, planned_nonce_;  // in the names of this assignment's intents
  IndexCells index_cells_;
  Log log_ = Log::kStream;
  size_t seen_bytes_ = 0;  // of the source, for this piece
  std::chrono::milliseconds received_{0};
  std::vector<Waiting> waiting_;
  std::vector<Waiting> looking_;  // those that AddRows() took
  ReadPace pace_;                 // of the source
};

}  // namespace fensi::indexer

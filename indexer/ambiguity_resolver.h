// Resolves ambiguous events (M8) for one assignment: reads the source row of each ambiguous unit, under write intents
// that survive a crash. If the first read may have come too early, the resolver reads the row again later, because
// HBase logs a change, and so sends it to us, before HBase makes the change visible.
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
#include "indexer/reread_schedule.h"
#include "indexer/state/read_sizer.h"
#include "indexer/state/state_writes.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

class AmbiguityResolver {
 public:
  AmbiguityResolver(const mapping::Index* index, store::Store* store, Clock* clock, std::atomic<int64_t>* source_reads,
                    PhaseClock* phases, size_t read_bytes, StateWrites states);

  using Log = RereadSchedule::Log;
  /// Starts a batch. Forgets the delayed re-reads of the batch before.
  void Begin(const consumer::Batch& batch, Log log = Log::kStream);
  /// Adds the units of all columns that the source shows, for rows that ask for all of them.
  Status LoadUnitsFromSource(BatchRows* rows);
  /// Starts a piece of the batch. Units that an earlier piece resolved stay ambiguous for the whole batch: their row is
  /// read again, and one delayed re-read serves all pieces.
  void BeginPiece(BatchRows* rows);
  /// Completes the changes of a piece for its ambiguous units, or for as many units as the source rows of fit into
  /// memory together. False: some units are left. The caller must then write what is complete and release it.
  Result<bool> ReadSourceNow(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner);
  /// M8.1: writes intents also for what plain steps planned of units that were ambiguous once.
  Status Announce(BatchRows* rows);
  /// True if the source rows that were read fill the memory of a piece.
  bool full() const { return seen_bytes_ >= read_bytes_; }

  /// When the units of young events must be re-read; absent: no re-read is due.
  std::optional<std::chrono::milliseconds> second_look() const;
  /// Adds the next units of the delayed re-read, at most as many as fit into memory together.
  void AddRows(BatchRows* rows);
  /// Reads the source again for the loaded rows, as far as they fit into memory together, and plans what changed since
  /// the first read.
  /// Units that HBase does not show yet wait for the next round.
  Status RereadSource(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner);

  /// Ends a round of re-reads: what HBase did not show is read again in the next one, if second_look() tells of it.
  void EndRereads();

  /// Removes the intents that the stored states settle. Call after the states are stored.
  Status DeleteIntents(BatchRows* rows);

 private:
  struct Waiting {  // for a delayed re-read
    std::string row, family, qualifier;
    size_t record;
    bool recheck;
  };
  static UnitWork* Find(BatchRows* rows, const Waiting& waiting);
  static bool IsLoaded(BatchRows* rows, const Waiting& waiting);
  /// What a read of the source showed.
  struct Reads {
    std::vector<Snapshot> snapshots;
    std::vector<ReadPointPtr> points;  // of the same reads
  };
  /// Reads the first of the units, at least one.
  Status ReadSource(std::span<UnitWork* const> units, Reads* reads);
  /// Reads the units again that the source does not show completely yet, for some milliseconds.
  Status AwaitShown(const consumer::Batch& batch, std::span<UnitWork* const> units, Reads* reads);
  /// M14: raises the versions of rechecked units above every put and marker at their index cells.
  Status Raise(Look look, std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots, UnitPlanner* planner);
  Status RaiseOne(Look look, UnitWork* work, Snapshot* seen, UnitPlanner* planner);
  /// Writes the intents, then plans the units' changes. The snapshots may become newer.
  Status Finish(Look look, std::span<UnitWork* const> units, std::vector<Snapshot>* snapshots, UnitPlanner* planner);

  /// Adds an intent of its own for what was planned of a unique key: its removal reaches less far than that of a read.
  void AddPlanned(UnitWork* work, InOrder* intents) const;
  Status WriteIntents(const InOrder& intents);
  Status PutAll(const std::vector<store::RowMutation>& rows);
  Status DeleteAll(const std::vector<store::RowMutation>& rows);

  const mapping::Index* const index_;
  store::Store* const store_;
  std::atomic<int64_t>* const source_reads_;
  PhaseClock* const phases_;
  const size_t read_bytes_;
  const StateWrites states_;
  const std::string nonce_, planned_nonce_;  // part of the names of this assignment's intents
  IndexCells index_cells_;
  size_t seen_bytes_ = 0;  // bytes of source rows that this piece read
  RereadSchedule schedule_;
  std::vector<Waiting> waiting_;
  std::vector<Waiting> looking_;  // units that AddRows() took
  std::vector<Waiting> later_;    // for the next round
  ReadSizer pace_;                // for reads of the source
};

}  // namespace fensi::indexer

// Keeps an index exact by states (mapping::Scheme::kState).
//
// A batch is applied in pieces, bounded by what their states and their changes take. Order of a piece (M7): read
// states, plan, read the source for doubtful units; then write intents (M8.1), puts, removals, dead letters, states.
// Every phase is acknowledged or durable completely before the next: by the states the events are repetitions, of which
// nothing more is told. Ownership is checked before planning and before each call (M11).
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/doubts.h"
#include "indexer/keeper.h"
#include "indexer/plan/batch_planner.h"
#include "indexer/state/state_memory.h"
#include "indexer/state/state_reads.h"
#include "indexer/state/state_writes.h"
#include "store/store.h"

namespace fensi::indexer {

class Maintainer final : public Keeper {
 public:
  /// `fresh`: no state can exist but what this assignment writes itself (M13).
  Maintainer(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment, bool fresh);

  std::optional<std::chrono::milliseconds> second_look() const override { return doubts_.second_look(); }

 private:
  void Begin() override;
  Status ApplyPieces(const consumer::Batch& batch) override;
  Status LookAgainAtSome(const consumer::Batch& batch) override;
  void NoteLookup(const RowWork& row, Count* unknown);
  /// The records from `first` on, up to `*next`.
  Status ApplyPiece(const consumer::Batch& batch, size_t first, size_t* next);
  /// Looks at the source for what is planned and writes all of it, as if the batch ended here (M7).
  Status Finish(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner, ChangeSet* changes,
                std::vector<Letter>* letters);
  /// In the order of the rows, as many as may be in memory together.
  Status LoadStates(BatchRows* rows);
  Status Read(StateReads* reads);
  void NotePace(const StateReads& reads, const std::vector<store::Row>& answers);
  bool SurelyUnknown(const RowWork& row) const;
  void MarkSeen(const RowWork& row);
  Status AddUnitsOfSource(BatchRows* rows);
  Status Write(const consumer::Batch& batch, BatchRows* rows, ChangeSet* changes, std::vector<Letter>* letters);
  Status WriteStates(BatchRows* rows);
  Status WriteStateRows(const std::vector<store::RowMutation>& mutations);

  const bool row_units_;
  const StateWrites states_;
  StateCache cache_;
  ReadPace pace_;
  std::unique_ptr<SeenFilter> seen_;  // only for a fresh assignment
  Doubts doubts_;
};

}  // namespace fensi::indexer

// Keeps an index exact with row states (mapping::Scheme::kState).
//
// Applies a batch in pieces, bounded by the size of their states and changes. Order of a piece (M7): read states, plan,
// read the source for ambiguous units; then write intents (M8.1), puts, removals, dead letters, states. Every phase is
// acknowledged or durable completely before the next: once states are stored, the events are repetitions, and nothing
// more is written for them. Ownership is checked before planning and before each call (M11).
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

#include "consumer/change_source.h"
#include "indexer/ambiguity_resolver.h"
#include "indexer/index_maintainer.h"
#include "indexer/plan/batch_planner.h"
#include "indexer/state/state_memory.h"
#include "indexer/state/state_reads.h"
#include "indexer/state/state_writes.h"
#include "store/store.h"

namespace fensi::indexer {

class StatefulMaintainer final : public IndexMaintainer {
 public:
  /// `fresh`: no state can exist but what this assignment writes itself (M13).
  StatefulMaintainer(const MaintainerOptions& context, std::shared_ptr<consumer::Assignment> assignment, bool fresh);

  std::optional<std::chrono::milliseconds> second_look() const override { return doubts_.second_look(); }

 private:
  void Begin(const consumer::Batch& batch) override;
  Status ApplyPieces(const consumer::Batch& batch) override;
  Status LookAgainAtSome(const consumer::Batch& batch) override;
  void EndRereads() override { doubts_.EndRereads(); }
  void NoteLookup(const RowWork& row, Count* unknown);
  /// Applies the records from `first` on, and sets `*next` to the first record that is left.
  Status ApplyPiece(const consumer::Batch& batch, size_t first, size_t* next);
  /// Reads the source for ambiguous units and writes everything, as if the batch ended here (M7).
  Status Finish(const consumer::Batch& batch, BatchRows* rows, UnitPlanner* planner, ChangeSet* changes,
                std::vector<Letter>* letters);
  /// Loads states in the order of the rows, as many as fit into memory together.
  Status LoadStates(BatchRows* rows);
  Status Read(StateReads* reads);
  void NotePace(const StateReads& reads, const std::vector<store::Row>& answers);
  bool SurelyUnknown(const RowWork& row) const;
  void MarkSeen(const RowWork& row);
  Status LoadUnitsFromSource(BatchRows* rows);
  Status Write(const consumer::Batch& batch, BatchRows* rows, ChangeSet* changes, std::vector<Letter>* letters);
  Status WriteStates(BatchRows* rows);
  Status WriteStateRows(const std::vector<store::RowMutation>& mutations);

  const bool row_units_;
  const StateWrites states_;
  StateCache cache_;
  ReadSizer pace_;
  std::unique_ptr<SeenFilter> seen_;  // only for a fresh assignment
  AmbiguityResolver doubts_;
};

}  // namespace fensi::indexer

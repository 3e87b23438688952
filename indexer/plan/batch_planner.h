// Plans a batch whose states are loaded: event by event, unit by unit, in the order of the log.
//
// Not thread-safe; no I/O.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/status.h"
#include "indexer/plan/batch_rows.h"
#include "indexer/plan/unit_planner.h"
#include "indexer/repair_target_validator.h"

namespace fensi::indexer {

class BatchPlanner {
 public:
  /// `may_go_on` is called before each unit, because the regular expressions of one unit may take seconds.
  BatchPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes, std::vector<Letter>* letters,
               std::function<Status()> may_go_on);

  /// An error: some of the event may be planned, so nothing of the changes may be written.
  Status Plan(const PlannedEvent& event, uint64_t sequence_id);

  UnitPlanner* units() { return &planner_; }
  /// Approximate size of the changes that are planned and not written.
  size_t bytes() const { return changes_->bytes() + planner_.candidate_bytes(); }

 private:
  bool Representable(const PlannedEvent& event);
  bool LeavesOpen(const Cell& marker) const;
  bool ApplyMarkers(const PlannedEvent& event, uint64_t sequence_id, FamilyStates* families) const;
  bool ApplyMarker(const Cell& marker, uint64_t sequence_id, FamilyStates* families) const;
  std::string NoSourceText() const;
  Status PlanUnit(const PlannedEvent& event, const UnitStep& step, UnitWork* work);
  /// Plans with the markers that the unit keeps itself.
  void PlanWithOwnMarkers(const PlannedEvent& event, UnitStep step, UnitWork* work);
  Status PlanColumns(const PlannedEvent& event, UnitStep* step);
  Status PlanRecheck(const PlannedEvent& event, UnitStep* step);
  /// Returns the newest version that it removes; kNoTime: none.
  int64_t RemoveSuspects(const PlannedEvent& event);

  const mapping::Index* const index_;
  const bool row_units_;
  const bool read_source_;
  ChangeSet* const changes_;
  std::vector<Letter>* const letters_;
  const std::function<Status()> may_go_on_;
  UnitPlanner planner_;
  const RepairTargetValidator suspects_;
  FamilyStates families_before_;  // reused
};

}  // namespace fensi::indexer

// Plans a batch whose states are loaded: event by event, unit by unit, in the order of the log.
//
// Not thread-safe; no I/O.
#pragma once

#include <string>
#include <vector>

#include "indexer/plan/batch_rows.h"
#include "indexer/plan/unit_planner.h"

namespace fensi::indexer {

class BatchPlanner {
 public:
  BatchPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes, std::vector<Report>* reports);

  void Plan(const PlannedEvent& event, uint64_t sequence_id);

  UnitPlanner* units() { return &planner_; }
  /// What is planned and not written takes about so much.
  size_t bytes() const { return changes_->bytes() + planner_.candidate_bytes(); }

 private:
  bool Representable(const PlannedEvent& event);
  bool ApplyMarkers(const PlannedEvent& event, uint64_t sequence_id, FamilySet* families) const;
  void PlanColumns(const PlannedEvent& event, UnitStep* step);

  const bool row_units_;
  const bool read_source_;
  const ChangeSet* const changes_;
  std::vector<Report>* const reports_;
  UnitPlanner planner_;
  FamilySet families_before_;  // reused
};

}  // namespace fensi::indexer

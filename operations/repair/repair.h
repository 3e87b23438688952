// Runs one repair of an index: checks reported targets, sends requests to the owners of the rows that are wrong, waits
// until they are done, and confirms each row.
//
// Blocks on the store and the owners; one thread. Memory is bounded, however long the list. Everything that is handed
// in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "operations/repair/orphan_removal.h"
#include "operations/repair/owners.h"
#include "operations/repair/row_request.h"
#include "operations/repair/targets.h"
#include "store/store.h"
#include "sweep/compare/finding.h"
#include "sweep/compare/judge.h"
#include "sweep/compare/unit_check.h"
#include "sweep/scan/page_reader.h"

namespace fensi::operations {

struct RepairOptions {
  std::string incarnation;
  int64_t rows_per_second = 0;  // 0: no bound
  std::chrono::milliseconds wait{0};
  sweep::JudgeOptions judge;
  /// Called with a line for each row that is wrong, and for each cell of no known row.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

class Repair {
 public:
  /// `owners`: null in a dry run.
  Repair(const mapping::Index* index, store::Store* store, Clock* clock, RepairOptions options, TargetList* targets,
         RowOwners* owners);

  /// Removes cells of no known source row, checks each other target, and sends a request for each row that is wrong.
  Status Ask();
  /// Waits for the owners; false: timeout.
  Result<bool> Await();
  /// M18 again, for all targets. Remaining differences go to the sink.
  Status JudgeAgain(sweep::FindingSink* left);

  int64_t rows() const { return rows_; }    // wrong, and requested unless it is a dry run
  int64_t right() const { return right_; }  // targets that are right by now
  /// Cells of no known source row, and the number of their removed versions.
  int64_t unknown() const { return static_cast<int64_t>(unknown_.size()); }
  int64_t removed() const { return removal_.removed(); }
  /// Result of JudgeAgain.
  const sweep::Counts& left() const { return left_; }

 private:
  Status CollectUnknown();
  sweep::OrphanProofOptions ProofOptions() const;
  Status AskOf(const sweep::CheckedUnit& unit, bool always);
  Status AskGivers();
  Status AskRow();
  Status Suspect(const sweep::CheckedUnit& unit, sweep::Judge* judge, sweep::FindingSink* left);
  Status TellOrphansLeft(sweep::FindingSink* left);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const RepairOptions options_;
  TargetList* const targets_;
  RowOwners* const owners_;
  sweep::UnitCheck check_;
  sweep::Pace pace_;
  std::unique_ptr<RowRequest> request_;
  sweep::OrphanVerifier proof_;
  OrphanRemoval removal_;
  std::vector<sweep::IndexCell> unknown_;
  std::vector<sweep::RepairTarget> givers_;
  int64_t rows_ = 0, right_ = 0;
  sweep::Counts left_;
};

}  // namespace fensi::operations

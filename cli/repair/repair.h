// One repair of an index: looks at what was called wrong, asks the owners of the rows that are wrong indeed, waits
// until they have done it, and judges each row again.
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
#include "cli/repair/orphan_removal.h"
#include "cli/repair/owners.h"
#include "cli/repair/row_request.h"
#include "cli/repair/targets.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/finding.h"
#include "sweep/judge.h"
#include "sweep/page_reader.h"
#include "sweep/row_check.h"

namespace fensi::cli {

struct RepairOptions {
  std::string incarnation;
  int64_t rows_per_second = 0;  // 0: as fast as it goes
  std::chrono::milliseconds wait{0};
  sweep::JudgeOptions judge;
  /// A line for each row that is wrong, and for each cell of no known row.
  std::function<void(const std::string&)> tell = [](const std::string&) {};
};

class Repair {
 public:
  /// `owners`: null in a dry run.
  Repair(const mapping::Index* index, store::Store* store, Clock* clock, RepairOptions options, TargetList* targets,
         RowOwners* owners);

  /// Removes cells of no known source row, looks at each other target, and asks the owner of each row that is wrong.
  Status Ask();
  /// Until the owners have done it; false: they have not in time.
  Result<bool> Await();
  /// M18 once more, of all targets. What is left goes to the sink.
  Status JudgeAgain(sweep::FindingSink* left);

  int64_t rows() const { return rows_; }    // wrong, and asked for unless it is a dry run
  int64_t right() const { return right_; }  // units that were called wrong and are not
  /// Cells of no known source row, and how many versions of them were removed.
  int64_t unknown() const { return static_cast<int64_t>(unknown_.size()); }
  int64_t removed() const { return removal_.removed(); }
  /// Of JudgeAgain.
  const sweep::Counts& left() const { return left_; }

 private:
  Status CollectUnknown();
  sweep::OrphanProofOptions ProofOptions() const;
  Status AskOf(const sweep::SeenUnit& unit, bool always);
  Status AskGivers();
  Status AskRow();
  Status Suspect(const sweep::SeenUnit& unit, sweep::Judge* judge, sweep::FindingSink* left);
  Status TellOrphansLeft(sweep::FindingSink* left);

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const RepairOptions options_;
  TargetList* const targets_;
  RowOwners* const owners_;
  sweep::RowCheck check_;
  sweep::Pace pace_;
  std::unique_ptr<RowRequest> request_;
  sweep::OrphanProof proof_;
  OrphanRemoval removal_;
  std::vector<sweep::IndexCell> unknown_;
  std::vector<sweep::NamedUnit> givers_;
  int64_t rows_ = 0, right_ = 0;
  sweep::Counts left_;
};

}  // namespace fensi::cli

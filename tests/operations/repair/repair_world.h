// An index that its owner keeps on an embedded store, in which a test breaks what it wants, and what a repair makes of
// it.
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "indexer/in_process_owner.h"
#include "indexer/stateful_maintainer.h"
#include "operations/repair/local_owners.h"
#include "operations/repair/repair.h"
#include "tests/doubles/memory_dead_letters.h"
#include "tests/sweep/support/sweep_world.h"

namespace fensi::operations {

/// What a comparison found, as a report tells it.
class FoundTargets final : public TargetList {
 public:
  explicit FoundTargets(const std::vector<sweep::Finding>& findings);
  Status ForEach(const Use& use) override;

 private:
  std::vector<Target> targets_;
};

struct Outcome {
  std::vector<std::string> told;  // lines
  std::vector<std::string> left;  // as SweepWorld::Compare
  int64_t rows = 0, right = 0, unknown = 0, removed = 0, source_reads = 0;
};

class RepairWorld {
 public:
  explicit RepairWorld(std::shared_ptr<const mapping::Index> index);

  /// Changes of the source, which the owner of the index follows.
  void Change(const std::vector<ChangeEvent>& events);
  void Put(const std::string& row, const std::string& column, const std::string& value, int64_t timestamp);

  /// What differs, unmappable rows left out.
  std::vector<std::string> Verify(sweep::CompareOptions options = {});
  /// Of the last Verify.
  FoundTargets Found() const { return FoundTargets(findings_); }

  /// As one run of the command.
  Outcome Repair(TargetList* targets, bool execute = true);
  /// Row, column and value of each visible index cell.
  std::set<std::string> Content();
  std::vector<std::string> Tables();

  sweep::SweepWorld* tables() { return &tables_; }
  RepairOptions options();
  const consumer::MemoryDeadLetters& letters() const { return letters_; }
  const mapping::Index& index() const { return *index_; }

  /// Of the index's states.
  const indexer::StateLayout& layout() const { return layout_; }

 private:
  const std::shared_ptr<const mapping::Index> index_;
  sweep::SweepWorld tables_;
  consumer::MemoryDeadLetters letters_;
  indexer::StateLayout layout_;
  indexer::Counters counters_;
  int64_t next_offset_ = 0;
  std::vector<sweep::Finding> findings_;
};

}  // namespace fensi::operations

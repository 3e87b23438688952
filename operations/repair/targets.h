// The targets of a repair: units of the source that were reported as wrong, and cells of the index that were named with
// them.
//
// Blocks on their source; one thread.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "sweep/compare/unit_check.h"

namespace fensi::operations {

struct Target {
  sweep::SourceUnit unit;                // without a row: the cell's source row is unknown
  std::optional<sweep::IndexCell> cell;  // none: only the unit was named
};

class TargetList {
 public:
  virtual ~TargetList() = default;
  using Use = std::function<Status(const Target&)>;
  /// Each call starts at the first target. An error of `use` ends it.
  virtual Status ForEach(const Use& use) = 0;
};

/// Source rows that a person named.
class RowList final : public TargetList {
 public:
  explicit RowList(std::vector<std::string> rows) : rows_(std::move(rows)) {}
  Status ForEach(const Use& use) override;

 private:
  const std::vector<std::string> rows_;
};

/// Targets of known source rows, each unit once with all its cells, in batches that fit into memory: in a list that
/// does not fit as a whole a unit may come again.
Status ForEachBatch(TargetList* targets, const std::function<Status(std::span<const sweep::RepairTarget>)>& use);

}  // namespace fensi::operations

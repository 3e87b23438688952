// What is to be repaired: units of the source that somebody calls wrong, and cells of the index that he named with
// them.
//
// Blocks on where they come from; one thread.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/status.h"
#include "sweep/row_check.h"

namespace fensi::cli {

struct Target {
  sweep::SourceUnit unit;                // without a row: nobody knows which source row the cell is of
  std::optional<sweep::IndexCell> cell;  // none: the unit was named alone
};

class TargetList {
 public:
  virtual ~TargetList() = default;
  using Use = std::function<Status(const Target&)>;
  /// From the first on, each time that it is called. An error of `use` ends it.
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

/// Those of known source rows, each unit once with all its cells, in batches that fit into memory: of a list that does
/// not fit as a whole a unit may come again.
Status ForEachBatch(TargetList* targets, const std::function<Status(std::span<const sweep::NamedUnit>)>& use);

}  // namespace fensi::cli

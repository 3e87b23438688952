// When cells of the source end by a TTL, as far as a mapping tells, and whether that matters to entries: nothing tells
// of an end, so an entry that is made of several cells must be made again without those that ended.
#pragma once

#include <cstdint>
#include <string_view>

#include "mapping/definition/definition.h"
#include "mapping/source_row.h"

namespace fensi::mapping {

/// The TTL of a family under `create:` that drops the newest version, too; 0: none.
int64_t TtlMillis(const CreateSpec& create, std::string_view family);

/// Immutable; any thread.
class CellEnds {
 public:
  /// Borrows the definition.
  explicit CellEnds(const IndexDefinition& definition);

  /// Entries are made of several cells, and do not go with the first of them (`expire: exact`).
  bool matter() const { return matter_; }
  /// Also between cells that `each:` binds, and not only between one of them and a column that a template names.
  bool matter_between_bound() const { return between_bound_; }
  /// Every entry goes by the TTL of its family.
  bool all_entries_expire() const { return all_entries_expire_; }
  /// Last millisecond at which the source shows the cell: by its own TTL, and that of its family, which is taken to be
  /// that of the index's family of the same name, else the longest that the index has. INT64_MAX: not known, or never.
  int64_t Of(const VisibleCell& cell) const;

 private:
  const CreateSpec& create_;
  const bool between_bound_;
  const bool matter_;
  int64_t longest_ttl_ = 0;  // of the index's families; 0: one has none
  bool all_entries_expire_ = true;
};

}  // namespace fensi::mapping

// Computes when entries expire: with `expire: exact` with the first of their source cells, else by the TTL of their
// families, which counts from the newest of these cells.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/engine/work.h"
#include "mapping/source_row.h"

namespace fensi::mapping {

class Expiry {
 public:
  /// Borrows the definition.
  explicit Expiry(const IndexDefinition& definition);

  /// Sets when the entry of a column of the index expires, or up to when its family's TTL must let it live.
  void Tell(size_t column, const Work& work, Entry* entry) const;

 private:
  /// For each column the TTL of its family and the slots of its source cells.
  struct Column {
    int64_t ttl_ms = 0;
    std::vector<size_t> slots;
  };
  /// When the cell expires: by the TTL of its family (the TTL of the index's column, if `create:` does not name the
  /// family) or its own.
  int64_t EndOf(const VisibleCell& cell, const Column& column) const;
  template <typename Use>
  static void ForEachCell(const Column& column, const Work& work, const Use& use);

  const CreateSpec& create_;
  const bool exact_;
  std::vector<Column> columns_;  // none: nothing expires
};

// Computes when cells of the source end by a TTL, as far as a mapping knows, and whether that matters to entries: no
// event reports an end, so an entry of several cells must be derived again without the ended ones.

/// The TTL of a family under `create:` that drops the newest version, too; 0: none.
int64_t TtlMillis(const CreateSpec& create, std::string_view family);

/// Immutable; any thread.
class CellEnds {
 public:
  /// Borrows the definition.
  explicit CellEnds(const IndexDefinition& definition);

  /// True if entries are made of several cells, and do not expire with the first of them (`expire: exact`).
  bool matter() const { return matter_; }
  /// True also between cells that `each:` binds, and not only between one of them and a column that a template names.
  bool matter_between_bound() const { return between_bound_; }
  /// True if every entry expires by the TTL of its family.
  bool all_entries_expire() const { return all_entries_expire_; }
  /// Last millisecond at which the source shows the cell: by its own TTL, and the TTL of its family, which is taken to
  /// be that of the index's family of the same name, else the longest of the index. INT64_MAX: unknown, or never.
  int64_t Of(const VisibleCell& cell) const;

 private:
  const CreateSpec& create_;
  const bool between_bound_;
  const bool matter_;
  int64_t longest_ttl_ = 0;  // of the index's families; 0: one has none
  bool all_entries_expire_ = true;
};

}  // namespace fensi::mapping

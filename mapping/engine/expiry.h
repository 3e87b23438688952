// When entries expire: with `expire: exact` with the first of the source cells that they came from, else by the TTL of
// their families, which counts from the newest of these cells.
#pragma once

#include <cstdint>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/engine/work.h"

namespace fensi::mapping {

class Expiry {
 public:
  /// Borrows the definition.
  explicit Expiry(const IndexDefinition& definition);

  /// Tells the entry that a column of the index gives when it expires, or up to when its family's TTL must let it live.
  void Tell(size_t column, const Work& work, Entry* entry) const;

 private:
  /// For each column the TTL of its family and the slots whose cells it came from.
  struct Column {
    int64_t ttl_ms = 0;
    std::vector<size_t> slots;
  };
  /// When the cell goes: by the TTL of its family (that of the index's column, where `create:` does not name it) or its
  /// own.
  int64_t EndOf(const VisibleCell& cell, const Column& column) const;
  template <typename Use>
  static void ForEachCell(const Column& column, const Work& work, const Use& use);

  const CreateSpec& create_;
  const bool exact_;
  std::vector<Column> columns_;  // none: nothing expires
};

}  // namespace fensi::mapping

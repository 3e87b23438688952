// `expire: exact`: when the cells of an entry go with the source cells they came from.
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

  /// Of the cell that a column of the index gives; INT64_MAX: never.
  int64_t Of(size_t column, const Work& work) const;

 private:
  /// For each column the TTL of its family and the slots whose cells it came from.
  struct Column {
    int64_t ttl_ms = 0;
    std::vector<size_t> slots;
  };
  /// When the cell goes: by the TTL of its family (that of the index's column, where `create:` does not name it) or its
  /// own.
  int64_t EndOf(const VisibleCell& cell, const Column& column) const;

  const CreateSpec& create_;
  std::vector<Column> columns_;  // none: nothing expires so
};

}  // namespace fensi::mapping

// Identifies the compared table of an index, and records that this table is proved (indexer/index_table.h), which ends
// the state 'mismatch' of an index whose table was recreated. Blocks on the store, which outlives it.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "indexer/index_table.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

class TableProof {
 public:
  /// Checks the table before anything is compared, and warns on standard error if the index is 'mismatch'. `command` is
  /// the prefix of messages.
  TableProof(const mapping::Index& index, std::string command, store::Store* store);

  /// The compared table; absent: unknown.
  const std::optional<store::TableIdentity>& table() const { return table_; }

  bool mismatch() const { return mismatch_; }

  /// Records that all rows of `table` were compared, in both directions, and nothing is wrong. Reports on standard
  /// error what became of a 'mismatch'. Absent: not all rows of one table were compared.
  void Note(const std::optional<store::TableIdentity>& table, store::Store* store) const;

 private:
  void SayStays(const std::string& why) const;

  const mapping::Index& index_;
  const std::string command_;
  std::optional<store::TableIdentity> table_;
  bool mismatch_ = false;
  Status why_;  // why the table is unknown
};

}  // namespace fensi::operations

// Which table of an index a comparison is about, and the note that this table is proved (indexer/index_table.h): what
// ends the state 'mismatch' of an index whose table was made again. Blocks on the store, which outlives it.
#pragma once

#include <optional>
#include <string>

#include "base/status.h"
#include "indexer/index_table.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::cli {

class TableProof {
 public:
  /// Looks at the table, before anything is compared, and says on standard error that the index is 'mismatch', if it
  /// is. `command` begins what it says.
  TableProof(const mapping::Index& index, std::string command, store::Store* store);

  /// The table that is compared; absent: that could not be learned.
  const std::optional<store::TableIdentity>& table() const { return table_; }

  bool mismatch() const { return mismatch_; }

  /// All rows of `table` were compared, in both directions, and nothing is wrong. Says on standard error what became of
  /// a 'mismatch'. Absent: not all rows of one table were compared.
  void Note(const std::optional<store::TableIdentity>& table, store::Store* store) const;

 private:
  void SayStays(const std::string& why) const;

  const mapping::Index& index_;
  const std::string command_;
  std::optional<store::TableIdentity> table_;
  bool mismatch_ = false;
  Status why_;  // the table is not known
};

}  // namespace fensi::cli

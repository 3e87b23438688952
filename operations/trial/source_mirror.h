// A source table in memory, so that commands that try events out can read what HBase would show.
//
// Blocks; one thread.
#pragma once

#include <memory>
#include <set>
#include <string>

#include "base/cell.h"
#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

class SourceMirror {
 public:
  /// An empty table. `clock` outlives the stateless index.
  static Result<std::unique_ptr<SourceMirror>> Start(const std::string& table, std::set<std::string> families,
                                                     Clock* clock);
  /// With the families that the index watches.
  static Result<std::unique_ptr<SourceMirror>> Start(const mapping::Index& index, Clock* clock);

  Status Apply(const ChangeEvent& event);
  /// Visible cells.
  Result<store::Row> Read(const std::string& row) const;

 private:
  SourceMirror(std::string table, std::set<std::string> families, std::unique_ptr<store::Store> store)
      : table_(std::move(table)), families_(std::move(families)), store_(std::move(store)) {}

  const std::string table_;
  const std::set<std::string> families_;
  const std::unique_ptr<store::Store> store_;
};

}  // namespace fensi::operations

// Tables of periods that somebody drops, one by one: said in the index's own row of its state table before the first
// call, and taken back when the table is gone. A drop disables the table first, and may end there; whoever would write
// to the table or compare it meanwhile leaves it alone and does not wait for it.
//
// Column dropping/TABLE of the row; its value says nothing. Blocks on the store; thread-safe.
#pragma once

#include <set>
#include <string>
#include <utility>

#include "base/status.h"
#include "meta/shared_row.h"

namespace fensi::meta {

/// Row of a state table that speaks of the index itself.
inline constexpr char kOwnRow[] = "fensi";

class DroppedTables {
 public:
  /// Of the index's own row.
  explicit DroppedTables(SharedRow row) : row_(std::move(row)) {}

  Result<bool> Has(const std::string& table) const;
  /// All of them. None where there is no state table.
  Result<std::set<std::string>> All() const;
  Status Note(const std::string& table) const;
  Status Forget(const std::string& table) const;

 private:
  const SharedRow row_;
};

}  // namespace fensi::meta

// A name by which applications read an index, so that another index can take the place of it at one moment.
//
// Columns of row alias:NAME, all written at once and with the same version; the table keeps the ten before:
//   index, incarnation                  what is read by this name
//   former, former_incarnation          what was read by it before; empty: nothing
//   change                              random, of the change that wrote them: who changes the row replaces exactly the
//                                       one that he has read
// An alias that was removed keeps its row, with an empty index: what was deleted would hide what is written later.
// Blocks on the store; thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "meta/shared_row.h"

namespace fensi::meta {

/// An index, and which of those that had its name.
struct IndexName {
  std::string index, incarnation;
  bool operator==(const IndexName&) const = default;
};

struct Alias {
  IndexName current;
  std::optional<IndexName> former;
  Cell change;
  int64_t newest = 0;  // version of any cell of the row
};

class AliasRecord {
 public:
  /// Of row alias:NAME.
  explicit AliasRecord(SharedRow row) : row_(std::move(row)) {}

  /// Absent: there is no such alias, or it was removed. kInternal: the row lacks what an alias has.
  Result<std::optional<Alias>> Read() const;

  /// Lets the alias name `to`, if it is still as `known` (absent: there is none); what it named becomes the former.
  /// kConfiguration: somebody else changed it meanwhile. A call whose outcome nobody knows is cleared up.
  Status Switch(const std::optional<Alias>& known, const IndexName& to) const;

  /// Lets the alias name nothing, whatever stands in its row, also where that is no alias; what it named becomes the
  /// former. False: there was none. kConfiguration: as Switch.
  Result<bool> Remove() const;

 private:
  Status Change(const std::optional<Cell>& known, int64_t newest, const IndexName& to, const IndexName& former) const;

  const SharedRow row_;
};

}  // namespace fensi::meta

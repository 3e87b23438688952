// A name by which applications read an index. Another index can take its place atomically.
//
// Columns of row alias:NAME, all written at once and with the same version; the table keeps the ten before:
//   index, incarnation                  index that is read by this name
//   former, former_incarnation          index that was read by it before; empty: none
//   change                              random, written with each change: a change replaces exactly the value that it
//                                       has read
// A removed alias keeps its row, with an empty index: a delete would hide what is written later. Blocks on the store;
// thread-safe.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/status.h"
#include "meta/versioned_meta_row.h"

namespace fensi::meta {

/// An index, and the incarnation of its name.
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
  /// `row`: alias:NAME.
  explicit AliasRecord(VersionedMetaRow row) : row_(std::move(row)) {}

  /// Absent: there is no such alias, or it was removed. kInternal: the row lacks a column of an alias.
  Result<std::optional<Alias>> Read() const;

  /// Makes the alias name `to`, if it is still as `known` (absent: there is none); the index before becomes the former.
  /// kConfiguration: another process changed it meanwhile. An unknown outcome is resolved by reading.
  Status Switch(const std::optional<Alias>& known, const IndexName& to) const;

  /// Makes the alias name nothing, whatever its row has, even if that is no alias; the index before becomes the former.
  /// False: there was none. kConfiguration: as Switch.
  Result<bool> Remove() const;

 private:
  Status Change(const std::optional<Cell>& known, int64_t newest, const IndexName& to, const IndexName& former) const;

  const VersionedMetaRow row_;
};

}  // namespace fensi::meta

// A row of a table by which processes coordinate: each column is one fact, and one call writes several.
//
// A person may delete cells of the row in the HBase shell. The delete markers stay until a major compaction, and hide
// puts below them. So a put that a read does not show is repeated above everything that a raw read shows.
//
// Blocks on the store; thread-safe. Store and clock outlive it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "store/store.h"

namespace fensi::meta {

// The table that all indexes of a store share: what an index is and how far it is, and the jobs that go through it.
//
// Rows, each of one family (meta/versioned_meta_row.h):
//   index:NAME        an index (meta/index_record.h)
//   alias:NAME        the index that applications read by that name (meta/alias_record.h)
//   job:NAME:KIND     the job of a kind that goes through the index
//   job:NAME:KIND:JOB:N  what that job found in its range N (sweep/compare/finding_store.h)
// Pure.

/// The description of the meta table. Ten versions of each cell show people the history.
store::TableDescriptor MetaTable(const std::string& name);

/// kInternal: a cell of the meta table, or of a state table, has a value that this version of fensi cannot read.
Status UnknownValue(const std::string& table, const std::string& row, const std::string& qualifier,
                    const std::string& value);

std::string IndexRow(const std::string& index);
std::string AliasRow(const std::string& alias);
std::string JobRow(const std::string& index, const std::string& kind);

// A row of a table by which processes coordinate.

/// Family of all columns.
inline constexpr char kFamily[] = "i";

class VersionedMetaRow {
 public:
  static constexpr int64_t kFirstVersion = 1;  // of a cell

  VersionedMetaRow(store::Store* store, std::string table, std::string row, Clock* clock = SystemClock())
      : store_(store), table_(std::move(table)), row_(std::move(row)), clock_(clock) {}

  const std::string& table() const { return table_; }
  const std::string& row() const { return row_; }
  /// Another row of the same table.
  VersionedMetaRow Beside(std::string row) const { return VersionedMetaRow(store_, table_, std::move(row), clock_); }

  using Cells = std::map<std::string, Cell>;  // by qualifier, the newest version of each
  /// An absent row has no cells.
  Result<Cells> ReadAll() const;
  Result<Cells> Read(const std::vector<std::string>& qualifiers) const;
  Result<std::optional<Cell>> Read(const std::string& qualifier) const;

  /// Of two versions of a column the higher stays, whichever is written last.
  static Cell CellOf(std::string qualifier, int64_t version, std::string value);
  Status Write(std::vector<Cell> cells) const;
  Status Write(const std::string& qualifier, int64_t version, std::string value) const {
    return Write({CellOf(qualifier, version, std::move(value))});
  }

  /// Writes, and checks by reading that the value is visible. kConfiguration: a delete marker hides it.
  Status WriteShown(const std::string& qualifier, int64_t version, std::string value) const;

  /// kInternal: nothing can be put above the cell, which fensi did not write.
  Result<int64_t> NextVersion(const Cell& cell) const;

  /// Deletes the columns, up to the given versions; younger cells stay.
  Status Forget(const Cells& cells) const;

  /// Puts `value`, which must be unique, in place of exactly `known` (absent: no cell) together with `others`, and
  /// returns the cell that is there then: any other value means that another process wrote it. An unknown outcome is
  /// resolved by reading, for up to 10 minutes. Versions are raised above delete markers. kConfiguration: the value is
  /// hidden again and again. kUnavailable: the outcome stayed unknown.
  Result<Cell> Replace(const std::string& qualifier, const std::optional<Cell>& known, const std::string& value,
                       std::vector<Cell> others = {}) const;

  /// Sets the column to `value`, also against other writers. Writes nothing if the value is there already. `allow` is
  /// called with the current cell; its error ends the call. kUnavailable: others changed the column each time.
  Status Set(const std::string& qualifier, const std::string& value,
             const std::function<Status(const Cell&)>& allow = nullptr) const;

  /// How often a change is retried that others, or their delete markers, undo.
  static constexpr int kMostTries = 100;
  /// The error after these retries.
  Status TooManyTries(const std::string& qualifier) const;

 private:
  /// Gives each of the cells a version above every put and marker that a raw read shows at its place.
  Status RaiseAboveRaw(std::vector<Cell>* cells) const;
  Status RaiseAboveRaw(const std::vector<Cell>& raw, Cell* cell) const;
  Status Hidden(const std::string& qualifier) const;

  store::Store* const store_;
  const std::string table_;
  const std::string row_;
  Clock* const clock_;
};

/// Null: there is none.
const Cell* FindCell(const VersionedMetaRow::Cells& cells, const std::string& qualifier);

// Period tables that are being dropped, one by one: recorded in the index's own row of its state table before the first
// call, and removed when the table is gone. A drop disables the table first, and may die there; writers and comparisons
// skip such a table and do not wait for it.
//
// Column dropping/TABLE of the row; its value has no meaning. Blocks on the store; thread-safe.

/// Row of a state table that describes the index itself.
inline constexpr char kOwnRow[] = "fensi";

class DroppedTables {
 public:
  /// `row`: the index's own row.
  explicit DroppedTables(VersionedMetaRow row) : row_(std::move(row)) {}

  Result<bool> Has(const std::string& table) const;
  /// All tables that are being dropped. Empty if there is no state table.
  Result<std::set<std::string>> All() const;
  Status Note(const std::string& table) const;
  Status Forget(const std::string& table) const;

 private:
  const VersionedMetaRow row_;
};

}  // namespace fensi::meta

// A row of a table by which processes agree: each column is one thing that is known, and one call says several of them.
//
// Blocks on the store; thread-safe. Store and clock outlive it.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "store/store.h"

namespace fensi::meta {

/// All of them stand in this family.
inline constexpr char kFamily[] = "i";

class SharedRow {
 public:
  static constexpr int64_t kFirstVersion = 1;  // of a cell

  SharedRow(store::Store* store, std::string table, std::string row, Clock* clock = SystemClock())
      : store_(store), table_(std::move(table)), row_(std::move(row)), clock_(clock) {}

  const std::string& table() const { return table_; }
  const std::string& row() const { return row_; }

  using Cells = std::map<std::string, Cell>;  // by qualifier, the newest of each
  /// An absent row has none.
  Result<Cells> ReadAll() const;
  Result<Cells> Read(const std::vector<std::string>& qualifiers) const;
  Result<std::optional<Cell>> Read(const std::string& qualifier) const;

  /// Of two versions of a column the higher stays, whichever comes last.
  static Cell CellOf(std::string qualifier, int64_t version, std::string value);
  Status Write(std::vector<Cell> cells) const;
  Status Write(const std::string& qualifier, int64_t version, std::string value) const {
    return Write({CellOf(qualifier, version, std::move(value))});
  }

  /// kInternal: nothing can be put above the cell, which nobody of us wrote.
  Result<int64_t> VersionAbove(const Cell& cell) const;

  /// Deletes the columns, up to the versions that are given; what is younger stays.
  Status Forget(const Cells& cells) const;

  /// Puts `value`, which nobody else ever puts, in place of exactly `known` (none: where nothing is) together with
  /// `others`, and answers what stands there then: anything but `value` says that somebody else was here. An outcome
  /// that nobody knows is asked for again until it is known, or the store gives up.
  Result<Cell> Replace(const std::string& qualifier, const std::optional<Cell>& known, const std::string& value,
                       std::vector<Cell> others = {}) const;

  /// Makes the column say `value`, whatever others make of it. Writes nothing where it says so already.
  Status Set(const std::string& qualifier, const std::string& value) const;

 private:
  store::Store* const store_;
  const std::string table_;
  const std::string row_;
  Clock* const clock_;
};

}  // namespace fensi::meta

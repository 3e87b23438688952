// A row of a table by which processes agree: each column is one thing that is known, and one call says several of them.
//
// A person may delete cells of the row in the HBase shell. The delete markers stay until a major compaction, and hide
// what is put below them. So a put that a read does not show is put again above all that a raw read shows.
//
// Blocks on the store; thread-safe. Store and clock outlive it.
#pragma once

#include <cstdint>
#include <functional>
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

  /// Writes, and reads whether it is shown. kConfiguration: a delete marker hides it.
  Status WriteShown(const std::string& qualifier, int64_t version, std::string value) const;

  /// kInternal: nothing can be put above the cell, which nobody of us wrote.
  Result<int64_t> VersionAbove(const Cell& cell) const;

  /// Deletes the columns, up to the versions that are given; what is younger stays.
  Status Forget(const Cells& cells) const;

  /// Puts `value`, which nobody else ever puts, in place of exactly `known` (none: where nothing is) together with
  /// `others`, and answers what stands there then: anything but `value` says that somebody else was here. An outcome
  /// that nobody knows is asked for again until it is known, or for 10 minutes. Versions are raised above what a delete
  /// marker hides. kConfiguration: it is hidden again and again. kUnavailable: the outcome did not become known.
  Result<Cell> Replace(const std::string& qualifier, const std::optional<Cell>& known, const std::string& value,
                       std::vector<Cell> others = {}) const;

  /// Makes the column say `value`, whatever others make of it. Writes nothing where it says so already. `allow` is
  /// asked about what stands there; its error ends it. kUnavailable: others changed the column each time.
  Status Set(const std::string& qualifier, const std::string& value,
             const std::function<Status(const Cell&)>& allow = nullptr) const;

  /// How often a change is tried that others, or their delete markers, take back each time.
  static constexpr int kMostTries = 100;
  /// The error after that.
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

}  // namespace fensi::meta

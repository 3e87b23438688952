// Collects what a batch writes to the index tables: merges the differences of all its steps per index cell (M5).
//
// Planned changes are in memory of the set until they are taken: a change of a cell makes no allocation of its own. Not
// thread-safe; one per batch.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/entry_list.h"
#include "store/store.h"

namespace fensi::indexer {

/// Identifies the source of an index cell, in case the store refuses it: one index row has cells of many source rows.
struct Origin {
  size_t record = 0;            // last record of the batch that asked for the cell
  int64_t replaces = kNoEntry;  // version of the older entry of this cell that a put replaces
  static constexpr int64_t kNoEntry = -1;
};

/// Mutations of one index table, rows sorted; cells of one row with the same expiry are together.
struct TableChanges {
  std::vector<store::RowMutation> rows;
  std::vector<Origin> origins;        // one per cell of all rows, in their order
  int64_t newest_period = INT64_MIN;  // of a period table: the newest time that one of these entries gives the table's
                                      // name
};
using Changes = std::map<std::string, TableChanges>;

class ChangeSet {
 public:
  /// Reserves room for this many changed cells.
  void Expect(size_t cells);

  /// Plans one step of a unit (M5): `before` and `after` are its entries, `old_version` and `new_version` its versions.
  /// An entry that stays is put again if it would expire before a newer source cell (M23).
  void Step(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version, int64_t new_version,
            size_t record);
  /// SharedStep plans the same for a shared index: every entry moves to the new version, and only the old version is
  /// removed, so that a cell of another source row stays.
  void SharedStep(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version,
                  int64_t new_version, size_t record);

  /// `replaces`: version of the unit's older entry in this cell, if there is one. Ignored if the put of another source
  /// row, to which a unique key has moved, is already planned for the cell.
  void Put(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces = Origin::kNoEntry);
  /// Put, and cancel a planned removal of the cell up to that version: nothing older than the put can show.
  void PutInstead(const mapping::Entry& entry, int64_t version, size_t record);
  /// M6: removes every version of the cell at or below `version`, and cancels a planned put at or below it.
  void Remove(const mapping::Entry& entry, int64_t version, size_t record);

  /// In a shared index: removes this version only.
  void RemoveExactly(const mapping::Entry& entry, int64_t version, size_t record);

  /// In a shared index: puts an entry at this version, and cancels its planned removal.
  void PutAgain(const mapping::Entry& entry, int64_t version, size_t record);

  bool empty() const { return changes_.empty(); }
  /// Approximate memory, including the exact removals of a shared index.
  size_t bytes() const { return bytes_; }
  /// Moves all changes out, and empties the set.
  void Take(Changes* puts, Changes* deletes);

 private:
  /// A put of a shared index, in which each source row's own version counts.
  struct SharedPut {
    int64_t version = -1;
    int64_t expires_at = INT64_MAX;
    std::string value;
    size_t record = 0;
  };
  struct Shared {
    std::vector<int64_t> exact_removals;
    std::vector<SharedPut> puts;
  };
  struct Change {
    mapping::Entry cell;  // without a value; views of memory_, as `value` is
    int64_t put_version = -1;
    int64_t expires_at = INT64_MAX;
    int64_t remove_version = -1;
    int64_t outlives = -1;  // newest version below that would show again when the put expires
    std::span<char> room;   // memory for values
    std::string_view value;
    Origin put;
    size_t removed_by = 0;           // record that asked for the removal
    size_t next_alike = 0;           // index of the next change with the same hash; 0: none
    std::unique_ptr<Shared> shared;  // null: not a shared index
  };
  class Giver;  // moves cells to the mutations of their tables and rows
  struct InOrder {
    uint64_t head;  // first bytes of the row
    size_t change;
  };
  /// Newest version to remove; -1: none.
  static int64_t Removed(const Change& change);
  static void Outlived(int64_t version, size_t record, Change* change);
  static Shared* SharedOf(Change* change);
  /// The pointer is valid until the next call of Find.
  Change* Find(const mapping::Entry& entry);
  mapping::Entry Kept(const mapping::Entry& entry);
  void KeepValue(std::string_view value, Change* change);
  char* Room(size_t bytes);
  static void TakeShared(Change* change, Giver* puts, Giver* deletes);
  /// Sorted by row, table, end and column.
  std::vector<InOrder> Sorted() const;
  bool Before(const InOrder& a, const InOrder& b) const;
  size_t BytesThatAllRowsBeginWith() const;

  static constexpr size_t kFirstBytes = 1024;
  std::pmr::monotonic_buffer_resource memory_{kFirstBytes};
  std::vector<Change> changes_;
  absl::flat_hash_map<uint64_t, size_t> by_hash_;  // hash -> first change with that hash
  size_t bytes_ = 0;
};

}  // namespace fensi::indexer

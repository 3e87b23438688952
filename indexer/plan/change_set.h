// What a batch will write to the index tables: M5's merge of the differences of all its steps, per index cell.
//
// What is planned lies in memory of the set's own until it is taken: a change of a cell allocates nothing by itself.
// Not thread-safe; one per batch.
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

/// Whose an index cell is, in case that the store refuses it: one index row holds cells of many source rows.
struct Origin {
  size_t record = 0;            // of the batch: the last one that asked for it
  int64_t replaces = kNoEntry;  // version of the entry that a put replaces in its cell
  static constexpr int64_t kNoEntry = -1;
};

/// Mutations of one index table, rows sorted; cells of one row that expire alike are together.
struct TableChanges {
  std::vector<store::RowMutation> rows;
  std::vector<Origin> origins;        // of all cells of all rows, in their order
  int64_t newest_period = INT64_MIN;  // of a period table: the newest time that one of these entries gives its name
};
using Changes = std::map<std::string, TableChanges>;

class ChangeSet {
 public:
  /// Room for so many changed cells at once: what grows beyond it is moved again and again.
  void Expect(size_t cells);

  /// One step of a unit (M5): `before` and `after` are its entries, `old_version` and `new_version` its versions. What
  /// stays the same is put again where it would expire before a source cell that is newer now (M23).
  void Step(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version, int64_t new_version,
            size_t record);
  /// The same for a shared index: every entry moves to the new version, the old version alone is removed, so that a
  /// cell which another source row wrote stays.
  void SharedStep(const mapping::EntryList& before, const mapping::EntryList& after, int64_t old_version,
                  int64_t new_version, size_t record);

  /// `replaces`: version of the unit's older entry in this cell, if there is one. Under a planned put of another source
  /// row, to which a unique key has moved, it does not show, and is none.
  void Put(const mapping::Entry& entry, int64_t version, size_t record, int64_t replaces = Origin::kNoEntry);
  /// Put, and forget a planned removal of the cell up to that version: nothing older than the put can show.
  void PutInstead(const mapping::Entry& entry, int64_t version, size_t record);
  /// M6: removes every version of the cell at or below `version`, and forgets a planned put at or below it.
  void Remove(const mapping::Entry& entry, int64_t version, size_t record);

  /// Of a shared index: this version alone.
  void RemoveExactly(const mapping::Entry& entry, int64_t version, size_t record);

  /// Of a shared index: what should stand there at this version, whatever was planned to remove it.
  void PutAgain(const mapping::Entry& entry, int64_t version, size_t record);

  bool empty() const { return changes_.empty(); }
  /// About what it takes; removals of a shared index's many versions too.
  size_t bytes() const { return bytes_; }
  /// Empties the set.
  void Take(Changes* puts, Changes* deletes);

 private:
  /// Of shared indexes only: each source row's own version counts.
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
    int64_t outlives = -1;  // newest version that may be there and would show again when the put expires
    std::span<char> room;   // for values
    std::string_view value;
    Origin put;
    size_t removed_by = 0;           // record
    size_t next_alike = 0;           // the next change with the same hash; 0: none
    std::unique_ptr<Shared> shared;  // null: not a shared index
  };
  class Giver;  // of cells to the tables and rows that they are for
  struct InOrder {
    uint64_t head;  // of the row
    size_t change;
  };
  /// Newest version to remove; -1: none.
  static int64_t Removed(const Change& change);
  static void Outlived(int64_t version, size_t record, Change* change);
  static Shared* SharedOf(Change* change);
  /// Until the next one is found.
  Change* Find(const mapping::Entry& entry);
  mapping::Entry Kept(const mapping::Entry& entry);
  void KeepValue(std::string_view value, Change* change);
  char* Room(size_t bytes);
  static void TakeShared(Change* change, Giver* puts, Giver* deletes);
  /// By row, table, end and column.
  std::vector<InOrder> Sorted() const;
  bool Before(const InOrder& a, const InOrder& b) const;
  size_t BytesThatAllRowsBeginWith() const;

  static constexpr size_t kFirstBytes = 1024;
  std::pmr::monotonic_buffer_resource memory_{kFirstBytes};
  std::vector<Change> changes_;
  absl::flat_hash_map<uint64_t, size_t> by_hash_;  // the first change with that hash
  size_t bytes_ = 0;
};

}  // namespace fensi::indexer

// The states that a batch needs while it is planned: units, and their source rows.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "indexer/state/unit.h"
#include "mapping/entry_list.h"

namespace fensi::indexer {

// A set of index cells in insertion order: what an attempt for an ambiguous unit may have to remove.
//
// Not thread-safe.

/// Hash of table, row and column.
uint64_t HashOfCell(const mapping::Entry& entry);

class EntrySet {
 public:
  /// `up_to`: the newest version at which an attempt may have put the cell; the highest of all calls counts. Returns
  /// how much more memory the set takes: 0 if it has the cell.
  size_t Add(const mapping::Entry& entry, int64_t up_to = INT64_MAX);

  size_t size() const { return entries_.size(); }
  mapping::Entry operator[](size_t i) const { return entries_[i]; }
  int64_t up_to(size_t i) const { return up_to_[i]; }
  const mapping::EntryList& list() const { return entries_; }
  size_t bytes() const { return bytes_; }

 private:
  mapping::EntryList entries_;
  std::vector<int64_t> up_to_;
  std::unordered_multimap<uint64_t, size_t> by_hash_;
  size_t bytes_ = 0;
};

// The states that a batch needs, while it is planned: units, and the source rows that they are of.
//
// Not thread-safe.

/// A unit of the batch that is being planned.
struct UnitWork {
  Unit unit{.families = nullptr};  // until FindOrAdd gives it those of its row
  bool known = false;              // its state was loaded, or surely does not exist
  bool dirty = false;              // its state cell must be written
  bool doubtful = false;           // the source must be read before its changes are complete
  bool doubt_dirty = false;
  bool second_look = false;       // an earlier piece of the batch left a re-read to be done
  bool looked = false;            // the index shows the last read's snapshot, not the registers
  EntrySet candidates;            // of removal, while ambiguous
  mapping::EntryList there;       // entries with values before the first ambiguous step, if a window decides what may
                                  // be put
  std::vector<Cell> intents;      // read from the state table, or written for this batch
  std::vector<Snapshot> planned;  // what plain steps of a unit that was ambiguous once planned to show, not stored yet
  size_t record = 0;              // last record that touched it
  bool recheck = false;           // that record asks to write its entries above everything at their cells
  int64_t above = kNoTime;        // and above the suspects that it removes, whose markers stay
  std::string damage;             // why a stored cell of it could not be decoded; empty: all could
  // Limits for removals of a unique key, which may be another row's by now:
  int64_t put_up_to = kNoTime;   // newest version at which an attempt may have put what its registers show
  int64_t by_log = kNoTime;      // version of a plain step that follows from the log alone, not from reads and intents
  int64_t planned_at = kNoTime;  // version up to which plain steps planned what `planned` gives
  bool named = false;            // a step since loading was ambiguous: attempts since then wrote under intents
  std::vector<int64_t> put_at;   // per snapshot of its doubt: newest version at which an attempt may have put it

  /// The state is loaded, its intents are not yet.
  void NoteLoaded();
  /// A read of the source is finished. If the unit stays ambiguous, entries of the registers are not at its version:
  /// the read put what it saw, and every attempt since then has written under intents (M8.4).
  void NoteLook();
  int64_t NewestOfRegisters() const;
  /// M4: a version for a step, above every time of it. `repeated`: the step changes no register.
  void RaiseVersion(int64_t newest, bool repeated);
  /// Adds a snapshot whose entries an attempt may have put, up to that version.
  void AddSeen(Snapshot snapshot, int64_t version);
};

/// The state of one source row: only the units that the batch touches. Unit keys are qualifiers of the state table.
struct RowWork {
  std::string row;
  uint64_t seen_hash = 0;  // SeenHash(row), if seen rows are counted
  std::shared_ptr<FamilyStates> families = std::make_shared<FamilyStates>();
  bool families_known = false;
  bool families_dirty = false;
  std::string families_damage;  // why the stored markers could not be decoded; empty: they could
  bool surely_new = false;      // no state of the row exists (M13)
  bool all_units = false;       // every unit of the row is needed (a family marker)
  bool from_source = false;     // and of each column that the source row has
  bool loaded = false;          // everything that is needed is loaded
  // If states are in buckets:
  bool noted = false;  // there may be more of it than in its bucket
  bool apart = false;  // its state is not in the bucket
  using Units = std::pmr::map<std::string, UnitWork, std::less<>>;
  Units units;  // in memory of the batch, if it has some

  /// The unit of a column; family and qualifier are empty for a row unit.
  UnitWork* FindOrAdd(std::string_view family, std::string_view qualifier) {
    return &Add(family, qualifier).first->second;
  }
  /// FindOrAdd, with the unit's key; true: it was added.
  std::pair<Units::iterator, bool> Add(std::string_view family, std::string_view qualifier);

  /// True if no unit waits for a read of the source: the changes are complete, so the states, which are written
  /// together, may be written.
  bool complete() const;
};

/// Qualifier of a unit's cells: "family:qualifier", or empty for a row unit.
std::string UnitKey(std::string_view family, std::string_view qualifier);

}  // namespace fensi::indexer

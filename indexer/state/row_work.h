// The states that a batch needs, while it is planned: units, and the source rows that they are of.
//
// Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <memory_resource>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "indexer/state/entry_set.h"
#include "indexer/state/unit.h"
#include "mapping/entry_list.h"

namespace fensi::indexer {

/// A unit within the batch that is being planned.
struct UnitWork {
  Unit unit{.families = nullptr};  // until FindOrAdd gives it those of its row
  bool known = false;              // its state was loaded, or surely does not exist
  bool dirty = false;              // its state cell must be written
  bool doubtful = false;           // the source must be read before its changes are complete
  bool doubt_dirty = false;
  bool second_look = false;       // an earlier piece of the batch left one to be done
  bool looked = false;            // its state is of a look that left a doubt: not its registers show what that put
  EntrySet candidates;            // of removal, while doubtful
  mapping::EntryList there;       // with values, before the first doubtful step, where a window decides what may be put
  std::vector<Cell> intents;      // met in the state table, or written for this batch
  std::vector<Snapshot> planned;  // what plain steps of a unit that was in doubt once planned to show, not stored yet
  size_t record = 0;              // last record that touched it
  bool recheck = false;           // that record asks to write its entries above whatever stands there
  int64_t above = kNoTime;        // and above the suspects that it removes, whose markers stay
  std::string damage;             // why a stored cell of it could not be decoded; empty: all could
  // How far removals of a unique key may reach, which may be another row's by now:
  int64_t put_up_to = kNoTime;   // newest version at which an attempt may have put what its registers show
  int64_t planned_at = kNoTime;  // version up to which plain steps planned what `planned` gives
  bool named = false;  // since it was loaded a step left a doubt: whatever attempts wrote since stands under intents
  std::vector<int64_t> put_at;  // of each snapshot of its doubt: newest version at which an attempt may have put it

  /// The state is known, its intents are not yet.
  void NoteLoaded();
  /// A look is finished. If it left a doubt, the entries of the registers are not at its version: it put what it read,
  /// and every attempt since then has written under intents (M8.4).
  void NoteLook();
  int64_t NewestOfRegisters() const;
  /// An attempt may have put what the snapshot gives, up to that version.
  void AddSeen(Snapshot snapshot, int64_t version);
};

/// What a batch needs of one source row: only the units that it touches. Unit keys are qualifiers of the state table.
struct RowWork {
  std::string row;
  uint64_t seen_hash = 0;  // SeenHash(row), where seen rows are counted
  std::shared_ptr<FamilyStates> families = std::make_shared<FamilyStates>();
  bool families_known = false;
  bool families_dirty = false;
  std::string families_damage;  // why the stored markers could not be decoded; empty: they could
  bool surely_new = false;      // no state of it exists (M13)
  bool all_units = false;       // every unit of the row is needed (a family marker)
  bool from_source = false;     // and of each column that the source row has
  bool loaded = false;          // everything that is needed is known
  // Where states lie in buckets:
  bool noted = false;  // there may be more of it than in its bucket
  bool apart = false;  // its state is not in the bucket
  using Units = std::pmr::map<std::string, UnitWork, std::less<>>;
  Units units;  // in memory of the batch, where it has some

  /// The unit of a column; family and qualifier are empty for a row unit.
  UnitWork* FindOrAdd(std::string_view family, std::string_view qualifier) {
    return &Add(family, qualifier).first->second;
  }
  /// The same with its key; true: it was not there.
  std::pair<Units::iterator, bool> Add(std::string_view family, std::string_view qualifier);

  /// No unit waits for a look at the source: its changes are complete, so its state, which is written at once, may be.
  bool complete() const;
};

/// Qualifier of a unit's cells: "family:qualifier", or empty for a row unit.
std::string UnitKey(std::string_view family, std::string_view qualifier);

}  // namespace fensi::indexer

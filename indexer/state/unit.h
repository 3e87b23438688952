// A unit of state: a source row, or one column of it (mapping::StateScope), as it is remembered between events.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "indexer/state/registers.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// The visible cells of a unit at some moment, as read from the source.
struct Snapshot {
  struct Cell {
    std::string family;
    std::string qualifier;
    int64_t timestamp = 0;
    std::string value;
    bool operator==(const Cell&) const = default;
  };
  std::vector<Cell> cells;  // sorted by family and qualifier
  bool dropped = false;     // too large to be kept
  bool operator==(const Snapshot&) const = default;
};

/// M8: the state of an ambiguous unit. `intent`: attempts that may have died put or removed entries of any of the
/// snapshots. Otherwise the only snapshot is what readers of the source saw. No snapshot: the unit is not ambiguous.
struct Doubt {
  bool intent = false;
  std::vector<Snapshot> snapshots;
  bool active() const { return !snapshots.empty(); }
  /// Adds the snapshot, if it is new. Returns its index.
  size_t Add(Snapshot snapshot);
  bool operator==(const Doubt&) const = default;
};

struct Unit {
  std::string row;
  std::string family;     // of a column unit
  std::string qualifier;  // of a column unit
  /// M3, M4: the unit's version; timestamp of its state cells and of its entries. kNoTime: never written.
  int64_t version = kNoTime;
  /// The unit was ambiguous once. From then on each step takes two versions, one for each read of the source, even
  /// without a read: versions follow from the log alone, never from what was read (M4). They count what an attempt
  /// received, so every write of the unit is under an intent (M8.1).
  bool doubted = false;
  /// The second version is still to be used: the state cell is one below `version`.
  bool reserved = false;
  std::vector<ColumnState> columns;  // a column unit has at most one
  /// Newest register of columns that are not among `columns` any more, because the unit was too large: nothing is known
  /// up to this time of a column that is missing, nor if it comes back.
  int64_t forgotten = kNoTime;
  Doubt doubt;
  /// Markers on families: the row's own for a row unit, shared by all column units of the row otherwise.
  std::shared_ptr<FamilyStates> families = std::make_shared<FamilyStates>();
  /// M9: `families` are the column unit's own, because it was ambiguous once, and are kept with its registers: a late
  /// state of a paused owner may move the markers that the row shares to a later event than this unit's.
  bool own_families = false;

  const ColumnState* Find(std::string_view column_family, std::string_view column_qualifier) const;
  ColumnState* FindOrAdd(std::string_view column_family, std::string_view column_qualifier);
  /// Of all registers, without the markers on families; kNoTime if there are none.
  int64_t NewestOfColumns() const;
};

/// Cells that the unit shows: its snapshot while it is ambiguous after a finished read, else by registers and
/// `families`. Views into the unit. `dropped`: a visible value was too large to be kept.
struct Visible {
  std::vector<mapping::VisibleCell> cells;
  bool dropped = false;
};
/// True if some column's newest put has a TTL of its own.
bool HasOwnEnd(const Unit& unit);
/// True if a marker of its family hides the cell.
bool IsHidden(const Cell& cell, const FamilyStates& families);
/// True if by the registers a version delete left the unit ambiguous, perhaps in an earlier batch.
bool InVersionDoubt(const Unit& unit, const FamilyStates& families);
/// Gives a column unit markers of its own: those that `families` has of its family.
void KeepFamilies(const FamilyStates& families, Unit* unit);
void VisibleByRegisters(const Unit& unit, const FamilyStates& families, Visible* visible);
/// The visible cells of a snapshot. A read does not return a cell's own TTL, so it comes from the unit's registers.
void VisibleOf(const Snapshot& snapshot, const Unit& unit, Visible* visible);
Snapshot MakeSnapshot(const Visible& visible);

// Bounds the state of one unit: first removes what nothing can need any more, then, above the bound, what is needed
// least.

/// HBase accepts no cell above 10 MiB. A unit's registers are one cell, and so is what was read of an ambiguous unit.
constexpr size_t kMaxUnitBytes = size_t{9} << 20;

/// Approximate size of the unit's state cell.
size_t StateBytes(const Unit& unit);

/// Removes the columns whose registers are all at or below their family's marker: the marker alone hides everything
/// that still arrives of that time, and younger puts supersede them. Keeps puts with a TTL of their own: the source may
/// show such a put again, without its end.
void Prune(const FamilyStates& families, Unit* unit);

/// Shrinks a unit above the bound. First deleted columns, the longest deleted first (Unit::forgotten recognises a late
/// put of such a column). Then older versions, then the largest values, then whole columns. Returns a sentence for each
/// visible cell that the row loses.
std::vector<std::string> Fit(Unit* unit);

}  // namespace fensi::indexer

// A unit of state: a source row, or one column of it (mapping::StateScope), as it is remembered between events.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
  bool dropped = false;     // they were too many to be kept
  bool operator==(const Snapshot&) const = default;
};

/// M8: an event left open what the source shows. `intent`: attempts that may have died put or removed entries of any of
/// the snapshots. Otherwise the only snapshot is what readers of the source saw; none: no doubt.
struct Doubt {
  bool intent = false;
  std::vector<Snapshot> snapshots;
  bool active() const { return !snapshots.empty(); }
  /// Once. Answers which one of the snapshots it is.
  size_t Add(Snapshot snapshot);
  bool operator==(const Doubt&) const = default;
};

struct Unit {
  std::string row;
  std::string family;     // of a column unit
  std::string qualifier;  // of a column unit
  /// M3, M4: the unit's version; timestamp of its state cells and of its entries. kNoTime: never written.
  int64_t version = kNoTime;
  /// It was in doubt once. From then on each step takes two versions, one for each look at the source, whether it looks
  /// or not: versions follow from the log alone, never from what was read (M4). They count what an attempt was told, so
  /// that whatever is written of it stands under an intent (M8.1).
  bool doubted = false;
  /// The second of them is still to be used: the state cell stands one below `version`.
  bool reserved = false;
  std::vector<ColumnState> columns;  // a column unit has at most one
  /// Newest register of the columns that are not among `columns` any more, because the unit was too large: of a column
  /// that is not there, nothing is known up to this time, nor when it comes back.
  int64_t forgotten = kNoTime;
  Doubt doubt;
  /// Markers on families: the row's own for a row unit, shared by all column units of the row otherwise.
  std::shared_ptr<FamilyStates> families = std::make_shared<FamilyStates>();
  /// M9: of a column unit that was in doubt once `families` are its own, kept with its registers: a late state of a
  /// paused owner may bring the markers that the row shares to a later event than this unit's.
  bool own_families = false;

  const ColumnState* Find(std::string_view column_family, std::string_view column_qualifier) const;
  ColumnState* FindOrAdd(std::string_view column_family, std::string_view column_qualifier);
};

/// Cells that the unit shows: its snapshot while it is in (done) doubt, else by registers and `families`. Views into
/// the unit. `dropped` tells that a visible value was too large to be kept.
struct Visible {
  std::vector<mapping::VisibleCell> cells;
  bool dropped = false;
};
/// A column unit's own markers from now on: what `families` says of its family.
void KeepFamilies(const FamilyStates& families, Unit* unit);
void VisibleByRegisters(const Unit& unit, const FamilyStates& families, Visible* visible);
/// What was read does not tell a cell's own TTL; the unit's registers do.
void VisibleOf(const Snapshot& snapshot, const Unit& unit, Visible* visible);
Snapshot MakeSnapshot(const Visible& visible);

}  // namespace fensi::indexer

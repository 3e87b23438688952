// Turns events into changes, one unit at a time: M4 (versions), M5 (every step counts), M8 (ambiguous events).
//
// Not thread-safe; one per batch and worker. It does no I/O: the caller loads the units, and finishes an ambiguous unit
// with what it read from the source.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "consumer/change_source.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/ended_cells.h"
#include "indexer/plan/event_check.h"
#include "indexer/reread_schedule.h"
#include "indexer/state/row_work.h"
#include "mapping/index.h"
#include "mapping/period_window.h"

namespace fensi::indexer {

/// One event as one unit sees it. The family markers of the event are already in `after`.
struct UnitStep {
  std::span<const Cell* const> cells;  // cells of the unit, in the event's order; no family markers
  uint64_t sequence_id = 0;
  size_t record = 0;
  const FamilyStates* before = nullptr;
  const FamilyStates* after = nullptr;
  bool marked = false;  // the event has family markers
  bool families_changed = false;
  bool family_unknown = false;                 // a delete of unknown kind concerns a whole family
  const consumer::Request* request = nullptr;  // request that the step comes from; null: an event of the stream
  int64_t above = kNoTime;                     // a recheck removes suspects up to this version
};

class UnitPlanner {
 public:
  /// `read_source`: an event that leaves something open makes its unit ambiguous. Otherwise older versions are kept,
  /// and what they cannot answer is reported.
  UnitPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes, std::vector<Letter>* letters);

  /// Sets the periods that may be put; without this call all may.
  void set_window(mapping::PeriodWindow window) { window_ = std::move(window); }

  /// Sets the time by which cells end; without this call none does.
  void set_now(int64_t now_millis) { ended_.set_now(now_millis); }

  void Step(const UnitStep& step, UnitWork* work);

  /// Version of the writes that follow from a read of the source, and of the intent that must be stored before any
  /// index write of the batch (M8.1). The last step of the unit reserved it.
  static int64_t LookVersion(const UnitWork& work, Look look);
  /// M8.2, M8.3: completes the changes of an ambiguous unit with what the source shows now.
  void FinishDoubt(const Snapshot& read, Look look, UnitWork* work);
  /// M14: adds the cells that a rechecked unit must be above: its candidates, if they can only be its own, and what the
  /// source shows. Raises `above` over the times of what the source shows (M23).
  void AddCellsOfRecheck(const Snapshot& read, UnitWork* work, EntrySet* cells);
  /// M14: raises the version of this read above `newest` of those cells.
  void RaiseRechecked(const mapping::EntryList& cells, std::span<const int64_t> newest, Look look, UnitWork* work);
  /// Bytes held by the candidate sets of all ambiguous units.
  size_t candidate_bytes() const { return candidate_bytes_; }

 private:
  struct Effect {
    bool changed = false;
    bool open = false;  // only the source can tell what is visible
    bool late = false;  // the same for a put at or below a marker
  };
  /// True if the unit keeps its family markers itself.
  bool HasFamilies(const Unit& unit) const { return RowUnits() || unit.own_families; }
  bool RowUnits() const { return index_->state_scope() == mapping::StateScope::kRow; }
  bool Representable(const UnitStep& step, const UnitWork& work);
  Effect Apply(const UnitStep& step, Unit* unit);
  /// Columns by family and qualifier, as they were before the step received another put of a known time. An event may
  /// have two puts of one time: redelivered they change nothing if the column ends as it was.
  using TiedColumns = std::map<std::pair<std::string, std::string>, ColumnState>;
  bool LeavesDoubt(const UnitStep& image, const ColumnNames& shown, const Unit& unit);
  static bool RepeatsDroppedPut(const UnitStep& step, const Unit& unit);
  /// A delete whose kind is lost: only the source can tell. Without a source table it is reported.
  bool UnknownDelete(const UnitStep& step, const std::string& column);
  /// Applies a cell that its family's marker hides. It changes nothing, whether its column is known or was pruned: a
  /// redelivery must not raise the version. It may still make the unit ambiguous.
  Effect PassCell(const Cell& cell, const UnitStep& step, const Unit& unit);
  /// When the put ends by a TTL of its own, if the index needs that; INT64_MAX: never. The source may show a hidden put
  /// again, without its end.
  int64_t OwnEnd(const Cell& cell) const;
  Effect ApplyCell(const Cell& cell, const UnitStep& step, ColumnState* column, TiedColumns* tied);
  Effect ApplyPut(const Cell& cell, const UnitStep& step, ColumnState* column, TiedColumns* tied);
  bool VersionDoubt(const UnitStep& step, Unit* unit);
  /// Keeps the unit within its bound, and reports what is lost. False: the unit ends as `as_it_was`, which is given if
  /// that is possible.
  bool Bound(const UnitStep& step, const std::optional<Unit>& as_it_was, Unit* unit);
  /// The newest time of the registers and, where entries expire, of the step's cells.
  int64_t NewestTime(const UnitStep& step, const Unit& unit) const;
  /// M8: true if the version of the step would not be its time. Reads, and intents of attempts that died, may have
  /// raised the version past later events. Of a unique index another source row may have a key of the unit since such
  /// an event.
  bool AheadOfLog(const UnitStep& step, const UnitWork& work) const;
  void DeriveByRegisters(const Unit& unit, const FamilyStates& families, mapping::EntryList* entries);
  void Derive(const std::string& row, const Visible& visible, mapping::EntryList* entries);
  void LeaveOutEnded(mapping::EntryList* entries);
  /// Adds a dead letter for each entry of `after_` outside of `retention:`, except for entries that are `there`.
  void RefuseOutside(size_t record, const mapping::EntryList& there);
  /// Handles a step of an ambiguous unit. `first`: the step made it ambiguous. Entries of its registers before the step
  /// may be in the index up to `put_up_to`.
  void DoubtfulStep(bool first, int64_t put_up_to, UnitWork* work);
  /// M24: the source must be read, also for an event that changes no register: below a cell that has ended an older one
  /// shows.
  bool EndLeavesDoubt(const UnitStep& step, const Unit& unit);
  /// The earliest time at which an attempt can have known these registers.
  int64_t FirstAttempt(const Unit& unit, const FamilyStates& families) const;
  /// M24 without a source table: adds what attempts may have put that saw the row at any time up to now.
  void AddEarlier(const UnitStep& step, const Unit& unit, const FamilyStates& families, EntrySet* cells);
  /// Removes `there`, of attempts that ended, and `made`, of attempts that may have died in this step.
  void StepPastEnds(const EntrySet& there, const EntrySet& made, int64_t old_version, int64_t version, size_t record);
  /// Other source rows write the same cells, so this row's entries are identified by version, and no version is raised.
  void RecheckShared(const UnitStep& step, const UnitWork& work);
  void NotePlanned(UnitWork* work);
  static void NoteRecheck(const UnitStep& step, UnitWork* work);
  /// M8.2: adds the entries of all snapshots that an attempt may have written.
  void AddCandidatesOfDoubt(UnitWork* work);
  /// Adds a dead letter that the unit is rebuilt.
  void TellDamage(UnitWork* work);
  void TellProblems(size_t record, size_t known_problems);
  void Remember(const mapping::EntryList& entries, int64_t up_to, EntrySet* candidates);
  /// M5: puts entries of a unique key again that stay, because another row may have had the key since.
  void PutUnchanged(size_t record, int64_t old_version, int64_t version);
  /// Up to which version a read at `version` removes the candidate.
  int64_t RemovedUpTo(const UnitWork& work, size_t candidate, int64_t version) const;
  /// Remembers entries that may exist already, whatever the window allows now.
  void RememberExisting(UnitWork* work);
  /// Puts what the window may have refused before and allows now. A repeated event puts everything that is allowed: its
  /// dead letter was retried.
  void PutRefused(size_t record, bool repeated, int64_t version);

  const mapping::Index* const index_;
  const bool read_source_;
  /// Read the source if a cell may have ended. In a unique index that removal could hit another row's entry.
  const bool ask_of_ends_;
  const bool entries_expire_;  // by a TTL of a family of the index
  ChangeSet* const changes_;
  std::vector<Letter>* const letters_;

  mapping::PeriodWindow window_;
  EndedCells ended_;
  size_t candidate_bytes_ = 0;
  // Reused from step to step.
  Visible visible_;
  mapping::EntryList before_;
  mapping::EntryList after_;
  mapping::EntryList earlier_;
  mapping::EntryList live_;
  std::vector<mapping::Unmappable> problems_;
};

}  // namespace fensi::indexer

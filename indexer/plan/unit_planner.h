// From events to changes, one unit at a time: M4 (versions), M5 (every step counts), M8 (doubt).
//
// Not thread-safe; one per batch and worker. It does no I/O: units come loaded, a unit in doubt is finished with what
// the caller read from the source.
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
#include "indexer/plan/image_doubt.h"
#include "indexer/plan/letter.h"
#include "indexer/plan/period_window.h"
#include "indexer/shown.h"
#include "indexer/state/row_work.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// One event as one unit sees it. The family markers of the event are already in `after`.
struct UnitStep {
  std::span<const Cell* const> cells;  // of the unit, in the event's order; no family markers
  uint64_t sequence_id = 0;
  size_t record = 0;
  const FamilyStates* before = nullptr;
  const FamilyStates* after = nullptr;
  bool marked = false;  // the event holds markers of families
  bool families_changed = false;
  bool family_unknown = false;                 // a delete of unknown kind concerns a whole family
  const consumer::Request* request = nullptr;  // that the step is of, instead of an event of the stream
  int64_t above = kNoTime;                     // a recheck removes suspects up to this version
};

class UnitPlanner {
 public:
  /// `read_source`: an event that leaves something open makes its unit doubtful; otherwise older versions are kept and
  /// what they cannot answer is reported.
  UnitPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes, std::vector<Letter>* letters);

  /// What may be put from now on; everything, unless this is called.
  void set_window(PeriodWindow window) { window_ = std::move(window); }

  /// What a step may find ended; nothing, unless this is called.
  void set_now(int64_t now_millis) { ended_.set_now(now_millis); }

  void Step(const UnitStep& step, UnitWork* work);

  /// Version of what follows from a look, and of the intent that must be stored before any index write of the batch
  /// (M8.1). The last step of the unit reserved it.
  static int64_t LookVersion(const UnitWork& work, Look look);
  /// M8.2, M8.3: completes the changes of a doubtful unit with what the source shows now.
  void FinishDoubt(const Snapshot& read, Look look, UnitWork* work);
  /// M14: the cells that a rechecked unit must stand above: its candidates, so far as they can be its own alone, and
  /// what the source shows. Above the times of what it shows, too (M23).
  void AddCellsOfRecheck(const Snapshot& read, UnitWork* work, EntrySet* cells);
  /// M14: what follows from this look is put above whatever stands at those cells.
  void RaiseRechecked(const mapping::EntryList& cells, std::span<const int64_t> newest, Look look, UnitWork* work);
  /// Of all units in doubt.
  size_t candidate_bytes() const { return candidate_bytes_; }

 private:
  struct Effect {
    bool changed = false;
    bool open = false;  // only the source can tell
    bool late = false;  // the same of a put at or below a marker
  };
  /// Its markers are told to it alone.
  bool HasFamilies(const Unit& unit) const { return RowUnits() || unit.own_families; }
  bool RowUnits() const { return index_->state_scope() == mapping::StateScope::kRow; }
  bool Representable(const UnitStep& step, const UnitWork& work);
  Effect Apply(const UnitStep& step, Unit* unit);
  /// By family and qualifier, as they were before the step told another put of a time that they knew. An event may tell
  /// two puts of one time; told once more they change nothing if the column ends as it was.
  using TiedColumns = std::map<std::pair<std::string, std::string>, ColumnState>;
  bool LeavesDoubt(const UnitStep& image, const ColumnNames& shown, const Unit& unit);
  static bool TellsWhatWasLeftOut(const UnitStep& step, const Unit& unit);
  /// A delete whose kind is lost: only the source can tell; without one it is reported.
  bool UnknownDelete(const UnitStep& step, const std::string& column);
  /// A cell that its family's marker hides changes nothing, whether its column is known or was pruned: told once more,
  /// it must not raise the version. It may still leave the unit in doubt.
  Effect PassCell(const Cell& cell, const UnitStep& step, const Unit& unit);
  /// When the put goes by a TTL of its own, as far as the index asks; INT64_MAX: never. The source may show a hidden
  /// one again, and does not tell its end.
  int64_t OwnEnd(const Cell& cell) const;
  Effect ApplyCell(const Cell& cell, const UnitStep& step, ColumnState* column, TiedColumns* tied);
  Effect ApplyPut(const Cell& cell, const UnitStep& step, ColumnState* column, TiedColumns* tied);
  bool VersionDoubt(const UnitStep& step, Unit* unit);
  /// Keeps the unit within its bound; what that costs is reported. False: it is as it was, which is given when the step
  /// may be such a one.
  bool Bound(const UnitStep& step, const std::optional<Unit>& as_it_was, Unit* unit);
  void RaiseVersion(const UnitStep& step, UnitWork* work);
  void DeriveByRegisters(const Unit& unit, const FamilyStates& families, mapping::EntryList* entries);
  void Derive(const std::string& row, const Visible& visible, mapping::EntryList* entries);
  void LeaveOutEnded(mapping::EntryList* entries);
  /// `first`: the unit came in doubt by it. What its registers showed before may stand up to `put_up_to`.
  void DoubtfulStep(bool first, int64_t put_up_to, UnitWork* work);
  /// M24: the source is asked, also by what changes no register: below a cell that has ended an older one shows.
  bool EndLeavesDoubt(const UnitStep& step, const Unit& unit);
  /// No attempt that knew these registers was before that.
  int64_t FirstAttempt(const Unit& unit, const FamilyStates& families) const;
  /// M24, where there is none to ask: what may be there as attempts saw the row at any time up to now.
  void AddEarlier(const UnitStep& step, const Unit& unit, const FamilyStates& families, EntrySet* cells);
  /// Removes `there`, of attempts that ended, and `made`, of those that may have died in this step.
  void StepPastEnds(const EntrySet& there, const EntrySet& made, int64_t old_version, int64_t version, size_t record);
  /// Other source rows write the same cells, so what this one put goes by its version alone: nothing is raised.
  void RecheckShared(const UnitStep& step, const UnitWork& work);
  void NotePlanned(UnitWork* work);
  static void NoteRecheck(const UnitStep& step, UnitWork* work);
  /// M8.2: the entries of all snapshots that an attempt may have written.
  void AddCandidatesOfDoubt(UnitWork* work);
  /// A letter says that the unit is rebuilt.
  void TellDamage(UnitWork* work);
  void TellProblems(size_t record, size_t known_problems);
  void Remember(const mapping::EntryList& entries, int64_t up_to, EntrySet* candidates);
  /// M5: entries of a unique key that stay as they are, too: another row may have had the key since they were put.
  void PutUnchanged(size_t record, int64_t old_version, int64_t version);
  /// How far the removal of a candidate reaches that a look at `version` makes.
  int64_t RemovedUpTo(const UnitWork& work, size_t candidate, int64_t version) const;
  /// What may be there already, whatever the window says now.
  void NoteThere(UnitWork* work);
  /// What the window may have refused and takes now. A repeated event puts all that it takes: its letter came back.
  void PutRefused(size_t record, bool repeated, int64_t version);

  const mapping::Index* const index_;
  const bool read_source_;
  /// The source, where a cell may have ended. What a look removes of a unique index may be another row's by then.
  const bool ask_of_ends_;
  const bool entries_expire_;  // by a TTL of a family of the index
  ChangeSet* const changes_;
  std::vector<Letter>* const letters_;

  PeriodWindow window_;
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

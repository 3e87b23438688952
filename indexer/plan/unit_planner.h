// From events to changes, one unit at a time: M4 (versions), M5 (every step counts), M8 (doubt).
//
// Not thread-safe; one per batch and worker. It does no I/O: units come loaded, a unit in doubt is finished with what
// the caller read from the source.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/cell.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/entry_set.h"
#include "indexer/plan/period_window.h"
#include "indexer/plan/report.h"
#include "indexer/state/unit.h"
#include "mapping/index.h"

namespace fensi::indexer {

/// Timestamps above this are refused: versions must stay representable (M4) and HBase reads INT64_MAX as "now".
constexpr int64_t kMaxTimestamp = INT64_MAX - 3;

/// At the source, in doubt: HBase logs a change before it shows it, so a first look may come too early.
enum class Look { kFirst, kSecond };

/// A unit within the batch that is being planned.
struct UnitWork {
  Unit unit;
  bool known = false;     // its state was loaded, or surely does not exist
  bool dirty = false;     // its state cell must be written
  bool doubtful = false;  // the source must be read before its changes are complete
  bool doubt_dirty = false;
  bool second_look = false;   // an earlier piece of the batch left one to be done
  EntrySet candidates;        // of removal, while doubtful
  mapping::EntryList there;   // with values, before the first doubtful step, where a window decides what may be put
  std::vector<Cell> intents;  // met in the state table, or written for this batch
  size_t record = 0;          // last record that touched it
};

/// One event as one unit sees it. The family markers of the event are already in `after`.
struct UnitStep {
  std::span<const Cell* const> cells;  // of the unit, in the event's order; no family markers
  uint64_t sequence_id = 0;
  size_t record = 0;
  const FamilySet* before = nullptr;
  const FamilySet* after = nullptr;
  bool families_changed = false;
  bool family_unknown = false;  // a delete of unknown kind concerns a whole family
};

class UnitPlanner {
 public:
  /// `read_source`: an event that leaves something open makes its unit doubtful; otherwise older versions are kept and
  /// what they cannot answer is reported.
  UnitPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes, std::vector<Report>* reports);

  /// What may be put from now on; everything, unless this is called.
  void set_window(PeriodWindow window) { window_ = std::move(window); }

  void Step(const UnitStep& step, UnitWork* work);

  /// Version of what follows from a look, and of the intent that must be stored before any index write of the batch
  /// (M8.1). The last step of the unit reserved it.
  static int64_t LookVersion(const UnitWork& work, Look look);
  /// M8.2, M8.3: completes the changes of a doubtful unit with what the source shows now.
  void FinishDoubt(const Snapshot& read, Look look, UnitWork* work);
  /// Of all units in doubt.
  size_t candidate_bytes() const { return candidate_bytes_; }

 private:
  struct Effect {
    bool changed = false;
    bool open = false;  // only the source can tell
  };
  bool RowUnits() const { return index_->state_unit() == mapping::StateUnit::kRow; }
  bool Representable(const UnitStep& step, const UnitWork& work);
  Effect Apply(const UnitStep& step, Unit* unit);
  /// A delete whose kind is lost: only the source can tell; without one it is reported.
  bool UnknownDelete(const UnitStep& step, const std::string& column);
  Effect ApplyCell(const Cell& cell, const UnitStep& step, ColumnRegisters* column);
  Effect ApplyPut(const Cell& cell, const UnitStep& step, ColumnRegisters* column);
  bool VersionDoubt(const UnitStep& step, Unit* unit);
  /// Keeps the unit within its bound; what that costs is reported.
  void Bound(const UnitStep& step, Unit* unit);
  void RaiseVersion(const FamilySet& families, UnitWork* work);
  void DeriveByRegisters(const Unit& unit, const FamilySet& families, mapping::EntryList* entries);
  void Derive(const std::string& row, const Visible& visible, mapping::EntryList* entries);
  void DoubtfulStep(UnitWork* work);
  void ReportProblems(size_t record, size_t known_problems);
  void Remember(const mapping::EntryList& entries, EntrySet* candidates);
  /// What may be there already, whatever the window says now.
  void NoteThere(UnitWork* work);
  /// What the window may have refused and takes now. A repeated event puts all that it takes: its letter came back.
  void PutRefused(size_t record, bool repeated, int64_t version);

  const mapping::Index* const index_;
  const bool read_source_;
  ChangeSet* const changes_;
  std::vector<Report>* const reports_;

  PeriodWindow window_;
  size_t candidate_bytes_ = 0;
  // Reused from step to step.
  Visible visible_;
  mapping::EntryList before_;
  mapping::EntryList after_;
  std::vector<mapping::Unmappable> problems_;
};

}  // namespace fensi::indexer

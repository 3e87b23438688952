#include "indexer/plan/unit_planner.h"

#include <algorithm>

#include "base/bytes.h"
#include "indexer/state/unit_bounds.h"

namespace fensi::indexer {
namespace {

int64_t ExpiresAt(const Cell& cell) {
  const std::string* bytes = TtlOf(cell);
  if (bytes == nullptr || bytes->size() != 8) return INT64_MAX;
  const int64_t ttl = ReadBigEndian64(*bytes);
  return ttl > INT64_MAX - cell.timestamp ? INT64_MAX : cell.timestamp + ttl;
}

/// Of a column that is not there, at or below its family's marker.
bool HiddenAndUnknown(const Cell& cell, const FamilySet& families, const Unit& unit) {
  const FamilyRegisters* family = families.Find(cell.family);
  return family != nullptr && cell.timestamp <= family->marker && unit.Find(cell.family, cell.qualifier) == nullptr;
}

}  // namespace

UnitPlanner::UnitPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes,
                         std::vector<Report>* reports)
    : index_(index), read_source_(read_source), changes_(changes), reports_(reports) {}

void UnitPlanner::Step(const UnitStep& step, UnitWork* work) {
  if (!Representable(step, *work)) return;
  Unit& unit = work->unit;
  work->record = step.record;
  work->doubtful |= unit.doubt.active() || work->second_look;
  unit.doubted |= work->doubtful;
  problems_.clear();
  DeriveByRegisters(unit, *step.before, &before_);
  const size_t known_problems = problems_.size();
  const int64_t old_version = unit.version;

  Effect effect = Apply(step, &unit);
  effect.changed |= RowUnits() && step.families_changed;
  effect.open |= VersionDoubt(step, &unit);
  // Only with what is stored: what another owner reads of the unit is what this one remembers.
  if (effect.changed) Bound(step, &unit);
  work->doubtful |= effect.open;
  unit.doubted |= effect.open;
  const bool repeated = !effect.changed && !step.families_changed;
  if (repeated && !unit.doubted && !window_.limited()) return;
  DeriveByRegisters(unit, *step.after, &after_);
  ReportProblems(step.record, known_problems);
  // A family's marker belongs to all units of the row, but what it brings to light is a change of this one (M4).
  if (effect.changed || unit.doubted || (step.families_changed && !after_.SameAs(before_) && !after_.empty())) {
    RaiseVersion(*step.after, work);
  }
  if (work->doubtful) return DoubtfulStep(work);
  window_.Refuse(step.record, before_, &after_, reports_);
  if (index_->shared()) return changes_->SharedStep(before_, after_, old_version, unit.version, step.record);
  changes_->Step(before_, after_, old_version, unit.version, step.record);
  PutRefused(step.record, repeated, unit.version);
}

void UnitPlanner::PutRefused(size_t record, bool repeated, int64_t version) {
  if (!window_.limited()) return;
  for (size_t i = 0; i < after_.size(); ++i) {
    const bool again = repeated && window_.Inside(after_[i]);
    if (again || window_.CameInside(after_[i], before_)) changes_->PutInstead(after_[i], version, record);
  }
}

bool UnitPlanner::Representable(const UnitStep& step, const UnitWork& work) {
  int64_t newest = work.unit.version + 2;
  for (const Cell* cell : step.cells) newest = std::max(newest, cell->timestamp);
  if (newest <= kMaxTimestamp) return true;
  reports_->push_back({step.record, "the row's version would pass " + std::to_string(kMaxTimestamp) +
                                        ": a timestamp so far in the future cannot be followed by another change"});
  return false;
}

UnitPlanner::Effect UnitPlanner::Apply(const UnitStep& step, Unit* unit) {
  Effect effect;
  if (step.family_unknown) effect.open |= UnknownDelete(step, "of a family");
  for (const Cell* cell : step.cells) {
    if (cell->type == CellType::kUnknownDelete && !UnknownDelete(step, ColumnText(cell->family, cell->qualifier))) {
      continue;
    }
    // What Prune() would take away at once, is no change: told once more, it must not raise the version.
    ColumnRegisters passing;
    const bool stays = !HiddenAndUnknown(*cell, *step.after, *unit);
    const Effect of_cell = ApplyCell(*cell, step, stays ? unit->FindOrAdd(cell->family, cell->qualifier) : &passing);
    effect.changed |= stays && of_cell.changed;
    effect.open |= of_cell.open;
  }
  return effect;
}

UnitPlanner::Effect UnitPlanner::ApplyCell(const Cell& cell, const UnitStep& step, ColumnRegisters* column) {
  if (cell.type == CellType::kPut) return ApplyPut(cell, step, column);
  if (cell.type == CellType::kDeleteColumn) return {column->DeleteColumn(cell.timestamp, step.sequence_id)};
  // A delete of unknown kind counts as one of a version: what lies at or below it stays in doubt.
  return {column->DeleteVersion(cell.timestamp, !read_source_), cell.type == CellType::kUnknownDelete};
}

bool UnitPlanner::UnknownDelete(const UnitStep& step, const std::string& column) {
  if (read_source_) return true;
  reports_->push_back(
      {step.record, "delete " + column + ": its kind is lost in this stream, and there is no source table to read"});
  return false;
}

UnitPlanner::Effect UnitPlanner::ApplyPut(const Cell& cell, const UnitStep& step, ColumnRegisters* column) {
  const int64_t expires_at = index_->expires_exactly() ? ExpiresAt(cell) : INT64_MAX;
  const IncomingPut put{cell.timestamp, step.sequence_id, expires_at, cell.value};
  Effect effect;
  const FamilyRegisters* family = step.after->Find(cell.family);
  const bool unsure = column->Unsure(put, family);
  if (!read_source_ && unsure) {
    reports_->push_back({step.record, "column " + ColumnText(cell.family, cell.qualifier) + ": whether its version " +
                                          std::to_string(cell.timestamp) +
                                          " was deleted is not known any more, and there is no source table to read"});
  }
  effect.open = read_source_ && (unsure || column->LatePut(put, family));
  effect.changed = column->Put(put, !read_source_);
  if (cell.value.size() > kMaxKeptValueBytes) {
    reports_->push_back({step.record, "column " + ColumnText(cell.family, cell.qualifier) + ": a value of " +
                                          std::to_string(cell.value.size()) + " bytes is more than the state keeps (" +
                                          std::to_string(kMaxKeptValueBytes) + "); the row has no entry"});
  }
  return effect;
}

void UnitPlanner::Bound(const UnitStep& step, Unit* unit) {
  Prune(*step.after, unit);
  for (const std::string& lost : Fit(unit)) reports_->push_back({step.record, lost});
}

bool UnitPlanner::VersionDoubt(const UnitStep& step, Unit* unit) {
  for (ColumnRegisters& column : unit->columns) {
    const FamilyRegisters* family = step.after->Find(column.family);
    if (read_source_ && column.VersionDoubt(family)) return true;
    const bool told = std::exchange(column.told, !read_source_ && column.Uncertain(family));
    if (column.told && !told) {
      reports_->push_back({step.record, "column " + ColumnText(column.family, column.qualifier) +
                                            ": a version delete uncovers a version older than those that are kept, and "
                                            "there is no source table to read"});
    }
  }
  return false;
}

void UnitPlanner::RaiseVersion(const FamilySet& families, UnitWork* work) {
  Unit& unit = work->unit;
  int64_t newest = RowUnits() ? families.Newest() : kNoTime;
  for (const ColumnRegisters& column : unit.columns) newest = std::max(newest, column.Newest());
  unit.version = std::max(newest, unit.version + 1) + (unit.doubted ? 1 : 0);
  unit.reserved = false;
  work->dirty = true;
}

void UnitPlanner::DeriveByRegisters(const Unit& unit, const FamilySet& families, mapping::EntryList* entries) {
  VisibleByRegisters(unit, families, &visible_);
  Derive(unit.row, visible_, entries);
}

void UnitPlanner::Derive(const std::string& row, const Visible& visible, mapping::EntryList* entries) {
  entries->Clear();
  if (visible.cells.empty() || visible.dropped) return;
  index_->Derive({row, visible.cells}, entries, &problems_);
}

void UnitPlanner::ReportProblems(size_t record, size_t known_problems) {
  const auto known_end = problems_.begin() + static_cast<ptrdiff_t>(known_problems);
  for (auto problem = known_end; problem != problems_.end(); ++problem) {
    const auto same = [&](const mapping::Unmappable& known) { return known.reason == problem->reason; };
    if (std::none_of(problems_.begin(), known_end, same)) reports_->push_back({record, problem->reason});
  }
}

void UnitPlanner::Remember(const mapping::EntryList& entries, EntrySet* candidates) {
  for (size_t i = 0; i < entries.size(); ++i) candidate_bytes_ += candidates->Add(entries[i]);
}

void UnitPlanner::NoteThere(UnitWork* work) {
  if (!window_.limited()) return;
  for (size_t i = 0; i < before_.size(); ++i) work->there.Add(before_[i]);
}

void UnitPlanner::DoubtfulStep(UnitWork* work) {
  if (work->candidates.size() == 0 && !work->unit.doubt.active()) NoteThere(work);
  Remember(before_, &work->candidates);
  Remember(after_, &work->candidates);
}

int64_t UnitPlanner::LookVersion(const UnitWork& work, Look look) {
  return work.unit.version - (look == Look::kFirst ? 1 : 0);
}

void UnitPlanner::FinishDoubt(const Snapshot& read, Look look, UnitWork* work) {
  Unit& unit = work->unit;
  const int64_t version = LookVersion(*work, look);
  problems_.clear();
  for (const Snapshot& snapshot : unit.doubt.snapshots) {
    VisibleOf(snapshot, unit, &visible_);
    Derive(unit.row, visible_, &before_);
    Remember(before_, &work->candidates);
    NoteThere(work);
  }
  problems_.clear();
  VisibleOf(read, unit, &visible_);
  Derive(unit.row, visible_, &after_);
  ReportProblems(work->record, 0);
  if (read.dropped) {
    reports_->push_back({work->record, "the source row has more than the state keeps (" +
                                           std::to_string(kMaxUnitBytes) + " bytes); the row has no entry"});
  }
  window_.Refuse(work->record, work->there, &after_, reports_);
  // Everything that any attempt may have put goes; what the source shows is put above it.
  for (size_t i = 0; i < work->candidates.size(); ++i) {
    if (window_.LeavesAlone(work->candidates[i], after_)) continue;
    changes_->Remove(work->candidates[i], version, work->record);
  }
  for (size_t i = 0; i < after_.size(); ++i) {
    if (window_.Inside(after_[i])) changes_->PutInstead(after_[i], version, work->record);
  }

  UnitStep now{.before = unit.families.get(), .after = unit.families.get()};
  VisibleByRegisters(unit, *unit.families, &visible_);
  const bool settled = MakeSnapshot(visible_) == read && !VersionDoubt(now, &unit);
  unit.doubt = settled ? Doubt{} : Doubt{.intent = false, .snapshots = {read}};
  unit.reserved = look == Look::kFirst;
  work->dirty = work->doubt_dirty = true;
  work->doubtful = false;
  candidate_bytes_ -= work->candidates.bytes();
  work->candidates = {};
  work->there.Clear();
}

}  // namespace fensi::indexer

#include "indexer/plan/unit_planner.h"

#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "indexer/plan/event_check.h"
#include "indexer/remedies.h"
#include "indexer/state/unit.h"
#include "mapping/instant.h"

namespace fensi::indexer {
namespace {

constexpr size_t kMostReasons = 20;  // letters for what cannot be mapped of one event and unit

bool IsOf(const UnitStep& step, consumer::Request::Kind kind) {
  return step.request != nullptr && step.request->kind == kind;
}

std::string CellText(const mapping::Entry& entry) {
  return Escape(entry.table) + " " + Escape(entry.row) + " " + ColumnText(entry.family, entry.qualifier);
}

}  // namespace

UnitPlanner::UnitPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes,
                         std::vector<Letter>* letters)
    : index_(index),
      read_source_(read_source),
      ask_of_ends_(read_source && !index->unique()),
      entries_expire_(index->create().SomeFamilyExpires()),
      changes_(changes),
      letters_(letters),
      ended_(index, ask_of_ends_) {}

void UnitPlanner::Step(const UnitStep& step, UnitWork* work) {
  if (!Representable(step, *work)) return;
  const bool recheck = IsOf(step, consumer::Request::Kind::kRecheck);
  if (recheck && index_->shared()) return RecheckShared(step, *work);
  Unit& unit = work->unit;
  const bool was_doubtful = work->doubtful;
  const int64_t old_put_up_to = work->put_up_to;
  work->record = step.record;
  work->doubtful |= unit.doubt.active() || work->second_look;
  if (recheck) NoteRecheck(step, work);
  unit.doubted |= work->doubtful;
  work->named |= index_->unique() && read_source_ && InVersionDoubt(unit, *step.before);
  problems_.clear();
  EntrySet there, made;
  AddEarlier(step, unit, *step.before, &there);
  DeriveByRegisters(unit, *step.before, &before_);
  NotePlanned(work);
  const size_t known_problems = problems_.size();
  const int64_t old_version = unit.version;
  const bool image = read_source_ && IsOf(step, consumer::Request::Kind::kImage);
  const ColumnNames shown = image ? NamesOf(visible_) : ColumnNames();

  std::optional<Unit> as_it_was;
  if (RepeatsDroppedPut(step, unit)) as_it_was = unit;
  Effect effect = Apply(step, &unit);
  effect.changed |= HasFamilies(unit) && step.families_changed;
  effect.open |= VersionDoubt(step, &unit);
  // M3: before the version depends on them, since another partition owner reads only what is stored.
  if (effect.changed) effect.changed = Bound(step, as_it_was, &unit);
  if (image) effect.open |= LeavesDoubt(step, shown, unit);  // M15
  effect.open |= EndLeavesDoubt(step, unit);                 // M24
  const bool repeated = !effect.changed && !step.families_changed;
  // M8.4: not for a put redelivered below its marker, which an attempt may have written without an intent.
  work->named |= effect.open || (effect.late && !repeated) || recheck;
  effect.open |= effect.late || (!repeated && AheadOfLog(step, *work));
  work->doubtful |= effect.open;  // M8: the source row is read
  unit.doubted |= effect.open;
  if (unit.doubted && !HasFamilies(unit)) KeepFamilies(*step.after, &unit);  // M9: the row's may be of a later event
  if (repeated && !unit.doubted && !window_.limited()) return;
  DeriveByRegisters(unit, *step.after, &after_);
  TellProblems(step.record, known_problems);
  // M4: every change takes a version. A marker of the row's family changes this unit if it uncovers an older put.
  if (effect.changed || unit.doubted || (step.families_changed && !after_.SameAs(before_) && !after_.empty())) {
    work->RaiseVersion(NewestTime(step, unit), repeated);
  }
  if (work->doubtful) {
    DoubtfulStep(!was_doubtful, old_put_up_to, work);
    return Remember(there.list(), old_put_up_to, &work->candidates);
  }
  if (!repeated) AddEarlier(step, unit, *step.after, &made);
  if (!repeated && there.size() + made.size() > 0) {
    for (size_t i = 0; i < before_.size(); ++i) there.Add(before_[i]);
    return StepPastEnds(there, made, old_version, unit.version, step.record);
  }
  RefuseOutside(step.record, before_);
  if (index_->shared()) return changes_->SharedStep(before_, after_, old_version, unit.version, step.record);
  changes_->Step(before_, after_, old_version, unit.version, step.record);  // M5: per step, never over a batch
  if (index_->unique() && effect.changed) PutUnchanged(step.record, old_version, unit.version);
  PutRefused(step.record, repeated, unit.version);
}

bool UnitPlanner::EndLeavesDoubt(const UnitStep& step, const Unit& unit) {
  if (!ask_of_ends_ || !ended_.matter()) return false;
  if ((ended_.own_only() || !entries_expire_) && !HasOwnEnd(unit)) return false;  // nothing else ends
  VisibleByRegisters(unit, *step.after, &visible_);
  return ended_.MayShow({step.cells, step.marked}, visible_, unit.version + 2);
}

/// A removal for a unique key must reach no further than needed, because the key of an ended entry may be another
/// row's by now. No attempt was before the newest change that it knows. A time that is further ahead than clocks differ
/// tells nothing: a client chose it.
int64_t UnitPlanner::FirstAttempt(const Unit& unit, const FamilyStates& families) const {
  int64_t first = kNoTime;
  if (!index_->unique()) return first;
  const auto note = [&](int64_t time) {
    const int64_t now = ended_.now();
    if (time <= now + EndedCells::kOtherClockMillis) first = std::max(first, std::min(time, now));
  };
  for (const ColumnState& column : unit.columns) note(column.Newest());
  for (const FamilyState& family : families.families) note(family.Newest());
  return first;
}

void UnitPlanner::AddEarlier(const UnitStep& step, const Unit& unit, const FamilyStates& families, EntrySet* cells) {
  if (ask_of_ends_ || !ended_.matter()) return;
  VisibleByRegisters(unit, families, &visible_);
  ended_.DropEndedAt(FirstAttempt(unit, families) - 1, &visible_);  // M24
  if (!ended_.Ambiguous({step.cells, step.families_changed}, visible_)) return;
  const size_t told = problems_.size();
  const std::vector<int64_t> ends = ended_.NamedEnds(visible_);
  for (size_t i = 0; i <= ends.size(); ++i) {
    if (i > 0) ended_.DropNamed(ends[i - 1], &visible_);
    Derive(unit.row, visible_, &earlier_);
    for (size_t k = 0; k < earlier_.size(); ++k) cells->Add(earlier_[k]);
  }
  problems_.erase(problems_.begin() + static_cast<ptrdiff_t>(told), problems_.end());
}

void UnitPlanner::RefuseOutside(size_t record, const mapping::EntryList& there) {
  window_.Refuse(there, &after_, [&](const mapping::Entry& entry) {
    const std::string time = mapping::FormatInstant(entry.period).value_or(std::to_string(entry.period) + " ms");
    const std::string what = "table '" + std::string(entry.table) + "' is outside of 'retention': its time is " + time;
    letters_->push_back({record, what, LetterKind::kOutsideRetention});
  });
}

void UnitPlanner::StepPastEnds(const EntrySet& there, const EntrySet& made, int64_t old_version, int64_t version,
                               size_t record) {
  RefuseOutside(record, before_);
  EntrySet settled;  // they stay, or their removal is planned
  for (size_t i = 0; i < after_.size(); ++i) settled.Add(after_[i]);
  const auto remove = [&](const mapping::Entry& cell, int64_t up_to) {
    if (index_->shared()) return changes_->RemoveExactly(cell, up_to, record);
    changes_->Remove(cell, up_to, record);
  };
  for (size_t i = 0; i < there.size() && index_->shared(); ++i) remove(there[i], old_version);
  for (size_t i = 0; i < made.size(); ++i) {
    if (settled.Add(made[i]) > 0) remove(made[i], version);
  }
  for (size_t i = 0; i < there.size() && !index_->shared(); ++i) {
    if (settled.Add(there[i]) > 0) remove(there[i], old_version);
  }
  for (size_t i = 0; i < after_.size(); ++i) {
    if (index_->shared() || !window_.Inside(after_[i])) continue;
    changes_->Put(after_[i], version, record, old_version);
  }
  before_.Clear();
  if (index_->shared()) changes_->SharedStep(before_, after_, old_version, version, record);
}

/// M8.1: what was planned before the unit became ambiguous may be written before the source is read for the unit.
void UnitPlanner::NotePlanned(UnitWork* work) {
  if (!work->unit.doubted || !work->dirty || work->doubtful) return;
  work->planned = {MakeSnapshot(visible_)};
  work->planned_at = work->unit.version;
}

void UnitPlanner::NoteRecheck(const UnitStep& step, UnitWork* work) {
  work->recheck = work->doubtful = true;  // M14: whatever the registers say
  work->above = std::max(work->above, step.above);
}

void UnitPlanner::RecheckShared(const UnitStep& step, const UnitWork& work) {
  problems_.clear();
  DeriveByRegisters(work.unit, *step.after, &before_);
  for (size_t i = 0; i < before_.size(); ++i) changes_->PutAgain(before_[i], work.unit.version, step.record);  // M14
}

void UnitPlanner::PutUnchanged(size_t record, int64_t old_version, int64_t version) {
  EntrySet known;
  for (size_t i = 0; i < before_.size(); ++i) known.Add(before_[i]);
  for (size_t i = 0; i < after_.size(); ++i) {
    if (known.Add(after_[i]) == 0) changes_->Put(after_[i], version, record, old_version);
  }
}

void UnitPlanner::PutRefused(size_t record, bool repeated, int64_t version) {
  if (!window_.limited()) return;
  for (size_t i = 0; i < after_.size(); ++i) {
    const bool again = repeated && window_.Inside(after_[i]);
    if (again || window_.CameInside(after_[i], before_)) changes_->PutInstead(after_[i], version, record);
  }
}

bool UnitPlanner::LeavesDoubt(const UnitStep& image, const ColumnNames& shown, const Unit& unit) {
  VisibleByRegisters(unit, *image.after, &visible_);
  return ImageLeavesDoubt(image.cells, !image.request->partial, shown, visible_, unit);
}

/// A put that does not fit into the unit is dropped again: no change, so it must not raise the version.
bool UnitPlanner::RepeatsDroppedPut(const UnitStep& step, const Unit& unit) {
  return std::any_of(step.cells.begin(), step.cells.end(), [&](const Cell* cell) {
    const ColumnState* column = unit.Find(cell->family, cell->qualifier);
    return cell->type == CellType::kPut && column != nullptr && column->newest.dropped &&
           column->newest.timestamp == cell->timestamp;
  });
}

bool UnitPlanner::Representable(const UnitStep& step, const UnitWork& work) {
  int64_t newest = work.unit.version + 2;  // M4 (b): a step takes two at most
  for (const Cell* cell : step.cells) newest = std::max(newest, cell->timestamp);
  if (newest <= kMaxTimestamp) return true;
  letters_->push_back({step.record, NoVersionLeftText(*index_, "row", kMaxTimestamp)});
  return false;
}

UnitPlanner::Effect UnitPlanner::Apply(const UnitStep& step, Unit* unit) {
  Effect effect;
  TiedColumns tied;
  if (step.family_unknown) effect.open |= UnknownDelete(step, "of a family");
  for (const Cell* cell : step.cells) {
    if (cell->type == CellType::kUnknownDelete && !UnknownDelete(step, ColumnText(cell->family, cell->qualifier))) {
      continue;
    }
    const bool stays = !IsHidden(*cell, *step.after) || OwnEnd(*cell) != INT64_MAX;  // M5, M24
    const Effect of_cell = stays ? ApplyCell(*cell, step, unit->FindOrAdd(cell->family, cell->qualifier), &tied)
                                 : PassCell(*cell, step, *unit);
    effect.changed |= of_cell.changed;
    effect.open |= of_cell.open;
    effect.late |= of_cell.late;
  }
  for (const auto& [name, before] : tied) effect.changed |= *unit->Find(name.first, name.second) != before;
  return effect;
}

UnitPlanner::Effect UnitPlanner::PassCell(const Cell& cell, const UnitStep& step, const Unit& unit) {
  const ColumnState* known = unit.Find(cell.family, cell.qualifier);
  ColumnState passing = known == nullptr ? ColumnState() : *known;
  TiedColumns tied;
  const Effect passed = ApplyCell(cell, step, &passing, &tied);
  return {.changed = false, .open = passed.open, .late = passed.late};
}

UnitPlanner::Effect UnitPlanner::ApplyCell(const Cell& cell, const UnitStep& step, ColumnState* column,
                                           TiedColumns* tied) {
  if (cell.type == CellType::kPut) return ApplyPut(cell, step, column, tied);
  const bool above = read_source_ && cell.timestamp == kAboveSourceTimes;  // M4 (b)
  if (cell.type == CellType::kDeleteColumn) return {column->DeleteColumn(cell.timestamp, step.sequence_id), above};
  // M8: a delete of unknown kind counts as one of a version: everything at or below it stays ambiguous.
  return {column->DeleteVersion(cell.timestamp, !read_source_), cell.type == CellType::kUnknownDelete || above};
}

bool UnitPlanner::UnknownDelete(const UnitStep& step, const std::string& column) {
  if (read_source_) return true;
  letters_->push_back({step.record, "delete " + column + ": the event does not name the deleted cells, and " +
                                        BeganWithoutSource(*index_)});
  return false;
}

int64_t UnitPlanner::OwnEnd(const Cell& cell) const {
  const bool asked = index_->expires_exactly() || ended_.matter();  // M24
  return asked && cell.type == CellType::kPut ? ExpiresByItself(cell) : INT64_MAX;
}

UnitPlanner::Effect UnitPlanner::ApplyPut(const Cell& cell, const UnitStep& step, ColumnState* column,
                                          TiedColumns* tied) {
  const IncomingPut put{cell.timestamp, step.sequence_id, OwnEnd(cell), cell.value};
  Effect effect;
  const FamilyState* family = step.after->Find(cell.family);
  const bool unsure = column->Unsure(put, family);
  if (!read_source_ && unsure) {
    letters_->push_back({step.record, "column " + ColumnText(cell.family, cell.qualifier) +
                                          ": it is unknown whether version " + std::to_string(cell.timestamp) +
                                          " was deleted, and " + BeganWithoutSource(*index_)});
  }
  const bool tie = column->Tied(put, !read_source_);
  if (tie) tied->try_emplace({cell.family, cell.qualifier}, *column);
  effect.open = read_source_ && (unsure || tie);  // M8: the log may be redelivered in another order
  effect.late = read_source_ && column->LatePut(put, family);
  const bool taken = column->Put(put, !read_source_);
  effect.changed = taken && !tie;  // M4: ties are compared when the event is complete
  // An image tells the newest version only; which one a version delete uncovers is not known then.
  if (taken && !read_source_ && IsOf(step, consumer::Request::Kind::kImage)) {
    column->forgotten = std::max(column->forgotten, cell.timestamp - 1);
  }
  if (cell.value.size() > kMaxKeptValueBytes) {
    letters_->push_back({step.record, "column " + ColumnText(cell.family, cell.qualifier) + ": the value has " +
                                          std::to_string(cell.value.size()) + " bytes, and a row state keeps at most " +
                                          std::to_string(kMaxKeptValueBytes) + ". The row has no entry"});
  }
  return effect;
}

bool UnitPlanner::Bound(const UnitStep& step, const std::optional<Unit>& as_it_was, Unit* unit) {
  Prune(*step.after, unit);
  const std::vector<std::string> all_lost = Fit(unit);
  if (as_it_was && !step.families_changed && unit->columns == as_it_was->columns &&
      unit->forgotten == as_it_was->forgotten) {
    return false;
  }
  for (const std::string& lost : all_lost) letters_->push_back({step.record, lost});
  return true;
}

bool UnitPlanner::VersionDoubt(const UnitStep& step, Unit* unit) {
  if (read_source_) return InVersionDoubt(*unit, *step.after);
  for (ColumnState& column : unit->columns) {
    const bool told = std::exchange(column.told, column.Uncertain(step.after->Find(column.family)));
    if (column.told && !told) {
      letters_->push_back(
          {step.record, "column " + ColumnText(column.family, column.qualifier) +
                            ": a version delete uncovers an older version that the state does not have, and " +
                            BeganWithoutSource(*index_)});
    }
  }
  return false;
}

int64_t UnitPlanner::NewestTime(const UnitStep& step, const Unit& unit) const {
  int64_t newest = std::max(unit.NewestOfColumns(), RowUnits() ? step.after->Newest() : kNoTime);
  if (!entries_expire_) return newest;
  // M23: a cell that a family's marker hides has no register, and the source may show the cell all the same.
  for (const Cell* cell : step.cells) newest = std::max(newest, cell->timestamp);
  return newest;
}

bool UnitPlanner::AheadOfLog(const UnitStep& step, const UnitWork& work) const {
  return index_->unique() && read_source_ && work.unit.doubted && work.unit.version >= NewestTime(step, work.unit);
}

void UnitPlanner::DeriveByRegisters(const Unit& unit, const FamilyStates& families, mapping::EntryList* entries) {
  VisibleByRegisters(unit, families, &visible_);
  if (!ask_of_ends_) ended_.Drop(&visible_);
  Derive(unit.row, visible_, entries);
  if (index_->unique() && index_->expires_exactly()) LeaveOutEnded(entries);  // M24: another row may have the key
}

void UnitPlanner::Derive(const std::string& row, const Visible& visible, mapping::EntryList* entries) {
  entries->Clear();
  if (visible.cells.empty() || visible.dropped) return;
  index_->Derive({row, visible.cells}, entries, &problems_);
}

/// They end by themselves. To put or remove them might meet the entry of the row that has the key since (M24).
void UnitPlanner::LeaveOutEnded(mapping::EntryList* entries) {
  live_.Clear();
  for (size_t i = 0; i < entries->size(); ++i) {
    if ((*entries)[i].expires_at >= ended_.now()) live_.Add((*entries)[i]);
  }
  std::swap(live_, *entries);
}

void UnitPlanner::TellProblems(size_t record, size_t known_problems) {
  if (problems_.size() == known_problems) return;
  std::unordered_set<std::string_view> told;
  size_t reported = 0, left_out = 0;
  for (size_t i = 0; i < problems_.size(); ++i) {
    if (!told.insert(problems_[i].reason).second || i < known_problems) continue;
    if (reported == kMostReasons) {
      ++left_out;
      continue;
    }
    letters_->push_back({record, problems_[i].reason, LetterKind::kUnmappable});
    ++reported;
  }
  if (left_out == 0) return;
  letters_->push_back({record,
                       "at least " + std::to_string(left_out) +
                           " more errors of this event are not listed (the limit is " + std::to_string(kMostReasons) +
                           ")",
                       LetterKind::kUnmappable});
}

void UnitPlanner::Remember(const mapping::EntryList& entries, int64_t up_to, EntrySet* candidates) {
  for (size_t i = 0; i < entries.size(); ++i) candidate_bytes_ += candidates->Add(entries[i], up_to);
}

void UnitPlanner::RememberExisting(UnitWork* work) {
  if (!window_.limited()) return;
  for (size_t i = 0; i < before_.size(); ++i) work->there.Add(before_[i]);
}

void UnitPlanner::DoubtfulStep(bool first, int64_t put_up_to, UnitWork* work) {
  // The index has what a read left, not what the registers show. Attempts that may have died may have added to it.
  const Doubt& doubt = work->unit.doubt;
  const bool there = first && (!doubt.active() || (doubt.intent && !work->looked));
  if (there) RememberExisting(work);
  // M8.2, M8.4: after an ambiguous step every attempt writes under intents that name its entries. Removing more is
  // harmless, except for a unique key, which may be another row's by now.
  const bool passed = !index_->unique() || !work->named;
  if (there || passed) Remember(before_, put_up_to, &work->candidates);
  if (passed) Remember(after_, work->put_up_to, &work->candidates);
}

void UnitPlanner::AddCandidatesOfDoubt(UnitWork* work) {
  problems_.clear();
  const std::vector<Snapshot>& snapshots = work->unit.doubt.snapshots;
  for (size_t i = 0; i < snapshots.size(); ++i) {
    VisibleOf(snapshots[i], work->unit, &visible_);
    Derive(work->unit.row, visible_, &before_);
    Remember(before_, work->put_at[i], &work->candidates);
    RememberExisting(work);
  }
}

void UnitPlanner::AddCellsOfRecheck(const Snapshot& read, UnitWork* work, EntrySet* cells) {
  AddCandidatesOfDoubt(work);
  VisibleOf(read, work->unit, &visible_);
  Derive(work->unit.row, visible_, &after_);
  for (size_t i = 0; i < after_.size(); ++i) cells->Add(after_[i]);
  for (const Snapshot::Cell& cell : read.cells) {
    if (entries_expire_ && cell.timestamp < kMaxTimestamp - 2) work->above = std::max(work->above, cell.timestamp - 1);
  }
  // A unique key may be another source row's by now.
  if (index_->unique()) return;
  for (size_t i = 0; i < work->candidates.size(); ++i) cells->Add(work->candidates[i]);
}

void UnitPlanner::RaiseRechecked(const mapping::EntryList& cells, std::span<const int64_t> newest, Look look,
                                 UnitWork* work) {
  const int64_t reserve = work->unit.version - LookVersion(*work, look);
  if (work->above != kNoTime) work->unit.version = std::max(work->unit.version, work->above + 1 + reserve);  // M14
  size_t reported = 0;
  for (size_t i = 0; i < cells.size(); ++i) {
    if (newest[i] <= kMaxPassedVersion) {  // M14
      work->unit.version = std::max(work->unit.version, newest[i] + 1 + reserve);
    } else if (reported++ < kMostReasons) {
      letters_->push_back({work->record, TooNewText("index cell " + CellText(cells[i]), newest[i])});
    }
  }
}

void UnitPlanner::TellDamage(UnitWork* work) {
  if (work->damage.empty()) return;
  letters_->push_back(
      {work->record, work->damage + " (table " + index_->state_table() + ")" +
                         ". The state is rebuilt from the source row. The index may keep entries that the "
                         "row had before. Enter 'fensi repair MAPPING " +
                         index_->name() + " … --verify_first --execute'"});
  work->damage.clear();
}

int64_t UnitPlanner::LookVersion(const UnitWork& work, Look look) {
  return work.unit.version - (look == Look::kFirst ? 1 : 0);
}

void UnitPlanner::FinishDoubt(const Snapshot& read, Look look, UnitWork* work) {
  Unit& unit = work->unit;
  const int64_t version = LookVersion(*work, look);
  AddCandidatesOfDoubt(work);
  problems_.clear();
  VisibleOf(read, unit, &visible_);
  Derive(unit.row, visible_, &after_);
  TellProblems(work->record, 0);
  if (read.dropped) {
    letters_->push_back({work->record, "the source row is larger than a row state, which keeps at most " +
                                           std::to_string(kMaxUnitBytes) + " bytes. The row has no entry"});
  }
  TellDamage(work);
  RefuseOutside(work->record, work->there);
  // Everything that any attempt may have put goes; what the source shows is put above it.
  for (size_t i = 0; i < work->candidates.size(); ++i) {
    if (window_.LeavesAlone(work->candidates[i], after_)) continue;
    changes_->Remove(work->candidates[i], RemovedUpTo(*work, i, version), work->record);  // M8: removed, then put above
  }
  for (size_t i = 0; i < after_.size(); ++i) {
    if (window_.Inside(after_[i])) changes_->PutInstead(after_[i], version, work->record);
  }

  UnitStep now{.before = unit.families.get(), .after = unit.families.get()};
  VisibleByRegisters(unit, *unit.families, &visible_);
  const bool settled = MakeSnapshot(visible_) == read && !VersionDoubt(now, &unit);
  unit.doubt = {};
  work->put_at.clear();
  if (!settled) work->AddSeen(read, version);
  work->NoteLook();
  unit.reserved = look == Look::kFirst;
  work->dirty = work->doubt_dirty = true;
  work->doubtful = false;
  candidate_bytes_ -= work->candidates.bytes();
  work->candidates = {};
  work->there.Clear();
}

/// M8.4: for most indexes as far as anything can be the unit's. A unique key may be another row's by now, whose entry
/// stands above all that this one has put.
int64_t UnitPlanner::RemovedUpTo(const UnitWork& work, size_t candidate, int64_t version) const {
  return index_->unique() ? std::min(version, work.candidates.up_to(candidate)) : version;
}

}  // namespace fensi::indexer

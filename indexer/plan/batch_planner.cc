#include "indexer/plan/batch_planner.h"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/hbase_limits.h"
#include "indexer/remedies.h"

namespace fensi::indexer {

BatchPlanner::BatchPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes,
                           std::vector<Letter>* letters, std::function<Status()> may_go_on)
    : index_(index),
      row_units_(index->state_scope() == mapping::StateScope::kRow),
      read_source_(read_source),
      changes_(changes),
      letters_(letters),
      may_go_on_(std::move(may_go_on)),
      planner_(index, read_source, changes, letters),
      suspects_(index) {}

Status BatchPlanner::Plan(const PlannedEvent& event, uint64_t sequence_id) {
  if (!Representable(event)) return {};
  RowWork* row = event.row;
  FamilyStates* families = row->families.get();
  UnitStep step{.sequence_id = sequence_id, .record = event.record, .before = families, .after = families};
  step.request = event.request;
  if (event.request != nullptr && event.request->kind == consumer::Request::Kind::kRecheck) {
    return PlanRecheck(event, &step);
  }
  if (!event.markers.empty()) {
    step.marked = true;
    families_before_ = *families;
    step.before = &families_before_;
    step.family_unknown =
        std::any_of(event.markers.begin(), event.markers.end(), [this](const Cell* cell) { return LeavesOpen(*cell); });
    // M9: family markers first: each put of the event must be compared with them.
    step.families_changed = ApplyMarkers(event, sequence_id, families);
    if (step.families_changed) {
      families->version = std::max(families->Newest(), families->version + 1);
      row->families_dirty = !row_units_;
    }
  }
  if (!row_units_) return PlanColumns(event, &step);
  step.cells = event.cells;
  return PlanUnit(event, step, event.unit != nullptr ? event.unit : row->FindOrAdd("", ""));
}

Status BatchPlanner::PlanRecheck(const PlannedEvent& event, UnitStep* step) {
  if (!read_source_ && !index_->shared()) {
    letters_->push_back({event.record, "cannot read the source row again: " + BeganWithoutSource(*index_)});
    return {};
  }
  step->above = RemoveSuspects(event);
  if (!event.row->families_damage.empty() && event.request->columns.empty()) {
    // Every unit of the row has markers of its own from now on.
    ++event.row->families->version;
    event.row->families_dirty = !row_units_;
  }
  for (auto& [key, work] : event.row->units) {
    const auto is_this = [&unit = work.unit](const consumer::RequestedColumn& column) {
      return column.family == unit.family && column.qualifier == unit.qualifier;
    };
    const auto& columns = event.request->columns;
    const bool meant = row_units_ || columns.empty() || std::any_of(columns.begin(), columns.end(), is_this);
    if (meant) FENSI_RETURN_IF_ERROR(PlanUnit(event, *step, &work));
  }
  return {};
}

/// Up to the version that was found: what is younger, somebody wrote since.
int64_t BatchPlanner::RemoveSuspects(const PlannedEvent& event) {
  int64_t newest = kNoTime;
  for (const consumer::Suspect& suspect : event.request->suspects) {
    if (const Status usable = suspects_.Check(suspect); !usable.ok()) {
      letters_->push_back({event.record, usable.message(), LetterKind::kUndecodable});
      continue;
    }
    newest = std::max(newest, suspect.timestamp);
    const mapping::Entry cell{suspect.table, suspect.row, suspect.family, suspect.qualifier, {}};
    if (index_->shared()) {
      changes_->RemoveExactly(cell, suspect.timestamp, event.record);
    } else {
      // M14: up to the version that the comparison found; a younger version was written since.
      changes_->Remove(cell, suspect.timestamp, event.record);
    }
  }
  return newest;
}

/// The event changes nothing, so that its dead letter can be replayed when the state is right.
std::string BatchPlanner::NoSourceText() const {
  return "Index " + index_->name() +
         " does not read its source table, so fensi cannot rebuild the state, and the entries of this row stay as they "
         "are. Delete the damaged cell of table " +
         index_->state_table() + " in the HBase shell, then enter 'fensi dead-letters retry MAPPING " + index_->name() +
         " … --execute'. Or build the index again ('fensi help recovery')";
}

Status BatchPlanner::PlanUnit(const PlannedEvent& event, const UnitStep& step, UnitWork* work) {
  FENSI_RETURN_IF_ERROR(may_go_on_());
  // M8: without a source table a damaged state cannot be rebuilt, so the event becomes a dead letter.
  if (!work->damage.empty() && !read_source_) {
    letters_->push_back({event.record, work->damage + ". " + NoSourceText()});
    return {};
  }
  // M9: the unit was ambiguous once, so it keeps its own markers; the shared ones may be of a later event.
  if (work->unit.own_families) {
    PlanWithOwnMarkers(event, step, work);
  } else {
    planner_.Step(step, work);
  }
  return {};
}

void BatchPlanner::PlanWithOwnMarkers(const PlannedEvent& event, UnitStep step, UnitWork* work) {
  FamilyStates* own = work->unit.families.get();
  const FamilyStates before = *own;
  step.before = &before;
  step.after = own;
  step.families_changed = false;
  for (const Cell* marker : event.markers) {
    if (marker->family == work->unit.family) step.families_changed |= ApplyMarker(*marker, step.sequence_id, own);
  }
  planner_.Step(step, work);
}

/// The marker set has a version of its own, which must not pass the limit either.
bool BatchPlanner::Representable(const PlannedEvent& event) {
  if (event.markers.empty() || event.row->families->version < kMaxTimestamp) return true;
  letters_->push_back({event.record, NoVersionLeftText(*index_, "row's family deletes", kMaxTimestamp)});
  return false;
}

/// A delete of one version above all times may uncover what a put that was not taken hides.
bool BatchPlanner::LeavesOpen(const Cell& marker) const {
  const bool above = marker.type == CellType::kDeleteFamilyVersion && marker.timestamp == kAboveSourceTimes;
  return marker.type == CellType::kUnknownDelete || (read_source_ && above);
}

bool BatchPlanner::ApplyMarkers(const PlannedEvent& event, uint64_t sequence_id, FamilyStates* families) const {
  bool changed = false;
  for (const Cell* marker : event.markers) changed |= ApplyMarker(*marker, sequence_id, families);
  return changed;
}

bool BatchPlanner::ApplyMarker(const Cell& marker, uint64_t sequence_id, FamilyStates* families) const {
  if (marker.type == CellType::kUnknownDelete && !read_source_) return false;
  FamilyState* family = families->FindOrAdd(marker.family);
  if (marker.type == CellType::kDeleteFamily) return family->DeleteFamily(marker.timestamp, sequence_id);
  return family->DeleteFamilyVersion(marker.timestamp, !read_source_);
}

Status BatchPlanner::PlanColumns(const PlannedEvent& event, UnitStep* step) {
  if (event.unit != nullptr) {
    step->cells = event.cells;
    return PlanUnit(event, *step, event.unit);
  }
  const auto belongs = [](const UnitWork& work) {
    return [&work](const Cell* cell) {
      return cell->qualifier == work.unit.qualifier && cell->family == work.unit.family;
    };
  };
  // The cells of one unit together, in the event's order; a marker concerns every unit of the row.
  std::vector<const Cell*> cells;
  const auto plan = [&](UnitWork* work, auto first, auto last) {
    cells.clear();
    std::copy_if(first, last, std::back_inserter(cells), belongs(*work));
    step->cells = cells;
    return PlanUnit(event, *step, work);
  };
  std::vector<const Cell*> sorted(event.cells.begin(), event.cells.end());
  const auto column_order = [](const Cell* a, const Cell* b) {
    return std::tie(a->family, a->qualifier) < std::tie(b->family, b->qualifier);
  };
  std::stable_sort(sorted.begin(), sorted.end(), column_order);
  if (event.concerns_all()) {
    for (auto& [key, work] : event.row->units) FENSI_RETURN_IF_ERROR(plan(&work, sorted.begin(), sorted.end()));
    return {};
  }
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first, column_order);
    FENSI_RETURN_IF_ERROR(plan(event.row->FindOrAdd((*first)->family, (*first)->qualifier), first, last));
    first = last;
  }
  return {};
}

}  // namespace fensi::indexer

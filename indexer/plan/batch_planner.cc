#include "indexer/plan/batch_planner.h"

#include <algorithm>
#include <iterator>
#include <tuple>

namespace fensi::indexer {

BatchPlanner::BatchPlanner(const mapping::Index* index, bool read_source, ChangeSet* changes,
                           std::vector<Report>* reports)
    : row_units_(index->state_unit() == mapping::StateUnit::kRow),
      read_source_(read_source),
      changes_(changes),
      reports_(reports),
      planner_(index, read_source, changes, reports) {}

void BatchPlanner::Plan(const PlannedEvent& event, uint64_t sequence_id) {
  if (!Representable(event)) return;
  RowWork* row = event.row;
  FamilySet* families = row->families.get();
  UnitStep step{.sequence_id = sequence_id, .record = event.record, .before = families, .after = families};
  if (!event.markers.empty()) {
    families_before_ = *families;
    step.before = &families_before_;
    step.family_unknown = std::any_of(event.markers.begin(), event.markers.end(),
                                      [](const Cell* cell) { return cell->type == CellType::kUnknownDelete; });
    step.families_changed = ApplyMarkers(event, sequence_id, families);
    if (step.families_changed) {
      families->version = std::max(families->Newest(), families->version + 1);
      row->families_dirty = !row_units_;
    }
  }
  if (row_units_) {
    step.cells = event.cells;
    planner_.Step(step, row->FindOrAdd("", ""));
  } else {
    PlanColumns(event, &step);
  }
}

/// The marker set has a version of its own, which must not pass the limit either.
bool BatchPlanner::Representable(const PlannedEvent& event) {
  if (event.markers.empty() || event.row->families->version < kMaxTimestamp) return true;
  reports_->push_back({event.record, "the version of the row's family deletes would pass " +
                                         std::to_string(kMaxTimestamp) +
                                         ": a delete so far in the future cannot be followed by another one"});
  return false;
}

bool BatchPlanner::ApplyMarkers(const PlannedEvent& event, uint64_t sequence_id, FamilySet* families) const {
  bool changed = false;
  for (const Cell* cell : event.markers) {
    if (cell->type == CellType::kUnknownDelete && !read_source_) continue;
    FamilyRegisters* family = families->FindOrAdd(cell->family);
    if (cell->type == CellType::kDeleteFamily) {
      changed |= family->DeleteFamily(cell->timestamp, sequence_id);
    } else {
      changed |= family->DeleteFamilyVersion(cell->timestamp, !read_source_);
    }
  }
  return changed;
}

void BatchPlanner::PlanColumns(const PlannedEvent& event, UnitStep* step) {
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
    planner_.Step(*step, work);
  };
  if (event.cells.size() == 1 && event.markers.empty()) {
    const Cell& cell = *event.cells.front();
    plan(event.row->FindOrAdd(cell.family, cell.qualifier), event.cells.begin(), event.cells.end());
    return;
  }
  std::vector<const Cell*> sorted = event.cells;
  const auto column_order = [](const Cell* a, const Cell* b) {
    return std::tie(a->family, a->qualifier) < std::tie(b->family, b->qualifier);
  };
  std::stable_sort(sorted.begin(), sorted.end(), column_order);
  if (!event.markers.empty()) {
    for (auto& [key, work] : event.row->units) plan(&work, sorted.begin(), sorted.end());
    return;
  }
  for (auto first = sorted.begin(); first != sorted.end();) {
    const auto last = std::upper_bound(first, sorted.end(), *first, column_order);
    plan(event.row->FindOrAdd((*first)->family, (*first)->qualifier), first, last);
    first = last;
  }
}

}  // namespace fensi::indexer

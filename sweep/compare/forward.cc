#include "sweep/compare/forward.h"

#include "sweep/scan/table_list.h"

namespace fensi::sweep {
namespace {

constexpr size_t kMostEntries = 2'000;
constexpr size_t kMostEntryBytes = size_t{4} << 20;

}  // namespace

Forward::Forward(Sweep* sweep)
    : sweep_(sweep),
      derivation_(sweep->index),
      cells_(sweep->index, sweep->store),
      times_(sweep->index, sweep->newest_put) {}

Status Forward::Walk(const TableScanner::Use& use) {
  store::ScanRequest request = sweep_->source_rows;
  request.columns = WatchedColumns(*sweep_->index);
  const bool by_column = sweep_->index->state_scope() == mapping::StateScope::kColumn;
  return sweep_->walker->Walk(sweep_->index->source_table(), request,
                              by_column ? TableScanner::Rows::kInPieces : TableScanner::Rows::kWhole, use);
}

Status Forward::WalkUnits(const UseUnit& use) {
  return Walk([&](const store::Row& row) {
    if (row.row != last_row_ && sweep_->digest == nullptr) ++sweep_->counts->rows;
    last_row_ = row.row;
    return derivation_.Derive(row, use);
  });
}

Status Forward::Compare(const UseEntry& derived) {
  const Status walked = WalkUnits([&](const Derived& unit) {
    if (sweep_->digest == nullptr) FENSI_RETURN_IF_ERROR(CountUnit(unit));
    return CompareUnit(unit, derived);
  });
  return walked.ok() ? Flush() : walked;
}

Status Forward::Sum(const UseTimedEntry& derived) {
  return WalkUnits([&](const Derived& unit) {
    FENSI_RETURN_IF_ERROR(CountUnit(unit));
    const bool compared = unit.newest <= sweep_->as_of;
    for (size_t i = 0; i < unit.entries->size(); ++i) {
      if (compared) FENSI_RETURN_IF_ERROR(sweep_->tables->Note((*unit.entries)[i].table));
      derived((*unit.entries)[i], unit.newest);
    }
    return Status();
  });
}

Status Forward::Derive(const UseDerived& derived) {
  return Walk([&](const store::Row& row) {
    return derivation_.Derive(row, [&](const Derived& unit) {
      met_younger_ = met_younger_ || unit.newest > sweep_->as_of;
      for (size_t i = 0; i < unit.entries->size(); ++i) derived(*unit.unit, (*unit.entries)[i]);
      return Status();
    });
  });
}

Status Forward::CountUnit(const Derived& derived) {
  if (derived.newest > sweep_->as_of) {
    ++sweep_->counts->younger;
    return {};
  }
  const Expectation now(*sweep_->index, sweep_->clock->WallMillis());
  for (size_t i = 0; i < derived.entries->size(); ++i) {
    ++sweep_->counts->entries;
    if (!now.Inside((*derived.entries)[i])) ++sweep_->counts->outside;
  }
  return derived.problems->empty() ? Status() : ReportProblem(derived);
}

Status Forward::CompareUnit(const Derived& derived, const UseEntry& use) {
  const bool compared = derived.newest <= sweep_->as_of;
  const Expectation now(*sweep_->index, sweep_->clock->WallMillis());
  for (size_t i = 0; i < derived.entries->size(); ++i) {
    const mapping::Entry entry = (*derived.entries)[i];
    // M19: young entries count, too: the index may have them.
    use(entry);
    if (!compared) continue;
    FENSI_RETURN_IF_ERROR(sweep_->tables->Note(entry.table));
    if (!now.Inside(entry)) continue;
    if (sweep_->digest != nullptr && sweep_->digest->IsEven(entry)) {
      ++sweep_->counts->good;
      continue;
    }
    FENSI_RETURN_IF_ERROR(Await(*derived.unit, derived.newest, entry));
  }
  return Status();
}

Status Forward::Await(const SourceUnit& unit, int64_t newest, const mapping::Entry& entry) {
  if (units_.empty() || !(units_.back() == unit)) {
    units_.push_back(unit);
    bytes_ += unit.row.size();
  }
  entries_.Add(entry);
  unit_of_.push_back(units_.size() - 1);
  newest_.push_back(newest);
  bytes_ += entry.row.size() + entry.qualifier.size() + entry.value.size();
  return entries_.size() < kMostEntries && bytes_ < kMostEntryBytes ? Status() : Flush();
}

Status Forward::ReportProblem(const Derived& derived) {
  Finding finding;
  // The index may keep entries of a unit that is too large, so the unit is undecided.
  finding.kind = derived.too_large ? Finding::Kind::kUndecided : Finding::Kind::kUnmappable;
  finding.source = *derived.unit;
  finding.reason = derived.problems->front().reason;
  finding.seen = finding.confirmed = sweep_->clock->WallMillis();
  Count(finding.kind, sweep_->counts);
  return sweep_->sink->Add(finding);
}

Status Forward::CheckTimes(const std::vector<Late>& late, std::vector<size_t>* wrong) {
  std::vector<SourceUnit> units;
  for (const Late& each : late) units.push_back(units_[unit_of_[each.place]]);
  FENSI_ASSIGN_OR_RETURN(const std::vector<int64_t> newest, times_.NewestPuts(units));
  for (size_t i = 0; i < late.size(); ++i) {
    // M18: above all that an owner can have put, so it would hide later changes.
    const bool too_new = late[i].timestamp > newest[i];
    if (too_new) wrong->push_back(late[i].place);
    sweep_->counts->good += too_new ? 0 : 1;
  }
  return {};
}

Status Forward::Flush() {
  std::vector<mapping::Entry> wanted;
  for (size_t i = 0; i < entries_.size(); ++i) wanted.push_back(entries_[i]);
  std::vector<size_t> wrong;
  std::vector<Late> late;
  const Expectation now(*sweep_->index, sweep_->clock->WallMillis());
  FENSI_RETURN_IF_ERROR(cells_.Read(wanted, [&](size_t place, const Cell* cell) {
    const mapping::Entry& entry = wanted[place];
    const bool good = cell != nullptr && (sweep_->index->shared() || cell->value == entry.value);
    if (good && times_.MayBeTooNew(units_[unit_of_[place]], entry, cell->timestamp, newest_[place])) {
      late.push_back({place, cell->timestamp});
    } else if (good) {
      ++sweep_->counts->good;
    } else if (now.Expires(entry)) {
      ++sweep_->counts->in_flight;
    } else {
      wrong.push_back(place);
    }
  }));
  FENSI_RETURN_IF_ERROR(CheckTimes(late, &wrong));
  for (const size_t place : wrong) {
    if (sweep_->judge->full()) FENSI_RETURN_IF_ERROR(sweep_->judge->Wait(false));
    sweep_->judge->Add(Judge::From::kSource, units_[unit_of_[place]], wanted[place]);
  }
  entries_.Clear();
  unit_of_.clear();
  newest_.clear();
  units_.clear();
  bytes_ = 0;
  return Status();
}

}  // namespace fensi::sweep

#include "tests/indexer/model/model_oracle.h"

#include <algorithm>

namespace fensi::testing {

ModelOracle::ModelOracle(const ModelSetting& setting, const HbaseTable* source)
    : setting_(setting), kind_(KindNamed(setting.kind)), source_(source) {}

void ModelOracle::Derive(const std::string& row, const ShownRow& shown, RowWindow* window) const {
  std::vector<DerivedEntry> entries;
  kind_.derive(row, shown, &entries);
  ++window->moments;
  std::map<std::string, const DerivedEntry*> last;  // of equal cells of a row the later one wins
  for (const DerivedEntry& entry : entries) last[entry.cell] = &entry;
  for (const auto& [cell, entry] : last) {
    CellWindow& known = window->cells[cell];
    known.values.insert(entry->value);
    known.newest = entry->newest;
    ++known.moments;
  }
}

/// With each column as HBase shows it, or as T4 and T5 allow.
void ModelOracle::AddMoment(const Unit& unit, int64_t now, RowWindow* window) const {
  std::vector<ShownRow> rows(1);
  for (const HbaseTable::Shown& column : source_->ShownOf(unit.first, now)) {
    if (!unit.second.empty() && unit.second != column.qualifier) continue;
    std::set<const HbaseTable::Stored*> allowed = {column.visible};
    if (column.visible != column.newest) {
      ++ended_by_themselves_;
      allowed.insert(nullptr);
      if (!setting_.exact && !strict_) allowed.insert(column.newest);
    }
    const std::vector<ShownRow> before = std::move(rows);
    rows.clear();
    for (const ShownRow& so_far : before) {
      for (const HbaseTable::Stored* cell : allowed) {
        rows.push_back(so_far);
        if (cell != nullptr) rows.back()[column.qualifier] = {cell->value, cell->timestamp};
      }
    }
  }
  for (const ShownRow& shown : rows) Derive(unit.first, shown, window);
}

void ModelOracle::Told(const ChangeEvent& event, int64_t since, int64_t now) {
  std::set<Unit> units;
  for (const Cell& cell : event.cells) {
    if (!Watches(kind_, cell)) continue;
    if (LiesBelow(event.row, cell, now)) {
      // A newer put that has ended by itself does not hide it.
      const Unit unit = {event.row, kind_.column_units ? cell.qualifier : ""};
      AddMoment(unit, now, &units_[unit]);
      continue;
    }
    const std::set<Unit> concerned = UnitsOf(event.row, cell);
    if (!HidesNothingNew(event.row, cell)) {
      units.insert(concerned.begin(), concerned.end());
    } else {
      for (const Unit& unit : concerned) AddMoment(unit, now, &units_[unit]);
    }
  }
  for (const Unit& unit : units) {
    RowWindow& window = units_[unit];
    window.cells.clear();
    window.moments = 0;
    AddMoment(unit, now, &window);
    if (since == now || setting_.exact) continue;
    AddMoment(unit, since, &window);
    for (const int64_t end : source_->EndsOf(unit.first)) {
      if (end >= since && end < now) AddMoment(unit, end + 1, &window);
    }
  }
}

std::set<ModelOracle::Unit> ModelOracle::UnitsOf(const std::string& row, const Cell& cell) const {
  if (!kind_.column_units) return {{row, ""}};
  if (!IsFamilyMarker(cell.type)) return {{row, cell.qualifier}};
  std::set<Unit> units;
  for (const auto& [unit, window] : units_) {
    if (unit.first == row) units.insert(unit);
  }
  return units;
}

bool ModelOracle::HidesNothingNew(const std::string& row, const Cell& marker) {
  if (marker.type == CellType::kPut || (setting_.has_source && !kind_.unique && !kind_.shared)) return false;
  const auto covers = [&](const Cell& earlier) {
    const bool of_column = !IsFamilyMarker(marker.type) && earlier.qualifier == marker.qualifier;
    if (earlier.type == CellType::kDeleteFamily) return earlier.timestamp >= marker.timestamp;
    if (earlier.type == CellType::kDeleteColumn) return of_column && earlier.timestamp >= marker.timestamp;
    const bool is_same = earlier.type == marker.type && earlier.timestamp == marker.timestamp;
    return is_same && (of_column || IsFamilyMarker(marker.type));
  };
  std::vector<Cell>& deletes = deletes_[row];
  if (std::any_of(deletes.begin(), deletes.end(), covers)) return true;
  deletes.push_back(marker);
  return false;
}

bool ModelOracle::LiesBelow(const std::string& row, const Cell& put, int64_t now) const {
  if (put.type != CellType::kPut) return false;
  // One that is over when it happens changes nothing either, above or below others that are.
  const int64_t ttl = int64_t{1000} * setting_.source_ttl_s;
  if (ttl > 0 && setting_.min_versions == 0 && put.timestamp < now - ttl) return true;
  for (const HbaseTable::Shown& column : source_->ShownOf(row, now)) {
    if (column.qualifier == put.qualifier) return put.timestamp < column.newest->timestamp;
  }
  return false;
}

void ModelOracle::Counted(const ChangeEvent& event) {
  RowTimes& times = times_[event.row];
  ++times.tellings;
  for (const Cell& cell : event.cells) {
    if (Watches(kind_, cell)) times.newest = std::max(times.newest, cell.timestamp);
  }
}

void ModelOracle::Passes(int64_t from, int64_t to) {
  for (auto& [unit, window] : units_) {
    std::vector<int64_t> moments = {to};
    for (const int64_t end : source_->EndsOf(unit.first)) {
      if (end >= from && end < to) moments.push_back(end + 1);
    }
    ends_passed_ += static_cast<int64_t>(moments.size()) - 1;
    if (setting_.exact) {
      window.cells.clear();
      window.moments = 0;
      moments = {to};
    } else if (moments.size() == 1 && window.moments > 0) {
      continue;  // nothing ends in this time
    }
    std::sort(moments.begin(), moments.end());
    int64_t before = from;
    for (const int64_t moment : moments) {
      if (!setting_.exact) NoteEnded(unit, before, moment, &window);
      AddMoment(unit, moment, &window);
      before = moment;
    }
  }
}

void ModelOracle::NoteEnded(const Unit& unit, int64_t before, int64_t after, RowWindow* window) const {
  RowWindow was, is;
  AddMoment(unit, before, &was);
  AddMoment(unit, after, &is);
  for (const auto& [cell, entry] : was.cells) {
    if (is.cells.count(cell) > 0) continue;
    for (const std::string& value : entry.values) window->ended[cell][value] = OutlivesUntil(unit.first);
  }
}

int64_t ModelOracle::OutlivesUntil(const std::string& row) const {
  if (setting_.index_ttl_s == 0 || setting_.min_versions > 0) return INT64_MAX;
  const auto times = times_.find(row);
  if (times == times_.end()) return 0;
  return times->second.newest + int64_t{1000} * setting_.index_ttl_s + 4 * times->second.tellings + 4;
}

bool ModelOracle::MustShow(const RowWindow& window, const CellWindow& cell, int64_t now) const {
  if (cell.moments < window.moments) return false;
  if (setting_.index_ttl_s == 0 || setting_.min_versions > 0) return true;
  return now <= cell.newest + int64_t{1000} * setting_.index_ttl_s;
}

std::string ModelOracle::Difference(const IndexCells& shown, int64_t now) const {
  std::map<std::string, std::set<std::string>> may, must;
  for (const auto& [unit, window] : units_) {
    RowWindow here;
    AddMoment(unit, now, &here);
    for (const auto& [name, values] : window.ended) {
      for (const auto& [value, until] : values) {
        if (now <= until) may[name].insert(value);
      }
    }
    const bool outlived = now > OutlivesUntil(unit.first);
    for (const auto& [name, cell] : window.cells) {
      if (!outlived || here.cells.count(name) > 0) may[name].insert(cell.values.begin(), cell.values.end());
      if (MustShow(window, cell, now)) must[name].insert(cell.values.begin(), cell.values.end());
    }
  }
  for (const auto& [cell, values] : must) {
    const auto found = shown.find(cell);
    if (found == shown.end()) return "missing: " + cell + " = " + *values.begin();
    if (values.count(found->second) == 0)
      return "wrong: " + cell + " = " + found->second + ", must be " + *values.begin();
  }
  for (const auto& [cell, value] : shown) {
    const auto found = may.find(cell);
    if (found == may.end()) return "orphan: " + cell + " = " + value;
    if (found->second.count(value) == 0) return "wrong: " + cell + " = " + value + ", may be " + *found->second.begin();
  }
  return "";
}

bool ModelOracle::SomethingEnds(int64_t from, int64_t to) const {
  const auto within = [=](int64_t end) { return end >= from - 1 && end <= to + 1; };
  for (const auto& [row, families] : source_->rows()) {
    const std::vector<int64_t> ends = source_->EndsOf(row);
    if (std::any_of(ends.begin(), ends.end(), within) || within(OutlivesUntil(row))) return true;
  }
  for (const auto& [unit, window] : units_) {
    for (const auto& [name, cell] : window.cells) {
      if (within(cell.newest + int64_t{1000} * setting_.index_ttl_s)) return true;
    }
    for (const auto& [name, values] : window.ended) {
      if (std::any_of(values.begin(), values.end(), [&](const auto& value) { return within(value.second); }))
        return true;
    }
  }
  return false;
}

std::set<std::pair<std::string, std::string>> ModelOracle::EntriesOf(const std::string& row, int64_t now) const {
  RowWindow window;
  AddMoment({row, ""}, now, &window);
  std::set<std::pair<std::string, std::string>> entries;
  for (const auto& [cell, entry] : window.cells) {
    for (const std::string& value : entry.values) entries.insert({cell, value});
  }
  return entries;
}

bool ModelOracle::Lawful(int64_t now) const {
  std::set<std::string> given;
  for (const auto& [row, cells] : source_->rows()) {
    RowWindow window;
    AddMoment({row, ""}, now, &window);
    for (const auto& [cell, entry] : window.cells) {
      if (!given.insert(cell).second) return false;
    }
  }
  return true;
}

}  // namespace fensi::testing

#include "indexer/state/state_table.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::indexer {
namespace {

Status TakeCell(const Cell& cell, bool row_units, RowWork* row) {
  if (cell.family == kMarkerFamily) {
    row->families->version = cell.timestamp;
    return DecodeFamilies(cell.value, row->families.get());
  }
  const ColumnName column = SplitColumn(cell.qualifier);
  UnitWork* work = row_units ? row->FindOrAdd("", "") : row->FindOrAdd(column.family, column.qualifier);
  if (work->known) return {};  // a cached unit is the newer one
  work->unit.version = std::max(work->unit.version, cell.timestamp);
  if (cell.family == kDoubtFamily) return DecodeDoubt(cell.value, &work->unit.doubt);
  return DecodeUnit(cell.value, &work->unit);
}

Cell StateCell(const char* family, const std::string& key, int64_t version, std::string value) {
  return {.family = family, .qualifier = key, .timestamp = version, .type = CellType::kPut, .value = std::move(value)};
}

}  // namespace

std::string UnitKey(std::string_view family, std::string_view qualifier) {
  std::string key(family);
  if (!family.empty()) key.append(":").append(qualifier);
  return key;
}

UnitWork* RowWork::FindOrAdd(std::string_view family, std::string_view qualifier) {
  auto [place, added] = units.try_emplace(UnitKey(family, qualifier));
  UnitWork* work = &place->second;
  if (added) {
    work->unit.row = row;
    work->unit.family = family;
    work->unit.qualifier = qualifier;
    work->unit.families = families;
  }
  return work;
}

bool MissingState(const RowWork& row, bool row_units, store::GetRequest* request) {
  request->row = row.row;
  request->columns.clear();
  if (row.all_units && !row_units) {
    for (const char* family : {kStateFamily, kDoubtFamily, kMarkerFamily}) request->columns.push_back({family, {}});
    return true;
  }
  for (const auto& [key, work] : row.units) {
    if (work.known) continue;
    request->columns.push_back({kStateFamily, key});
    request->columns.push_back({kDoubtFamily, key});
  }
  if (!row_units && !row.families_known) request->columns.push_back({kMarkerFamily, ""});
  return !request->columns.empty();
}

Status TakeState(const store::Row& answer, bool row_units, RowWork* row) {
  for (const Cell& cell : answer.cells) {
    if (cell.family == kMarkerFamily && row->families_known) continue;
    if (Status taken = TakeCell(cell, row_units, row); !taken.ok()) {
      return taken.WithContext("state of row " + Escape(row->row) + ", column " +
                               ColumnText(cell.family, cell.qualifier));
    }
  }
  row->families_known = true;
  for (auto& [key, work] : row->units) work.known = true;
  return {};
}

void AddStateMutation(const RowWork& row, bool row_units, std::optional<int64_t> ttl_millis,
                      std::vector<store::RowMutation>* mutations) {
  store::RowMutation mutation{row.row, {}};
  for (const auto& [key, work] : row.units) {
    const Unit& unit = work.unit;
    if (work.dirty) {
      mutation.cells.push_back(StateCell(kStateFamily, key, unit.version, EncodeUnit(unit, row_units)));
    }
    if (work.doubt_dirty) {
      mutation.cells.push_back(StateCell(kDoubtFamily, key, unit.version, EncodeDoubt(unit.doubt)));
    }
  }
  if (row.families_dirty) {
    mutation.cells.push_back(StateCell(kMarkerFamily, "", row.families->version, EncodeFamilies(*row.families)));
  }
  if (ttl_millis) {
    for (Cell& cell : mutation.cells) cell.tags.push_back(MakeTtlTag(*ttl_millis));
  }
  if (!mutation.cells.empty()) mutations->push_back(std::move(mutation));
}

store::RowMutation IntentMutation(const std::string& row, const std::string& unit_key, const Doubt& intent,
                                  int64_t version) {
  return {row, {StateCell(kDoubtFamily, unit_key, version, EncodeDoubt(intent))}};
}

}  // namespace fensi::indexer

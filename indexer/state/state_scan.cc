#include "indexer/state/state_scan.h"

#include <algorithm>
#include <map>
#include <utility>

#include "base/quoted.h"
#include "indexer/state/state_table.h"
#include "indexer/state/unit_codec.h"

namespace fensi::indexer {
namespace {

// Of a page, whose bytes nobody knows before: as many as took little the last time.
constexpr size_t kFewestCells = 20;
constexpr size_t kMostCells = 2'000;
constexpr size_t kPageBytes = size_t{4} << 20;

size_t CellsOfNextPage(size_t cells, const std::vector<store::Row>& page) {
  size_t bytes = 0;
  for (const store::Row& row : page) bytes += store::HeldBytes(row);
  return std::clamp(bytes > kPageBytes ? cells / 8 : cells * 2, kFewestCells, kMostCells);
}

store::ScanRequest AllStates() {
  store::ScanRequest request;
  for (const char* family : {kStateFamily, kDoubtFamily, kMarkerFamily}) request.columns.push_back({family, {}});
  request.max_cells = kFewestCells;
  return request;
}

/// What states have no room for has no entry; a mirror has no such bound.
bool LeftSomethingOut(const Unit& unit) {
  const auto dropped = [](const ColumnState& column) { return column.newest.dropped; };
  return unit.forgotten != kNoTime || std::any_of(unit.columns.begin(), unit.columns.end(), dropped);
}

/// One marker of each family, up to the newest cell: of a bucket, too.
void AddRemovals(const store::Row& row, std::vector<store::RowMutation>* removals) {
  std::map<std::string, int64_t> newest;
  for (const Cell& cell : row.cells) {
    const auto [place, added] = newest.try_emplace(cell.family, cell.timestamp);
    if (!added) place->second = std::max(place->second, cell.timestamp);
  }
  for (const auto& [family, timestamp] : newest) {
    removals->push_back({row.row, {{.family = family, .timestamp = timestamp, .type = CellType::kDeleteFamily}}});
  }
}

}  // namespace

StateScan::StateScan(const mapping::Index* index, store::Store* store, const StateLayout& layout)
    : index_(index), store_(store), layout_(layout), request_(AllStates()) {}

Result<bool> StateScan::Next(std::vector<StoredState>* page) {
  page->clear();
  while (more_ && page->empty()) {
    const Result<std::vector<store::Row>> rows = store_->Scan(index_->state_table(), request_);
    FENSI_RETURN_IF_ERROR(rows.status());
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) {
        const Status taken = Take(row.row, cell, page);
        if (taken.ok()) continue;
        return taken.WithContext("state table " + index_->state_table() + ", row " + QuotedBytes(row.row) +
                                 ", column " + QuotedColumn(cell.family, cell.qualifier));
      }
    }
    request_.max_cells = CellsOfNextPage(request_.max_cells, *rows);
    more_ = store::ToNextPage(*rows, &request_);
  }
  return !page->empty();
}

Status StateScan::Take(const std::string& row, const Cell& cell, std::vector<StoredState>* page) const {
  StoredState found{.row = row, .timestamp = cell.timestamp};
  // A large state stands in a row of its own, where its qualifier is empty.
  const bool in_bucket = layout_.buckets() && cell.family != kDoubtFamily && !cell.qualifier.empty();
  if (in_bucket) found.row = cell.qualifier;
  if (cell.family == kMarkerFamily) {
    found.kind = StoredState::Kind::kMarkers;
  } else if (cell.family == kDoubtFamily) {
    FENSI_RETURN_IF_ERROR(TakeDoubt(cell, &found));
  } else {
    if (!in_bucket) found.unit = cell.qualifier;
    Unit unit;
    const Status decoded = DecodeUnit(cell.value, &unit);
    if (!decoded.ok() && decoded.code() != StatusCode::kInternal) return decoded;
    found.open = !decoded.ok() || unit.doubt.active() || unit.reserved || LeftSomethingOut(unit);
  }
  page->push_back(std::move(found));
  return {};
}

Status StateScan::TakeDoubt(const Cell& cell, StoredState* found) const {
  found->kind = StoredState::Kind::kDoubt;
  const Result<DoubtName> name = ParseDoubtName(cell.qualifier);
  FENSI_RETURN_IF_ERROR(name.status());
  found->unit = name->unit;
  Doubt doubt;
  const Status decoded = DecodeDoubt(cell.value, &doubt);
  if (!decoded.ok() && decoded.code() != StatusCode::kInternal) return decoded;
  found->open = !decoded.ok() || name->intent || doubt.active();
  return {};
}

Status RemoveStates(const mapping::Index& index, store::Store* store) {
  store::ScanRequest request = AllStates();
  request.keys_only = true;
  request.max_cells = kMostCells;
  for (bool more = true; more;) {
    const Result<std::vector<store::Row>> rows = store->Scan(index.state_table(), request);
    FENSI_RETURN_IF_ERROR(rows.status());
    std::vector<store::RowMutation> removals;
    for (const store::Row& row : *rows) AddRemovals(row, &removals);
    more = store::ToNextPage(*rows, &request);
    if (removals.empty()) continue;
    const Result<std::vector<store::RejectedRow>> removed = store->Delete(index.state_table(), removals);
    FENSI_RETURN_IF_ERROR(removed.status());
    if (!removed->empty()) return removed->front().reason;
  }
  return {};
}

Result<bool> HasStates(const mapping::Index& index, store::Store* store) {
  store::ScanRequest request = AllStates();
  request.max_rows = request.max_cells = 1;
  const Result<std::vector<store::Row>> rows = store->Scan(index.state_table(), request);
  FENSI_RETURN_IF_ERROR(rows.status());
  return !rows->empty();
}

}  // namespace fensi::indexer

#include "indexer/requests/index_cells.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace fensi::indexer {
namespace {

/// Columns of one request, and cells of one answer: a row may have millions.
constexpr size_t kColumns = 200;
constexpr size_t kCells = 2'000;

/// The first row behind this one that HBase can hold.
std::string RowBehind(std::string row) {
  if (row.size() < store::kMaxRowBytes) return row + '\0';
  while (!row.empty() && row.back() == '\xff') row.pop_back();
  if (!row.empty()) ++row.back();
  return row;
}

bool StandsAt(const Cell& found, const mapping::Entry& wanted) {
  return found.family == wanted.family && (IsFamilyMarker(found.type) || found.qualifier == wanted.qualifier);
}

}  // namespace

Status IndexCells::ReadNewest(const mapping::EntryList& cells, std::vector<int64_t>* newest) {
  newest->assign(cells.size(), -1);
  std::map<std::pair<std::string_view, std::string_view>, std::vector<size_t>> rows;
  for (size_t i = 0; i < cells.size(); ++i) {
    const bool possible = !cells[i].row.empty() && cells[i].row.size() <= store::kMaxRowBytes;
    if (possible) rows[{cells[i].table, cells[i].row}].push_back(i);
  }
  for (const auto& [row, of_row] : rows) {
    for (size_t first = 0; first < of_row.size(); first += kColumns) {
      const auto begin = of_row.begin() + static_cast<ptrdiff_t>(first);
      const auto end = of_row.begin() + static_cast<ptrdiff_t>(std::min(of_row.size(), first + kColumns));
      FENSI_RETURN_IF_ERROR(ReadRow(cells, {begin, end}, newest));
    }
  }
  return {};
}

Status IndexCells::ReadRow(const mapping::EntryList& cells, const std::vector<size_t>& of_row,
                           std::vector<int64_t>* newest) {
  const mapping::Entry first = cells[of_row.front()];
  store::ScanRequest request{.start_row = std::string(first.row), .stop_row = RowBehind(std::string(first.row))};
  request.raw = request.keys_only = true;
  request.max_cells = kCells;
  for (size_t i : of_row) request.columns.push_back({std::string(cells[i].family), std::string(cells[i].qualifier)});
  for (;;) {
    FENSI_RETURN_IF_ERROR(assignment_->Check());
    const Result<std::vector<store::Row>> page = store_->Scan(std::string(first.table), request);
    if (page.status().code() == StatusCode::kNotFound) return {};  // a period that has no table
    FENSI_RETURN_IF_ERROR(page.status());
    for (const store::Row& row : *page) {
      for (const Cell& found : row.cells) {
        for (size_t i : of_row) {
          if (StandsAt(found, cells[i])) (*newest)[i] = std::max((*newest)[i], found.timestamp);
        }
      }
    }
    if (!store::ToNextPage(*page, &request)) return {};
  }
}

}  // namespace fensi::indexer

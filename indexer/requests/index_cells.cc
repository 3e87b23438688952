#include "indexer/requests/index_cells.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "store/store.h"

namespace fensi::indexer {
namespace {

constexpr size_t kColumns = 200;  // of one request: a row may have millions

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
  std::vector<store::GetRequest::Column> columns;
  for (size_t i : of_row) columns.push_back({std::string(cells[i].family), std::string(cells[i].qualifier)});
  // M14: a raw read, because a marker hides later puts below it, too.
  const Status read = store::ForEachRawCell(store_, std::string(first.table), std::string(first.row),
                                            std::move(columns), [&](const Cell& found) {
                                              for (size_t i : of_row) {
                                                if (StandsAt(found, cells[i]))
                                                  (*newest)[i] = std::max((*newest)[i], found.timestamp);
                                              }
                                            });
  return read.code() == StatusCode::kNotFound ? Status() : read;  // a period that has no table
}

}  // namespace fensi::indexer

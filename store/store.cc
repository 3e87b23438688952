#include "store/store.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "base/hbase_limits.h"

namespace fensi::store {

std::string ValueOf(const Row& row, std::string_view qualifier) {
  const auto has = [qualifier](const Cell& cell) { return cell.qualifier == qualifier; };
  const auto found = std::find_if(row.cells.begin(), row.cells.end(), has);
  return found == row.cells.end() ? "" : found->value;
}

size_t HeldBytes(const Row& row) {
  size_t bytes = sizeof row + row.row.size();
  for (const Cell& cell : row.cells) {
    bytes += sizeof cell + cell.family.size() + cell.qualifier.size() + cell.value.size();
  }
  return bytes;
}

bool ToNextPage(const std::vector<Row>& page, ScanRequest* request) {
  request->behind.reset();
  if (!page.empty() && page.back().goes_on) {
    const Row& last = page.back();
    request->start_row = last.row;
    request->behind = ColumnPlace{last.cells.back().family, last.cells.back().qualifier};
    return true;
  }
  if (page.size() < request->max_rows) return false;
  request->start_row = RowAfter(page.back().row);
  return !request->start_row.empty() && (request->stop_row.empty() || request->start_row < request->stop_row);
}

namespace {

// Cells of one answer: a row may have millions.
constexpr size_t kCells = 2'000;

}  // namespace

ScanRequest RowRequest(const std::string& row) { return {.start_row = row, .stop_row = RowAfter(row)}; }

ScanRequest PrefixRequest(const std::string& prefix) { return {.start_row = prefix, .stop_row = PrefixEnd(prefix)}; }

Status ForEachRawCell(Store* store, const std::string& table, const std::string& row,
                      std::vector<GetRequest::Column> columns, const std::function<void(const Cell&)>& use) {
  ScanRequest request = RowRequest(row);
  request.columns = std::move(columns);
  request.raw = request.keys_only = true;
  request.max_cells = kCells;
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<Row> page, store->Scan(table, request));
    for (const Row& piece : page) {
      for (const Cell& cell : piece.cells) use(cell);
    }
    if (!ToNextPage(page, &request)) return {};
  }
}

}  // namespace fensi::store

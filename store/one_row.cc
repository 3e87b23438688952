#include "store/one_row.h"

#include <utility>

#include "base/row_after.h"

namespace fensi::store {
namespace {

// Cells of one answer: a row may have millions.
constexpr size_t kCells = 2'000;

}  // namespace

ScanRequest RowRequest(const std::string& row) { return {.start_row = row, .stop_row = RowAfter(row)}; }

Status ForEachRawCell(Store* store, const std::string& table, const std::string& row,
                      std::vector<GetRequest::Column> columns, const std::function<Status()>& go_on,
                      const std::function<void(const Cell&)>& use) {
  ScanRequest request = RowRequest(row);
  request.columns = std::move(columns);
  request.raw = request.keys_only = true;
  request.max_cells = kCells;
  for (;;) {
    if (go_on) FENSI_RETURN_IF_ERROR(go_on());
    const Result<std::vector<Row>> page = store->Scan(table, request);
    FENSI_RETURN_IF_ERROR(page.status());
    for (const Row& piece : *page) {
      for (const Cell& cell : piece.cells) use(cell);
    }
    if (!ToNextPage(*page, &request)) return {};
  }
}

}  // namespace fensi::store

#include "store/store.h"

#include "base/row_after.h"

namespace fensi::store {

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

}  // namespace fensi::store

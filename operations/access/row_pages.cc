#include "operations/access/row_pages.h"

#include <algorithm>

#include "store/store.h"

namespace fensi::operations {

store::ScanRequest PrefixScan(const std::string& prefix) { return store::PrefixRequest(prefix); }

store::ScanRequest RowScan(const std::string& row) { return store::RowRequest(row); }

Status ScanWhile(store::Store* store, const std::string& table, store::ScanRequest request,
                 const std::function<bool(const store::Row&)>& use) {
  while (true) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store->Scan(table, request));
    for (const store::Row& row : page) {
      if (!use(row)) return Status();
    }
    if (!store::ToNextPage(page, &request)) return Status();
  }
}

Result<int64_t> ForEachRow(store::Store* store, const std::string& table, store::ScanRequest request, int64_t max_rows,
                           const std::function<void(const store::Row&)>& use) {
  if (max_rows != 0) request.max_rows = std::min<size_t>(request.max_rows, static_cast<size_t>(max_rows));
  int64_t rows = 0;
  FENSI_RETURN_IF_ERROR(ScanWhile(store, table, std::move(request), [&](const store::Row& row) {
    use(row);
    return ++rows != max_rows;
  }));
  return rows;
}

}  // namespace fensi::operations

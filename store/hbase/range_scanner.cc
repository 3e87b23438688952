#include "store/hbase/range_scanner.h"

#include <algorithm>

#include "THBaseService.h"
#include "store/hbase/conversions.h"
#include "store/hbase/table_admin.h"

namespace fensi::store {

Status RangeScanner::Read(std::vector<Row>* rows) {
  const size_t wanted = request_.max_rows;
  while (rows->size() < wanted) {
    const size_t before = rows->size();
    const size_t some = std::min(at_once_, wanted - before);
    Status status = ReadSome(some, rows);
    if (connection_.last().suspect == Suspect::kReplySize && some > 1) {
      at_once_ = some / 2;
      continue;
    }
    if (connection_.last().suspect == Suspect::kReplySize) status = ReadWideRow(rows);
    FENSI_RETURN_IF_ERROR(status);
    if (rows->size() - before < some) return Status();
    request_.start_row = rows->back().row + std::string(1, '\0');
  }
  return Status();
}

Status RangeScanner::ReadSome(size_t count, std::vector<Row>* rows) {
  request_.max_rows = count;
  std::vector<thrift2::TResult> results;
  FENSI_RETURN_IF_ERROR(Call(ToScan(request_), &results));
  rows->reserve(rows->size() + results.size());
  for (thrift2::TResult& result : results) {
    rows->push_back({std::move(result.row), ToCells(std::move(result.columnValues))});
  }
  return Status();
}

/// Asks for the name of the next row, and then for the row, which may be gone by then.
Status RangeScanner::ReadWideRow(std::vector<Row>* rows) {
  while (true) {
    thrift2::TScan scan = ToScan(request_);
    scan.__set_filterString("FirstKeyOnlyFilter() AND KeyOnlyFilter()");
    std::vector<thrift2::TResult> results;
    FENSI_RETURN_IF_ERROR(Call(scan, &results));
    if (results.empty()) return Status();
    const GetRequest request{results[0].row, request_.columns, request_.max_versions, request_.raw};
    Row row;
    FENSI_RETURN_IF_ERROR(RowGetter(connection_, table_, limits_).Read({&request, 1}, &row));
    if (!row.cells.empty()) {
      rows->push_back(std::move(row));
      return Status();
    }
    request_.start_row = request.row + std::string(1, '\0');
  }
}

Status RangeScanner::Call(const thrift2::TScan& scan, std::vector<thrift2::TResult>* results) {
  const Status status = connection_.Call("scan of table " + table_, [&](thrift2::THBaseServiceClient& client) {
    client.getScannerResults(*results, table_, scan, scan.limit);
  });
  return status.ok() ? status : ExplainFault(connection_, table_, connection_.last());
}

}  // namespace fensi::store

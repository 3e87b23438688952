#include "store/hbase/calls/range_scanner.h"

#include <algorithm>
#include <iterator>

#include "THBaseService.h"
#include "base/hbase_limits.h"
#include "store/hbase/calls/server_check.h"
#include "store/hbase/calls/table_admin.h"
#include "store/hbase/messages/conversions.h"

namespace fensi::store {
namespace {

bool SameColumn(const Cell& a, const Cell& b) { return a.family == b.family && a.qualifier == b.qualifier; }

}  // namespace

RangeScanner::RangeScanner(Connection& connection, const std::string& table, const ScanRequest& request,
                           const ReadLimits& limits)
    : connection_(connection),
      table_(table),
      limits_(limits),
      max_rows_(request.max_rows),
      bounded_(request.max_cells != SIZE_MAX),
      request_(request),
      asked_(request.columns),
      at_once_(std::min(request.max_rows, request.max_cells)),
      piece_cells_(bounded_ ? request.max_cells / at_once_ : 0) {}

Status RangeScanner::Read(std::vector<Row>* rows) {
  // A row that was begun for its width is read to its end.
  while (rows->size() < max_rows_ || (!bounded_ && request_.behind)) {
    const size_t pieces = std::clamp<size_t>(max_rows_ - rows->size(), 1, at_once_);
    Result<Answer> answer = Ask(pieces);
    if (!answer.ok()) {
      if (connection_.last().suspect == Suspect::kReplySize && AskForLess(pieces)) continue;
      return answer.status();
    }
    const bool was_within_row = request_.behind.has_value();
    GoOn(&*answer);
    Take(std::move(answer->rows), rows);
    if ((answer->ends && !was_within_row) || at_end_) return Status();
    if (!bounded_ || rows->empty()) continue;
    rows->back().goes_on = request_.behind || rows->size() < max_rows_;
    return Status();  // one call brings what a page may hold
  }
  return Status();
}

Result<RangeScanner::Answer> RangeScanner::Ask(size_t pieces) {
  request_.max_rows = pieces;
  thrift2::TScan scan = ToScan(request_);
  if (piece_cells_ > 0) scan.__set_batchSize(static_cast<int32_t>(std::min<size_t>(piece_cells_, INT32_MAX)));
  std::vector<thrift2::TResult> results;
  const Status status = connection_.Call("scan of table " + table_, [&](thrift2::THBaseServiceClient& client) {
    client.getScannerResults(results, table_, scan, scan.limit);
  });
  if (!status.ok()) return ExplainFault(connection_, table_, connection_.last());
  Answer answer;
  // Where rows are cut, HBase may end an answer with a region.
  answer.ends = piece_cells_ > 0 ? results.empty() : results.size() < pieces;
  answer.breaks_off = !answer.ends && piece_cells_ > 0 && results.back().columnValues.size() >= piece_cells_;
  for (thrift2::TResult& result : results) {
    if (request_.raw) FENSI_RETURN_IF_ERROR(RequireKinds(table_, result));
    std::vector<Cell> cells = ToCells(std::move(result.columnValues));
    if (answer.rows.empty() || answer.rows.back().row != result.row) {
      answer.rows.push_back({std::move(result.row), std::move(cells)});
    } else {
      std::move(cells.begin(), cells.end(), std::back_inserter(answer.rows.back().cells));
    }
  }
  return answer;
}

bool RangeScanner::AskForLess(size_t pieces) {
  if (pieces > 1) {
    at_once_ = pieces / 2;
    return true;
  }
  const std::optional<size_t> fewer = search_.Fewer(piece_cells_ == 0 ? limits_.cells : piece_cells_);
  piece_cells_ = fewer.value_or(piece_cells_);
  return fewer.has_value();
}

void RangeScanner::GoOn(Answer* answer) {
  const bool is_empty = answer->rows.empty();
  if (is_empty && !request_.behind) return;
  if (is_empty || !answer->breaks_off) {
    search_.Found();
    request_.start_row = RowAfter(is_empty ? request_.start_row : answer->rows.back().row);
    request_.behind.reset();
    const bool past_stop = !request_.stop_row.empty() && request_.start_row >= request_.stop_row;
    at_end_ = request_.start_row.empty() || past_stop;
    return;
  }
  Row* last = &answer->rows.back();
  const Cell incomplete = last->cells.back();
  while (!last->cells.empty() && SameColumn(last->cells.back(), incomplete)) last->cells.pop_back();
  if (last->row != request_.start_row) request_.behind.reset();
  request_.start_row = last->row;
  if (!last->cells.empty()) {
    search_.Found();
    request_.behind = ColumnPlace{last->cells.back().family, last->cells.back().qualifier};
    return;
  }
  answer->rows.pop_back();
  if (answer->rows.empty()) piece_cells_ = search_.More(piece_cells_);  // one column alone filled it
}

void RangeScanner::Take(std::vector<Row> answer, std::vector<Row>* rows) const {
  for (Row& row : answer) {
    KeepWanted(request_, asked_, &row.cells);
    if (!rows->empty() && rows->back().row == row.row) {
      std::move(row.cells.begin(), row.cells.end(), std::back_inserter(rows->back().cells));
    } else if (!row.cells.empty()) {
      rows->push_back(std::move(row));
    }
  }
}

}  // namespace fensi::store

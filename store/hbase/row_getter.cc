#include "store/hbase/row_getter.h"

#include <algorithm>
#include <iterator>

#include "THBaseService.h"
#include "base/bytes.h"
#include "store/hbase/conversions.h"
#include "store/hbase/probe.h"
#include "store/hbase/table_admin.h"

namespace fensi::store {
namespace {

/// In HBase's filter language a quote within quotes is doubled.
std::string FromColumnOn(const std::string& qualifier) {
  std::string quoted;
  for (const char c : qualifier) quoted.append(c == '\'' ? 2 : 1, c);
  return "ColumnRangeFilter('" + quoted + "', true, '', false)";
}

size_t EndOfFamily(std::span<const Cell> cells, size_t begin) {
  size_t end = begin;
  while (end < cells.size() && cells[end].family == cells[begin].family) ++end;
  return end;
}

/// The columns of the request that are in the family; no column means all.
std::vector<GetRequest::Column> ColumnsOf(const GetRequest& request, const std::string& family) {
  std::vector<GetRequest::Column> columns;
  for (const GetRequest::Column& column : request.columns) {
    if (column.family == family) columns.push_back(column);
  }
  if (columns.empty()) columns.push_back({family, std::nullopt});
  return columns;
}

}  // namespace

Status RowGetter::Read(std::span<const GetRequest> requests, Row* answers) {
  for (size_t i = 0; i < requests.size(); ++i) {
    answers[i].row = requests[i].row;
    left_.push_back({i, requests[i], "", 1});
  }
  while (!left_.empty()) {
    const auto end = left_.begin() + static_cast<ptrdiff_t>(std::min(left_.size(), rows_));
    const std::vector<Piece> pieces(std::make_move_iterator(left_.begin()), std::make_move_iterator(end));
    left_.erase(left_.begin(), end);
    const Status status = ReadSome(pieces, answers);
    if (status.ok()) continue;
    if (connection_.last().suspect != Suspect::kReplySize || !AskForLess(pieces)) return status;
    left_.insert(left_.begin(), pieces.begin(), pieces.end());
  }
  for (auto& [answer, families] : cut_) {
    for (auto& [family, cells] : families) {
      std::move(cells.begin(), cells.end(), std::back_inserter(answers[answer].cells));
    }
  }
  return Status();
}

bool RowGetter::AskForLess(const std::vector<Piece>& pieces) {
  if (pieces.size() > 1) {
    rows_ = pieces.size() / 2;
    return true;
  }
  const size_t limit = LimitOf(pieces.front(), 1);
  if (limit <= pieces.front().fewest) return false;
  cells_ = std::max<size_t>(limit / 8, 1);
  return true;
}

Status RowGetter::ReadSome(const std::vector<Piece>& pieces, Row* answers) {
  std::vector<thrift2::TGet> gets;
  gets.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    thrift2::TGet& get = gets.emplace_back(ToGet(piece.request));
    get.__set_storeLimit(static_cast<int32_t>(std::min<size_t>(LimitOf(piece, pieces.size()), INT32_MAX)));
    if (!piece.from.empty()) get.__set_filterString(FromColumnOn(piece.from));
  }
  std::vector<thrift2::TResult> results;
  Status status = Call(gets, &results);
  if (connection_.last().suspect == Suspect::kUnclear && FindLongRows(pieces)) status = Call(gets, &results);
  if (!status.ok()) return ExplainFault(connection_, table_, connection_.last());
  if (results.size() != pieces.size()) {
    return Status(StatusCode::kUnavailable, "get from table " + table_ + ": the gateway answered " +
                                                std::to_string(results.size()) + " of " +
                                                std::to_string(pieces.size()) + " rows");
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    Take(pieces[i], LimitOf(pieces[i], pieces.size()), ToCells(std::move(results[i].columnValues)),
         &answers[pieces[i].answer]);
  }
  return Status();
}

Status RowGetter::Call(const std::vector<thrift2::TGet>& gets, std::vector<thrift2::TResult>* results) {
  return connection_.Call("get of " + std::to_string(gets.size()) + " rows from table " + table_,
                          [&](thrift2::THBaseServiceClient& client) { client.getMultiple(*results, table_, gets); });
}

/// Makes the gateway find the regions of rows that are too long for it. False: there are none.
bool RowGetter::FindLongRows(const std::vector<Piece>& pieces) {
  bool found = false;
  for (const Piece& piece : pieces) {
    if (!MayBeTooLongToFind(table_, piece.request.row)) continue;
    found = ProbeRow(connection_, table_, piece.request.row).ok() || found;
  }
  return found;
}

void RowGetter::Take(const Piece& piece, size_t limit, std::vector<Cell> cells, Row* answer) {
  const bool is_whole = piece.from.empty() && piece.fewest == 1 && cells.size() < limit;
  if (is_whole) {
    answer->cells = std::move(cells);
    return;
  }
  Families& families = cut_[piece.answer];
  for (size_t begin = 0; begin < cells.size();) {
    const size_t end = EndOfFamily(cells, begin);
    std::vector<Cell>& taken = families[cells[begin].family];
    const std::span<Cell> complete = Complete(piece, limit, std::span(cells).subspan(begin, end - begin));
    std::move(complete.begin(), complete.end(), std::back_inserter(taken));
    begin = end;
  }
}

std::span<Cell> RowGetter::Complete(const Piece& piece, size_t limit, std::span<Cell> cells) {
  if (cells.size() != limit) return cells;  // the end of the family, or a gateway that knows no limit
  const Cell& last = cells.back();
  size_t complete = cells.size() - 1;
  while (complete > 0 && cells[complete - 1].qualifier == last.qualifier) --complete;
  Piece rest{piece.answer, piece.request, last.qualifier, complete == 0 ? 2 * limit : 1};
  rest.request.columns = ColumnsOf(piece.request, last.family);
  left_.push_back(std::move(rest));
  return cells.first(complete);
}

}  // namespace fensi::store

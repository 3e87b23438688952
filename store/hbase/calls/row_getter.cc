#include "store/hbase/calls/row_getter.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "THBaseService.h"
#include "base/bytes.h"
#include "store/hbase/calls/server_check.h"
#include "store/hbase/calls/table_admin.h"
#include "store/hbase/messages/conversions.h"
#include "store/hbase/messages/filters.h"

namespace fensi::store {

std::optional<size_t> CellSearch::Fewer(size_t asked) {
  too_many_ = asked;
  const size_t fewer = too_few_ > 0 ? (too_few_ + too_many_) / 2 : std::max<size_t>(too_many_ / 8, 1);
  if (fewer == too_few_ || fewer == too_many_) return std::nullopt;
  return fewer;
}

size_t CellSearch::More(size_t asked) {
  too_few_ = asked;
  return too_many_ > too_few_ ? std::max((too_few_ + too_many_) / 2, too_few_ + 1) : 2 * asked;
}

namespace {

/// Where the caller bounds what it is given: little, but more than the largest cell.
constexpr int kBoundedReplyBytes = 16 << 20;

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

void ReadBudget::EndsAt(size_t answer) {
  for (size_t known = end_; answer < known && !end_.compare_exchange_weak(known, answer);) {
  }
}

RowGetter::RowGetter(Connection& connection, const std::string& table, const ReadLimits& limits, ReadBudget* budget,
                     CallSizer* pace)
    : connection_(connection),
      table_(table),
      budget_(budget),
      pace_(pace),
      reply_bytes_(budget->bounded() ? kBoundedReplyBytes : kMostReplyBytes),
      cells_(limits.cells) {}

Status RowGetter::Read(std::span<const GetRequest> requests, size_t at_least, Row* answers) {
  answered_ = requests.size();
  for (size_t i = 0; i < requests.size(); ++i) {
    answers[i].row = requests[i].row;
    left_.push_back({i, requests[i], "", 1});
  }
  while (!left_.empty()) {
    if (budget_->spent() && begun_ >= at_least) LeaveOutTheRest();
    if (left_.empty()) break;
    const auto end = left_.begin() + static_cast<ptrdiff_t>(std::min(left_.size(), rows_));
    std::vector<Piece> pieces(std::make_move_iterator(left_.begin()), std::make_move_iterator(end));
    left_.erase(left_.begin(), end);
    const Status status = ReadSome(pieces, answers);
    for (const Piece& piece : pieces) begun_ = std::max(begun_, status.ok() ? piece.answer + 1 : 0);
    if (status.ok()) continue;
    if (connection_.last().suspect != Suspect::kReplySize || !AskForLess(&pieces)) return status;
    left_.insert(left_.begin(), pieces.begin(), pieces.end());
  }
  for (auto& [answer, families] : cut_) {
    for (auto& [family, cells] : families) {
      std::move(cells.begin(), cells.end(), std::back_inserter(answers[answer].cells));
    }
  }
  for (size_t i = 0; i < requests.size(); ++i) {
    if (requests[i].raw) KeepVersions(requests[i].max_versions, &answers[i].cells);
  }
  return Status();
}

void RowGetter::LeaveOutTheRest() {
  answered_ = std::min(answered_, begun_);
  std::erase_if(left_, [this](const Piece& piece) { return piece.answer >= begun_; });
}

bool RowGetter::AllowLargestAnswers() { return std::exchange(reply_bytes_, kMostReplyBytes) < kMostReplyBytes; }

bool RowGetter::AskForLess(std::vector<Piece>* pieces) {
  if (pieces->size() > 1) {
    rows_ = pieces->size() / 2;
    return true;
  }
  Piece& piece = pieces->front();
  if (piece.fewest > 1 && AllowLargestAnswers()) return true;
  const std::optional<size_t> fewer = piece.search.Fewer(LimitOf(piece, 1));
  if (!fewer) return AllowLargestAnswers();
  cells_ = std::min(cells_, *fewer);
  piece.fewest = std::min(piece.fewest, *fewer);
  return true;
}

Status RowGetter::ReadSome(const std::vector<Piece>& pieces, Row* answers) {
  std::vector<thrift2::TGet> gets;
  gets.reserve(pieces.size());
  for (const Piece& piece : pieces) {
    thrift2::TGet& get = gets.emplace_back(ToGet(piece.request));
    get.__set_storeLimit(static_cast<int32_t>(std::min<size_t>(LimitOf(piece, pieces.size()), INT32_MAX)));
    if (!piece.from.empty()) get.__set_filterString(ColumnsFrom(piece.from));
  }
  std::vector<thrift2::TResult> results;
  Status status = Call(gets, &results);
  if (connection_.last().suspect == Suspect::kUnclear && FindLongRows(pieces)) status = Call(gets, &results);
  if (!status.ok()) return ExplainFault(connection_, table_, connection_.last());
  if (results.size() != pieces.size()) {
    return Status(
        StatusCode::kUnavailable,
        "get from table " + table_ + ": the gateway answered " + std::to_string(results.size()) + " of " +
            std::to_string(pieces.size()) +
            " rows. If the error comes again, report it to the developers of fensi, with the version of HBase");
  }
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].request.raw) FENSI_RETURN_IF_ERROR(RequireKinds(table_, results[i]));
    Row got{pieces[i].request.row, ToCells(std::move(results[i].columnValues))};
    budget_->Spend(HeldBytes(got));
    Take(pieces[i], LimitOf(pieces[i], pieces.size()), std::move(got.cells), &answers[pieces[i].answer]);
  }
  return Status();
}

Status RowGetter::Call(const std::vector<thrift2::TGet>& gets, std::vector<thrift2::TResult>* results) {
  return pace_->Time(gets.size(), [&] {
    return connection_.Call(
        "get of " + std::to_string(gets.size()) + " rows from table " + table_,
        [&](thrift2::THBaseServiceClient& client) { client.getMultiple(*results, table_, gets); }, reply_bytes_);
  });
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
  Piece rest{piece.answer, piece.request, last.qualifier};
  if (complete == 0) {
    if (piece.fewest > 1) rest.search = piece.search;
    rest.fewest = rest.search.More(limit);
  }
  rest.request.columns = ColumnsOf(piece.request, last.family);
  left_.push_back(std::move(rest));
  return cells.first(complete);
}

}  // namespace fensi::store

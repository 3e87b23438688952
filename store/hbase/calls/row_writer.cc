#include "store/hbase/calls/row_writer.h"

#include <algorithm>

#include "THBaseService.h"
#include "base/bytes.h"
#include "base/clock.h"
#include "base/quoted.h"
#include "hbase/errors.h"
#include "store/hbase/calls/server_check.h"
#include "store/hbase/calls/table_admin.h"
#include "store/hbase/messages/conversions.h"
#include "store/hbase/messages/write_calls.h"

namespace fensi::store {
namespace {

std::string PlaceOf(const std::string& table, const ConditionalPut& change) {
  return "table " + table + ", row " + Escape(change.put.row) + ", column " +
         ColumnText(change.family, change.qualifier);
}

/// The meaning of the call's error.
Status Explain(Connection& connection, const std::string& table, const Outcome& fault) {
  if (fault.suspect == Suspect::kRow) return fault.status;
  const Status status = ExplainFault(connection, table, fault);
  if (status.code() != StatusCode::kUnavailable) return status;
  return hbase::MayBeDone(status);
}

}  // namespace

Outcome CompareAndPutOn(Connection& connection, const std::string& table, const ConditionalPut& change, bool* done) {
  const thrift2::TPut put = ToPut(change.put);
  // Its region must be known before: without it the gateway answers as to a call that may have been done.
  if (MayBeTooLongToFind(table, put.row)) {
    const Status found = ProbeRow(connection, table, put.row);
    if (!found.ok()) return {ExplainFault(connection, table, connection.last())};
  }
  const Status status =
      connection.Call("compare and put in " + PlaceOf(table, change), [&](thrift2::THBaseServiceClient& client) {
        *done = client.checkAndPut(table, put.row, change.family, change.qualifier, change.expected, put);
      });
  if (status.ok()) return {};
  const Outcome fault = connection.last();
  return {Explain(connection, table, fault), fault.suspect, fault.answered};
}

namespace {

/// True if one of the rows that were sent may have caused the error.
bool MayBeARow(const Outcome& outcome) {
  const Suspect suspect = outcome.suspect;
  return suspect == Suspect::kRow || suspect == Suspect::kTime || suspect == Suspect::kUnclear;
}

GatewayProtocol* ProtocolOf(thrift2::THBaseServiceClient& client) {
  return static_cast<GatewayProtocol*>(client.getOutputProtocol().get());
}

/// Several kinds of markers for one row: only mutateRow writes them at once.
thrift2::TRowMutations ToRowMutations(const std::string& row, std::vector<thrift2::TDelete>&& deletes) {
  thrift2::TRowMutations mutations;
  mutations.__set_row(row);
  for (thrift2::TDelete& one : deletes) mutations.mutations.emplace_back().__set_deleteSingle(one);
  return mutations;
}

}  // namespace

Result<std::vector<Refusal>> RowWriter::Send(const CallSequence& sequence) {
  for (const Batch& batch : sequence) FENSI_RETURN_IF_ERROR(SendOrSearch(batch));
  return std::move(refused_);
}

Status RowWriter::SendOrSearch(std::span<const size_t> indexes) {
  const Outcome outcome = SendOnce(indexes);
  if (!MayBeARow(outcome)) return outcome.status;
  std::vector<size_t> left;
  FENSI_RETURN_IF_ERROR(SearchOne(indexes, &left));
  return left.empty() ? Status() : SendOrHalve(left);
}

/// Judges the first of the rows that may be bad. All rows before it are written then; `left` gets the rows after it
/// that were in no call of their own.
Status RowWriter::SearchOne(std::span<const size_t> bad, std::vector<size_t>* left) {
  while (bad.size() > 1) {
    const auto first = bad.first(bad.size() / 2);
    const auto second = bad.subspan(bad.size() / 2);
    const Outcome outcome = SendOnce(first);
    if (outcome.status.ok()) {
      bad = second;
    } else if (MayBeARow(outcome)) {
      left->insert(left->begin(), second.begin(), second.end());
      bad = first;
    } else {
      return outcome.status;
    }
  }
  return JudgeRow(bad.front());
}

Status RowWriter::SendOrHalve(std::span<const size_t> indexes) {
  const Outcome outcome = SendOnce(indexes);
  if (!MayBeARow(outcome)) return outcome.status;
  if (indexes.size() == 1) return JudgeRow(indexes.front());
  const size_t half = indexes.size() / 2;
  FENSI_RETURN_IF_ERROR(SendOrHalve(indexes.first(half)));
  return SendOrHalve(indexes.subspan(half));
}

/// The status is explained unless a row may be guilty.
Outcome RowWriter::SendOnce(std::span<const size_t> indexes) {
  if (Status granted = Granted(); !granted.ok()) return {std::move(granted)};
  const Status status = kind_ == WriteKind::kDelete ? SendDeletes(indexes) : SendPuts(indexes);
  if (!status.ok()) {  // the right may be what was missing, of which the connection knows nothing
    if (Status granted = Granted(); !granted.ok()) return {std::move(granted)};
  }
  Outcome outcome = connection_.last();
  if (!status.ok() && !MayBeARow(outcome)) outcome.status = ExplainFault(connection_, table_, outcome);
  return outcome;
}

Status RowWriter::SendPuts(std::span<const size_t> indexes) {
  return pace_->Time(CellsOf(rows_, indexes), [&] {
    return connection_.Call(Doing("put", indexes.size()), [&](thrift2::THBaseServiceClient& client) {
      WritePutMultiple(table_, rows_, indexes, ProtocolOf(client));
      client.recv_putMultiple();
    });
  });
}

Status RowWriter::SendSingleDeletes(std::span<const size_t> indexes) {
  return pace_->Time(CellsOf(rows_, indexes), [&] {
    return connection_.Call(Doing("delete", indexes.size()), [&](thrift2::THBaseServiceClient& client) {
      WriteDeleteMultiple(table_, rows_, indexes, ProtocolOf(client));
      std::vector<thrift2::TDelete> unused;
      client.recv_deleteMultiple(unused);
    });
  });
}

Status RowWriter::SendDeletes(std::span<const size_t> indexes) {
  std::vector<size_t> single;
  std::vector<thrift2::TRowMutations> mixed;
  for (size_t index : indexes) {
    if (IsOneDelete(rows_[index])) {
      single.push_back(index);
    } else {
      mixed.push_back(ToRowMutations(rows_[index].row, ToDeletes(rows_[index])));
    }
  }
  // Each has the time of a call: together they would need more than a slow gateway is given.
  if (!single.empty()) {
    FENSI_RETURN_IF_ERROR(SendSingleDeletes(single));
  }
  for (const thrift2::TRowMutations& row : mixed) {
    FENSI_RETURN_IF_ERROR(Granted());
    FENSI_RETURN_IF_ERROR(connection_.Call(
        Doing("delete", 1), [&](thrift2::THBaseServiceClient& client) { client.mutateRow(table_, row); }));
  }
  return Status();
}

/// The row failed; it is refused only if it fails again while its region accepts writes, before and after.
Status RowWriter::JudgeRow(size_t index) {
  const RowMutation& mutation = rows_[index];
  FENSI_RETURN_IF_ERROR(RequireWritable(mutation));
  const Outcome again = SendOnce(std::span(&index, 1));
  if (!MayBeARow(again)) return again.status;
  FENSI_RETURN_IF_ERROR(RequireWritable(mutation));
  if (MayPassLater(mutation, again.suspect)) return again.status.As(StatusCode::kUnavailable);
  Refuse(index, again);
  return Status();
}

Status RowWriter::RequireWritable(const RowMutation& mutation) {
  FENSI_RETURN_IF_ERROR(Granted());
  const Status status = ProbeWrite(connection_, table_, mutation.row, mutation.cells.front().family);
  return status.ok() ? status : ExplainFault(connection_, table_, connection_.last());
}

/// HBase refuses timestamps that are ahead of its clock: what is not far ahead of ours will be taken.
bool RowWriter::MayPassLater(const RowMutation& mutation, Suspect suspect) const {
  constexpr int64_t kFarAhead = 60 * 60 * 1000;
  if (suspect != Suspect::kTime) return false;
  const int64_t now = SystemClock()->WallMillis();
  return std::all_of(mutation.cells.begin(), mutation.cells.end(),
                     [&](const Cell& cell) { return cell.timestamp < now + kFarAhead; });
}

void RowWriter::Refuse(size_t index, const Outcome& fault) {
  const RowMutation& mutation = rows_[index];
  const Cell& cell = mutation.cells.front();
  const Status reason(StatusCode::kRejected, "table " + table_ + ", row " + QuotedBytes(mutation.row) + ", column " +
                                                 QuotedColumn(cell.family, cell.qualifier) + ": " +
                                                 fault.status.words());
  refused_.push_back({{index, reason}, fault.suspect != Suspect::kUnclear});
}

std::string RowWriter::Doing(std::string_view what, size_t count) const {
  return std::string(what) + " of " + std::to_string(count) + (count == 1 ? " row" : " rows") + " in table " + table_;
}

}  // namespace fensi::store

#include "store/hbase/row_writer.h"

#include "THBaseService.h"
#include "base/bytes.h"
#include "store/hbase/conversions.h"
#include "store/hbase/probe.h"
#include "store/hbase/table_admin.h"

namespace fensi::store {
namespace {

/// No repeat of the same call will help, as far as the answer tells.
bool ForGood(const Status& status) {
  return status.code() == StatusCode::kRejected || status.code() == StatusCode::kInternal;
}

/// Several kinds of markers for one row: only mutateRow writes them at once.
thrift2::TRowMutations ToRowMutations(const std::string& row, std::vector<thrift2::TDelete>&& deletes) {
  thrift2::TRowMutations mutations;
  mutations.__set_row(row);
  for (thrift2::TDelete& one : deletes) mutations.mutations.emplace_back().__set_deleteSingle(one);
  return mutations;
}

}  // namespace

Result<std::vector<RejectedRow>> RowWriter::Send(const Lane& lane) {
  for (const Batch& batch : lane) FENSI_RETURN_IF_ERROR(SendOrSearch(batch));
  return std::move(rejected_);
}

Status RowWriter::SendOrSearch(std::span<const size_t> indexes) {
  const Status status = SendOnce(indexes);
  if (!ForGood(status)) return ExplainFault(connection_, table_, status);
  std::vector<size_t> left;
  FENSI_RETURN_IF_ERROR(SearchOne(indexes, status, &left));
  return left.empty() ? Status() : SendOrHalve(left);
}

/// Judges the first of the rows that may be bad. All before it are written then; `left` are those behind it that were
/// in no call of their own.
Status RowWriter::SearchOne(std::span<const size_t> bad, Status fault, std::vector<size_t>* left) {
  while (bad.size() > 1) {
    const auto first = bad.first(bad.size() / 2);
    const auto second = bad.subspan(bad.size() / 2);
    Status status = SendOnce(first);
    if (status.ok()) {
      bad = second;
    } else if (ForGood(status)) {
      left->insert(left->begin(), second.begin(), second.end());
      bad = first;
      fault = std::move(status);
    } else {
      return ExplainFault(connection_, table_, status);
    }
  }
  return JudgeRow(bad.front(), fault);
}

Status RowWriter::SendOrHalve(std::span<const size_t> indexes) {
  const Status status = SendOnce(indexes);
  if (!ForGood(status)) return ExplainFault(connection_, table_, status);
  if (indexes.size() == 1) return JudgeRow(indexes.front(), status);
  const size_t half = indexes.size() / 2;
  FENSI_RETURN_IF_ERROR(SendOrHalve(indexes.first(half)));
  return SendOrHalve(indexes.subspan(half));
}

Status RowWriter::SendOnce(std::span<const size_t> indexes) {
  if (permission_) FENSI_RETURN_IF_ERROR(permission_());
  return deletes_ ? SendDeletes(indexes) : SendPuts(indexes);
}

Status RowWriter::SendPuts(std::span<const size_t> indexes) {
  std::vector<thrift2::TPut> puts;
  puts.reserve(indexes.size());
  for (size_t index : indexes) puts.push_back(ToPut(rows_[index]));
  return connection_.Call(Doing("put", puts.size()),
                          [&](thrift2::THBaseServiceClient& client) { client.putMultiple(table_, puts); });
}

Status RowWriter::SendDeletes(std::span<const size_t> indexes) {
  std::vector<thrift2::TDelete> batch;
  std::vector<thrift2::TRowMutations> mixed;
  for (size_t index : indexes) {
    std::vector<thrift2::TDelete> deletes = ToDeletes(rows_[index]);
    if (deletes.size() == 1) {
      batch.push_back(std::move(deletes.front()));
    } else {
      mixed.push_back(ToRowMutations(rows_[index].row, std::move(deletes)));
    }
  }
  return connection_.Call(Doing("delete", indexes.size()), [&](thrift2::THBaseServiceClient& client) {
    std::vector<thrift2::TDelete> unused;
    if (!batch.empty()) client.deleteMultiple(unused, table_, batch);
    for (const thrift2::TRowMutations& row : mixed) client.mutateRow(table_, row);
  });
}

Status RowWriter::JudgeRow(size_t index, const Status& fault) {
  const RowMutation& mutation = rows_[index];
  const Status probe = ProbeRow(connection_, table_, mutation.row);
  if (!probe.ok()) return ExplainFault(connection_, table_, probe);
  const Status again = SendOnce(std::span(&index, 1));
  if (!ForGood(again)) return ExplainFault(connection_, table_, again);
  const Cell& cell = mutation.cells.front();
  rejected_.push_back(
      {index, Status(StatusCode::kRejected, "table " + table_ + ", row " + Escape(mutation.row) + ", column " +
                                                ColumnText(cell.family, cell.qualifier) + ": " + fault.message())});
  return Status();
}

std::string RowWriter::Doing(std::string_view what, size_t count) const {
  return std::string(what) + " of " + std::to_string(count) + (count == 1 ? " row" : " rows") + " in table " + table_;
}

}  // namespace fensi::store

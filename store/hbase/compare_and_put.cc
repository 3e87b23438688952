#include "store/hbase/compare_and_put.h"

#include "THBaseService.h"
#include "base/bytes.h"
#include "store/hbase/conversions.h"
#include "store/hbase/probe.h"
#include "store/hbase/table_admin.h"

namespace fensi::store {
namespace {

std::string PlaceOf(const std::string& table, const ConditionalPut& change) {
  return "table " + table + ", row " + Escape(change.put.row) + ", column " +
         ColumnText(change.family, change.qualifier);
}

/// What a fault of the call means.
Status Explain(Connection& connection, const std::string& table, const Outcome& fault) {
  if (fault.suspect == Suspect::kRow) return fault.status;
  const Status status = ExplainFault(connection, table, fault);
  if (status.code() != StatusCode::kUnavailable) return status;
  return Status(StatusCode::kUnavailable, status.words() + "; whether the row was changed is not known");
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

}  // namespace fensi::store

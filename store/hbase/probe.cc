#include "store/hbase/probe.h"

#include "THBaseService.h"
#include "store/hbase/conversions.h"

namespace fensi::store {
namespace {

/// What HBase's client adds to the row: two commas and fourteen nines.
constexpr size_t kAddedBytes = 16;

size_t LongestToFind(const std::string& table) { return kMaxRowBytes - kAddedBytes - table.size(); }

}  // namespace

bool MayBeTooLongToFind(const std::string& table, const std::string& row) { return row.size() > LongestToFind(table); }

Status ProbeRow(Connection& connection, const std::string& table, const std::string& row) {
  const thrift2::TGet get = ToGet({.row = row.substr(0, LongestToFind(table))});
  const Status status = connection.Call("probe of table " + table, [&](thrift2::THBaseServiceClient& client) {
    std::vector<thrift2::TResult> unused;
    client.getMultiple(unused, table, {get});
  });
  const bool unclear = status.code() == StatusCode::kInternal || status.code() == StatusCode::kRejected;
  return unclear ? Status(StatusCode::kUnavailable, status.message()) : status;
}

}  // namespace fensi::store

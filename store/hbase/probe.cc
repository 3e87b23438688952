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
  return connection.Call("probe of table " + table, [&](thrift2::THBaseServiceClient& client) {
    std::vector<thrift2::TResult> unused;
    client.getMultiple(unused, table, {get});
  });
}

Status ProbeWrite(Connection& connection, const std::string& table, const std::string& row, const std::string& family) {
  Cell cell{.family = family, .qualifier = std::string(kProbeQualifier), .timestamp = 1};
  cell.tags.push_back(MakeTtlTag(1));
  const thrift2::TPut put = ToPut({row.substr(0, LongestToFind(table)), {cell}});
  return connection.Call("trial of a small put to table " + table,
                         [&](thrift2::THBaseServiceClient& client) { client.putMultiple(table, {put}); });
}

}  // namespace fensi::store

// Converts our types to Thrift2's and back. Pure, any thread. Input was checked (check.h): the gateway answers some bad
// arguments only after minutes.
#pragma once

#include <string>
#include <vector>

#include "hbase_thrift2_types.h"
#include "store/asked_columns.h"
#include "store/store.h"

namespace fensi::store {

/// HBase's name for the milliseconds that a mutation lives (Mutation.OP_ATTRIBUTE_TTL).
constexpr char kTtlAttribute[] = "_ttl";

thrift2::TPut ToPut(const RowMutation& mutation);

/// HBase's name for a kind of delete.
struct DeleteKind {
  CellType type;
  thrift2::TDeleteType::type thrift;
  bool has_qualifier;
};
const DeleteKind& KindOf(CellType type);

/// One TDelete has one kind, and one DELETE_FAMILY per family: makes as many as necessary, in the order of their first
/// cells.
std::vector<thrift2::TDelete> ToDeletes(const RowMutation& mutation);

thrift2::TGet ToGet(const GetRequest& request);
/// With a filter if that saves transfer (filters.h). The answer has everything that was asked for; that of a raw read
/// has more.
thrift2::TScan ToScan(const ScanRequest& request);
std::vector<Cell> ToCells(std::vector<thrift2::TColumnValue>&& values);

thrift2::TTableName ToTableName(const std::string& table);
/// The table alone if it is in the default namespace.
std::string FromTableName(const thrift2::TTableName& name);
thrift2::TTableDescriptor ToTableDescriptor(const TableDescriptor& table);
/// Normalized; `name` as the caller writes it.
TableDescriptor FromTableDescriptor(const std::string& name, const thrift2::TTableDescriptor& table);

}  // namespace fensi::store

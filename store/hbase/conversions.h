// Our types as Thrift2's and back. Pure, any thread. What goes in was checked (check.h): the gateway answers some bad
// arguments only after minutes.
#pragma once

#include <string>
#include <vector>

#include "hbase_thrift2_types.h"
#include "store/hbase/asked_columns.h"
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

/// One TDelete has one kind, and one DELETE_FAMILY of a family: as many as that takes, in the order of their first
/// cells.
std::vector<thrift2::TDelete> ToDeletes(const RowMutation& mutation);

thrift2::TGet ToGet(const GetRequest& request);
/// With a filter where that takes one (filters.h). All that is asked for comes, but raw reads bring more.
thrift2::TScan ToScan(const ScanRequest& request);
/// Leaves out what a raw read brings and nobody asked for; columns must be whole.
void KeepVersions(int32_t max_versions, std::vector<Cell>* cells);
/// `asked`: its columns.
void KeepWanted(const ScanRequest& request, const AskedColumns& asked, std::vector<Cell>* cells);
std::vector<Cell> ToCells(std::vector<thrift2::TColumnValue>&& values);

thrift2::TTableName ToTableName(const std::string& table);
/// Of the default namespace the table alone.
std::string FromTableName(const thrift2::TTableName& name);
thrift2::TTableDescriptor ToTableDescriptor(const TableDescriptor& table);
/// Normalized; `name` as the caller writes it.
TableDescriptor FromTableDescriptor(const std::string& name, const thrift2::TTableDescriptor& table);

}  // namespace fensi::store

#include "store/hbase/messages/write_calls.h"

#include <algorithm>

#include "store/hbase/messages/conversions.h"

namespace fensi::store {
namespace {

namespace wire = apache::thrift::protocol;

/// Names of fields are not written; the numbers are those of proto/hbase_thrift2.thrift.
void WriteBinary(int16_t field, const std::string& bytes, GatewayProtocol* out) {
  out->writeFieldBegin("", wire::T_STRING, field);
  out->writeBinary(bytes);
}

void WriteList(int16_t field, size_t size, GatewayProtocol* out) {
  out->writeFieldBegin("", wire::T_LIST, field);
  out->writeListBegin(wire::T_STRUCT, static_cast<uint32_t>(size));
}

/// TColumnValue. Always with a timestamp: without one HBase would take its own clock.
void WriteCell(const Cell& cell, GatewayProtocol* out) {
  WriteBinary(1, cell.family, out);
  WriteBinary(2, cell.qualifier, out);
  WriteBinary(3, cell.value, out);
  out->writeFieldBegin("", wire::T_I64, 4);
  out->writeI64(cell.timestamp);
  out->writeFieldStop();
}

/// TPut; all cells of a row have one TTL.
void WriteRow(const RowMutation& row, GatewayProtocol* out) {
  WriteBinary(1, row.row, out);
  WriteList(2, row.cells.size(), out);
  for (const Cell& cell : row.cells) WriteCell(cell, out);
  if (const std::string* ttl = TtlOf(row.cells.front())) {
    out->writeFieldBegin("", wire::T_MAP, 5);
    out->writeMapBegin(wire::T_STRING, wire::T_STRING, 1);
    out->writeBinary(kTtlAttribute);
    out->writeBinary(*ttl);
  }
  out->writeFieldStop();
}

/// TDelete. Each TColumn has a timestamp, for the reason that a put has one.
void WriteDelete(const RowMutation& row, GatewayProtocol* out) {
  const DeleteKind& kind = KindOf(row.cells.front().type);
  WriteBinary(1, row.row, out);
  WriteList(2, row.cells.size(), out);
  for (const Cell& cell : row.cells) {
    WriteBinary(1, cell.family, out);
    if (kind.has_qualifier) WriteBinary(2, cell.qualifier, out);
    out->writeFieldBegin("", wire::T_I64, 3);
    out->writeI64(cell.timestamp);
    out->writeFieldStop();
  }
  out->writeFieldBegin("", wire::T_I32, 4);
  out->writeI32(kind.thrift);
  out->writeFieldStop();
}

/// A call whose arguments are a table and a list.
template <typename Write>
void WriteCall(const char* name, const std::string& table, std::span<const size_t> indexes, GatewayProtocol* out,
               Write write) {
  out->writeMessageBegin(name, wire::T_CALL, 0);
  WriteBinary(1, table, out);
  WriteList(2, indexes.size(), out);
  for (const size_t index : indexes) write(index);
  out->writeFieldStop();
  out->writeMessageEnd();
  out->getTransport()->writeEnd();
  out->getTransport()->flush();
}

}  // namespace

void WritePutMultiple(const std::string& table, std::span<const RowMutation> rows, std::span<const size_t> indexes,
                      GatewayProtocol* out) {
  WriteCall("putMultiple", table, indexes, out, [&](size_t index) { WriteRow(rows[index], out); });
}

/// HBase's client drops the first of two DELETE_FAMILY of one family.
bool IsOneDelete(const RowMutation& row) {
  const CellType type = row.cells.front().type;
  if (row.cells.size() > 1 && type == CellType::kDeleteFamily) return false;
  return std::all_of(row.cells.begin(), row.cells.end(), [type](const Cell& cell) { return cell.type == type; });
}

void WriteDeleteMultiple(const std::string& table, std::span<const RowMutation> rows, std::span<const size_t> indexes,
                         GatewayProtocol* out) {
  WriteCall("deleteMultiple", table, indexes, out, [&](size_t index) { WriteDelete(rows[index], out); });
}

}  // namespace fensi::store

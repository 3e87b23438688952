#include "consumer/codec/event_check.h"

#include <array>
#include <string>

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "base/table_name.h"

namespace fensi::consumer {
namespace {

constexpr std::array kTypes = {CellType::kPut,          CellType::kDelete,       CellType::kDeleteFamilyVersion,
                               CellType::kDeleteColumn, CellType::kDeleteFamily, CellType::kUnknownDelete};

Status CheckCell(const Cell& cell) {
  if (cell.family.empty()) return InvalidArgument("has no family");
  if (cell.family.size() > kMaxFamilyBytes || cell.family.find(':') != std::string::npos) {
    return InvalidArgument("has a family that HBase cannot hold (a colon, or more than 127 bytes)");
  }
  if (cell.timestamp < 0)
    return InvalidArgument("has the timestamp " + std::to_string(cell.timestamp) + "; it must be >= 0");
  if (cell.type != CellType::kPut && !cell.value.empty()) return InvalidArgument("is a delete with a value");
  if (IsFamilyMarker(cell.type) && !cell.qualifier.empty())
    return InvalidArgument("is a family marker with a qualifier");
  return {};
}

}  // namespace

Status CheckEvent(const ChangeEvent& event) {
  if (event.table.empty()) return InvalidArgument("the event names no table");
  if (event.row.empty()) return InvalidArgument("the event has an empty row");
  if (event.row.size() > kMaxRowBytes) {
    return InvalidArgument("the row has " + std::to_string(event.row.size()) + " bytes; HBase's limit is 32767");
  }
  if (event.cells.empty()) return InvalidArgument("the event has no cells");
  for (size_t i = 0; i < event.cells.size(); ++i) {
    if (const Status cell = CheckCell(event.cells[i]); !cell.ok()) {
      return InvalidArgument("cell " + std::to_string(i) + " of row " + Escape(event.row) + " " + cell.message());
    }
  }
  return {};
}

Status TakeEvent(ChangeEvent* event) {
  if (CanonicalTableName(event->table) != event->table) event->table = CanonicalTableName(event->table);
  return CheckEvent(*event);
}

Result<CellType> CellTypeFromCode(int code) {
  for (const CellType type : kTypes) {
    if (static_cast<int>(type) == code) return type;
  }
  return InvalidArgument("the cell type " + std::to_string(code) + " is not known");
}

Result<CellType> CellTypeFromName(std::string_view name) {
  for (const CellType type : kTypes) {
    if (CellTypeName(type) == name) return type;
  }
  return InvalidArgument("\"" + std::string(name) +
                         "\" is not a cell type (put, delete, delete_column, delete_family, delete_family_version, "
                         "unknown_delete)");
}

}  // namespace fensi::consumer

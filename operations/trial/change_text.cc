#include "operations/trial/change_text.h"

#include "base/bytes.h"

namespace fensi::operations {

std::string ChangeText(const Cell& cell) {
  const bool whole_family = cell.type == CellType::kDeleteFamily || cell.type == CellType::kDeleteFamilyVersion;
  const std::string column = whole_family ? Escape(cell.family) : ColumnText(cell.family, cell.qualifier);
  std::string text = std::string(CellTypeName(cell.type)) + " " + column + " @" + std::to_string(cell.timestamp);
  return cell.type == CellType::kPut ? text + " = '" + Escape(cell.value) + "'" : text;
}

}  // namespace fensi::operations

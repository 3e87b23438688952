#include "base/cell.h"

namespace fensi {

std::string_view CellTypeName(CellType type) {
  switch (type) {
    case CellType::kUnknownDelete: return "unknown_delete";
    case CellType::kPut: return "put";
    case CellType::kDelete: return "delete";
    case CellType::kDeleteFamilyVersion: return "delete_family_version";
    case CellType::kDeleteColumn: return "delete_column";
    case CellType::kDeleteFamily: return "delete_family";
  }
  return "invalid";
}

}  // namespace fensi

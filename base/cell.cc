#include "base/cell.h"

#include "base/bytes.h"

namespace fensi {

std::string_view CellTypeName(CellType type) {
  switch (type) {
    case CellType::kUnknownDelete:
      return "unknown_delete";
    case CellType::kPut:
      return "put";
    case CellType::kDelete:
      return "delete";
    case CellType::kDeleteFamilyVersion:
      return "delete_family_version";
    case CellType::kDeleteColumn:
      return "delete_column";
    case CellType::kDeleteFamily:
      return "delete_family";
  }
  return "invalid";
}

Tag MakeTtlTag(int64_t millis) {
  Tag tag{kTtlTag, {}};
  AppendBigEndian64(millis, &tag.value);
  return tag;
}

const std::string* TtlOf(const Cell& cell) {
  for (const Tag& tag : cell.tags) {
    if (tag.type == kTtlTag) return &tag.value;
  }
  return nullptr;
}

}  // namespace fensi

#include "sweep/compare/finding.h"

namespace fensi::sweep {

EntryMap::EntryMap(const mapping::EntryList& entries) : entries_(entries) {
  by_hash_.reserve(entries.size());
  for (size_t i = 0; i < entries.size(); ++i) by_hash_.insert_or_assign(CellHash(entries[i]).low, i);
}

std::optional<mapping::Entry> EntryMap::Find(const mapping::Entry& cell) const {
  const auto found = by_hash_.find(CellHash(cell).low);
  if (found == by_hash_.end() || !SameCell(entries_[found->second], cell)) return std::nullopt;
  return entries_[found->second];
}

const char* KindName(Finding::Kind kind) {
  switch (kind) {
    case Finding::Kind::kMissing:
      return "missing";
    case Finding::Kind::kOrphan:
      return "orphan";
    case Finding::Kind::kContentDiffers:
      return "content_differs";
    case Finding::Kind::kUndecided:
      return "undecided";
    case Finding::Kind::kUnmappable:
      return "unmappable";
  }
  return "";
}

void Count(Finding::Kind kind, Counts* counts) {
  switch (kind) {
    case Finding::Kind::kMissing:
      ++counts->missing;
      break;
    case Finding::Kind::kOrphan:
      ++counts->orphan;
      break;
    case Finding::Kind::kContentDiffers:
      ++counts->content_differs;
      break;
    case Finding::Kind::kUndecided:
      ++counts->undecided;
      break;
    case Finding::Kind::kUnmappable:
      ++counts->unmappable;
      break;
  }
}

}  // namespace fensi::sweep

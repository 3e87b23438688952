#include "store/asked_columns.h"

#include <algorithm>
#include <string>
#include <vector>

namespace fensi::store {

AskedColumns::AskedColumns(std::span<const GetRequest::Column> columns) {
  for (const GetRequest::Column& column : columns) {
    Qualifiers& qualifiers = families_[column.family];
    if (column.qualifier) qualifiers.insert(*column.qualifier);
  }
  for (const GetRequest::Column& column : columns) {
    if (!column.qualifier) families_[column.family].clear();
  }
}

bool AskedColumns::HasWhole(std::string_view family) const {
  const auto asked = families_.find(family);
  return asked != families_.end() && asked->second.empty();
}

bool AskedColumns::Has(std::string_view family, std::string_view qualifier) const {
  const auto asked = families_.find(family);
  if (asked == families_.end()) return families_.empty();
  return asked->second.empty() || asked->second.contains(qualifier);
}

std::vector<GetRequest::Column> FirstOfFamilies(std::span<const GetRequest> requests) {
  std::vector<GetRequest::Column> first;
  for (const GetRequest& request : requests) {
    for (const GetRequest::Column& column : request.columns) {
      const auto same = [&](const GetRequest::Column& known) { return known.family == column.family; };
      if (std::none_of(first.begin(), first.end(), same)) first.push_back(column);
    }
  }
  return first;
}

void KeepVersions(int32_t max_versions, std::vector<Cell>* cells) {
  std::string family, qualifier;
  int32_t puts = 0;
  std::erase_if(*cells, [&](const Cell& cell) {
    if (cell.family != family || cell.qualifier != qualifier) {
      family = cell.family;
      qualifier = cell.qualifier;
      puts = 0;
    }
    return cell.type == CellType::kPut && ++puts > max_versions;
  });
}

void KeepWanted(const ScanRequest& request, const AskedColumns& asked, std::vector<Cell>* cells) {
  if (!request.raw) return;
  std::erase_if(
      *cells, [&](const Cell& cell) { return !IsFamilyMarker(cell.type) && !asked.Has(cell.family, cell.qualifier); });
  KeepVersions(request.max_versions, cells);
}

}  // namespace fensi::store

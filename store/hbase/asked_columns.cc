#include "store/hbase/asked_columns.h"

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

}  // namespace fensi::store

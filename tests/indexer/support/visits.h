// An index with a table for each day, for tests of its tables.
#pragma once

#include <memory>
#include <stdexcept>
#include <string>

#include "mapping/mapping.h"

namespace fensi::testing {

/// Tables are `prefix` and the day; family v, row key and column v:url from the source.
inline std::shared_ptr<const mapping::Index> VisitsIndex(const std::string& prefix) {
  const std::string text = "source: visits\nindexes:\n  " + prefix + ":\n    table: '" + prefix +
                           "{v:time | int | from_ms | time %Y%m%d}'\n    keep: 30d\n" +
                           "    row: '{v:user | terminated}{row}'\n    columns: { 'v:url': '{v:url}' }\n";
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load({{"visits.yaml", text}}, &diagnostics);
  if (mappings.empty()) throw std::logic_error(diagnostics.Text());
  return mappings[0].indexes[0];
}

}  // namespace fensi::testing

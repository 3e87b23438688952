// An index with a table for each day, for tests of its tables.
#pragma once

#include <memory>
#include <string>

#include "tests/indexer/support/rules.h"

namespace fensi::testing {

/// Tables are `prefix` and the day; family v, row key and column v:url from the source. `more`: lines of its body.
inline std::shared_ptr<const mapping::Index> VisitsIndex(const std::string& prefix, const std::string& more = "") {
  const std::string text = "source: visits\nindexes:\n  " + prefix + ":\n    table: '" + prefix +
                           "{v:time | int | from_ms | time %Y%m%d}'\n    retention: 30d\n" +
                           "    row: '{v:user | terminated}{row}'\n    columns: { 'v:url': '{v:url}' }\n" + more;
  return CompileText(text);
}

}  // namespace fensi::testing

// What a source row has for an index that cannot become an entry.
#pragma once

#include <string>

namespace fensi::mapping {

/// Why a row or an item of it has no entry although it should: goes to the dead letters as a report.
struct Unmappable {
  std::string reason;  // names the template and the value: "row '{f1:age | int}': \"x7\" is not a whole number"
};

}  // namespace fensi::mapping

// Columns of tables that a person has named. A value; any thread may read it.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/status.h"

namespace fensi::capture {

class ColumnSet {
 public:
  /// Of "TABLE/FAMILY", all columns of a family, and "TABLE/FAMILY:QUALIFIER", with \xNN for bytes of the qualifier.
  /// kInvalidArgument names what is not written so.
  static Result<ColumnSet> Parse(std::span<const std::string> names);

  bool Has(std::string_view table, std::string_view family, std::string_view qualifier) const;

 private:
  using Family = std::pair<std::string, std::string>;
  std::set<Family> families_;
  std::set<std::pair<Family, std::string>> columns_;
};

}  // namespace fensi::capture

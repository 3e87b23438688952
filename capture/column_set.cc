#include "capture/column_set.h"

#include "base/bytes.h"
#include "base/hbase_limits.h"

namespace fensi::capture {

Result<ColumnSet> ColumnSet::Parse(std::span<const std::string> names) {
  ColumnSet set;
  for (const std::string& name : names) {
    const size_t slash = name.find('/');
    const size_t colon = slash == std::string::npos ? std::string::npos : name.find(':', slash);
    const size_t end = colon == std::string::npos ? name.size() : colon;
    const std::string family = slash == std::string::npos ? "" : name.substr(slash + 1, end - slash - 1);
    if (family.empty()) {
      return InvalidArgument("'" + EscapeSome(name, 80) +
                             "' is no column. Write TABLE/FAMILY:QUALIFIER, such as follows/f:to, or "
                             "TABLE/FAMILY for all columns of a family");
    }
    FENSI_ASSIGN_OR_RETURN(std::string table, ParseTableName(name.substr(0, slash)));
    Family of{std::move(table), family};
    if (colon == std::string::npos) {
      set.families_.insert(std::move(of));
      continue;
    }
    FENSI_ASSIGN_OR_RETURN(std::string qualifier, Unescape(name.substr(colon + 1)));
    set.columns_.emplace(std::move(of), std::move(qualifier));
  }
  return set;
}

bool ColumnSet::Has(std::string_view table, std::string_view family, std::string_view qualifier) const {
  if (families_.empty() && columns_.empty()) return false;
  const Family of(table, family);
  return families_.contains(of) || columns_.contains({of, std::string(qualifier)});
}

}  // namespace fensi::capture

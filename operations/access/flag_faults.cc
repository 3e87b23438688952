#include "operations/access/flag_faults.h"

#include "base/bytes.h"

namespace fensi::operations {

Status FlagRequires(const std::string& flags, const std::string& required) {
  return InvalidArgument(flags + " requires " + required);
}

Status FlagsExclude(const std::string& flags, const std::string& other, const std::string& why) {
  const bool has_remedy = why.find(". ") != std::string::npos;
  const std::string remedy = has_remedy                ? ""
                             : other.starts_with("--") ? ". Leave one of them out"
                                                       : ". Leave out " + flags;
  return InvalidArgument(flags + " cannot be combined with " + other + (why.empty() ? "" : ": " + why) + remedy);
}

Status FlagsTogether(const std::string& one, const std::string& other) {
  return InvalidArgument(one + " and " + other + " require each other: give both or neither");
}

Status CheckRowFlags(const std::string& prefix, const std::string& start_row, const std::string& stop_row) {
  if (!prefix.empty() && !(start_row.empty() && stop_row.empty())) {
    return FlagsExclude("--prefix", "--start_row and --stop_row");
  }
  if (start_row.empty() || stop_row.empty() || *Unescape(start_row) < *Unescape(stop_row)) return {};
  return InvalidArgument("--start_row must be less than --stop_row, but '" + start_row + "' is not less than '" +
                         stop_row + "'. Correct one of the two flags");
}

Status FileExists(const std::string& path) {
  return InvalidArgument("file " + path + " exists. Name another file, or replace what it holds: --overwrite");
}

}  // namespace fensi::operations

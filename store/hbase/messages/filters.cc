#include "store/hbase/messages/filters.h"

#include <string_view>
#include <vector>

#include "store/asked_columns.h"

namespace fensi::store {

namespace {

/// More are found quicker among all cells of the family by who asked.
constexpr size_t kMostNamed = 100;

/// A quote within quotes is doubled.
std::string Quoted(std::string_view bytes) {
  std::string quoted = "'";
  for (const char c : bytes) quoted.append(c == '\'' ? 2 : 1, c);
  return quoted + "'";
}

std::string Compare(const char* filter, const char* how, std::string_view bytes) {
  return std::string(filter) + "(" + how + ", " + Quoted("binary:" + std::string(bytes)) + ")";
}

std::string Joined(const std::vector<std::string>& parts, const char* between) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : between) + part;
  return text;
}

std::string InParentheses(const std::string& text) { return "(" + text + ")"; }

/// The empty qualifier always: it holds the markers of the family.
std::string OfFamily(std::string_view family, const AskedColumns::Qualifiers& qualifiers) {
  const std::string of_family = Compare("FamilyFilter", "=", family);
  if (qualifiers.empty()) return of_family;
  std::vector<std::string> alternatives = {Compare("QualifierFilter", "=", "")};
  for (const std::string_view qualifier : qualifiers) {
    if (!qualifier.empty()) alternatives.push_back(Compare("QualifierFilter", "=", qualifier));
  }
  return InParentheses(of_family + " AND " + InParentheses(Joined(alternatives, " OR ")));
}

/// A raw scan refuses columns that are named to it.
std::string NamedColumns(const ScanRequest& request) {
  if (!request.raw) return "";
  const AskedColumns asked(request.columns);
  size_t named = 0;
  for (const auto& [family, qualifiers] : asked.families()) named += qualifiers.size();
  if (named == 0 || named > kMostNamed) return "";
  std::vector<std::string> parts;
  for (const auto& [family, qualifiers] : asked.families()) parts.push_back(OfFamily(family, qualifiers));
  return Joined(parts, " OR ");
}

/// Not by "exclusive": the filter takes the empty qualifier for no bound at all.
std::string Behind(const ColumnPlace& place) {
  const std::string next = place.qualifier + '\0';
  return InParentheses(Compare("FamilyFilter", "=", place.family) + " AND " + ColumnsFrom(next)) + " OR " +
         Compare("FamilyFilter", ">", place.family);
}

}  // namespace

std::string ColumnsFrom(const std::string& qualifier) {
  return "ColumnRangeFilter(" + Quoted(qualifier) + ", true, '', false)";
}

std::string FilterOf(const ScanRequest& request) {
  std::vector<std::string> parts;
  if (const std::string columns = NamedColumns(request); !columns.empty()) parts.push_back(InParentheses(columns));
  if (request.behind) parts.push_back(InParentheses(Behind(*request.behind)));
  if (request.keys_only) parts.push_back("KeyOnlyFilter()");
  return Joined(parts, " AND ");
}

}  // namespace fensi::store

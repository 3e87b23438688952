#include "base/table_name.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi {
namespace {

constexpr std::string_view kDefaultNamespace = "default:";
constexpr size_t kMaxBytes = 200;

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

bool IsQualifier(std::string_view name) {
  if (name.empty() || !IsWordCharacter(name[0])) return false;
  return std::all_of(name.begin(), name.end(), [](char c) { return IsWordCharacter(c) || c == '-' || c == '.'; });
}

}  // namespace

bool IsTableName(std::string_view name) {
  if (name.size() > kMaxBytes) return false;
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos) return IsQualifier(name);
  const std::string_view space = name.substr(0, colon);
  return !space.empty() && std::all_of(space.begin(), space.end(), IsWordCharacter) &&
         IsQualifier(name.substr(colon + 1));
}

std::string_view CanonicalTableName(std::string_view name) {
  if (name.starts_with(kDefaultNamespace)) name.remove_prefix(kDefaultNamespace.size());
  return name;
}

Result<std::string> ParseTableName(std::string_view name) {
  if (IsTableName(name)) return std::string(CanonicalTableName(name));
  const std::string shown = "'" + Escape(name) + "'";
  if (name.size() > kMaxBytes) {
    return Status(StatusCode::kInvalidArgument, shown + " is too long for a table's name: it has " +
                                                    std::to_string(name.size()) + " bytes, the limit is " +
                                                    std::to_string(kMaxBytes));
  }
  return Status(StatusCode::kInvalidArgument,
                shown + " is no table name of HBase: TABLE or NAMESPACE:TABLE, of letters, digits, '_', '-' and '.'");
}

std::string TopicOfTable(std::string_view name) {
  std::string topic(CanonicalTableName(name));
  if (const size_t colon = topic.find(':'); colon != std::string::npos) {
    topic[colon] = '.';
  } else if (topic.find('.') != std::string::npos) {
    topic.insert(0, "default.");
  }
  return topic;
}

}  // namespace fensi

#include "base/hbase_limits.h"

#include <unicode/uchar.h>

#include <algorithm>

#include "base/bytes.h"

namespace fensi {

std::string RowAfter(std::string row) {
  if (row.size() < kMaxRowBytes) return row + '\0';
  row.resize(kMaxRowBytes);
  while (!row.empty() && row.back() == '\xff') row.pop_back();
  if (!row.empty()) ++row.back();
  return row;
}

namespace {

constexpr std::string_view kDefaultNamespace = "default:";
constexpr size_t kMaxBytes = 200;

bool IsAscii(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

bool IsWordCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// A letter or digit of any language, of one unit of UTF-16.
bool IsWordCharacter(uint32_t point) {
  const auto character = static_cast<UChar32>(point);
  return point <= 0xFFFF && (u_isUAlphabetic(character) != 0 || u_isdigit(character) != 0);
}

/// Only words, and these ASCII characters between them.
bool IsOfWords(std::string_view name, std::string_view others) {
  while (!name.empty()) {
    const char first = name.front();
    const size_t length = static_cast<unsigned char>(first) < 0x80 ? 1 : Utf8Length(name);
    const bool word = length == 1 ? IsWordCharacter(first) || others.find(first) != std::string_view::npos
                                  : length > 1 && IsWordCharacter(CodePoint(name.substr(0, length)));
    if (!word) return false;
    name.remove_prefix(length);
  }
  return true;
}

bool IsQualifier(std::string_view name) {
  return !name.empty() && name.front() != '-' && name.front() != '.' && name != "zookeeper" && IsOfWords(name, "-.");
}

/// For a topic's name.
std::string InAscii(std::string_view name) {
  constexpr char kTopicDigits[] = "0123456789abcdef";
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte >= 0x80) {
      out += {'-', kTopicDigits[byte >> 4], kTopicDigits[byte & 15]};
    } else {
      out += c == '-' ? "--" : std::string(1, c);
    }
  }
  return out;
}

}  // namespace

bool IsTableName(std::string_view name) {
  if (name.size() > kMaxBytes) return false;
  const size_t colon = name.find(':');
  if (colon == std::string_view::npos) return IsQualifier(name);
  const std::string_view space = name.substr(0, colon);
  return !space.empty() && space != "zookeeper" && IsOfWords(space, "") && IsQualifier(name.substr(colon + 1));
}

std::string_view CanonicalTableName(std::string_view name) {
  if (name.starts_with(kDefaultNamespace)) name.remove_prefix(kDefaultNamespace.size());
  return name;
}

Result<std::string> ParseTableName(std::string_view name) {
  if (IsTableName(name)) return std::string(CanonicalTableName(name));
  const std::string shown = "'" + Escape(name) + "'";
  if (name.size() > kMaxBytes) {
    return Status(StatusCode::kInvalidArgument, shown + " is too long: a table name has at most " +
                                                    std::to_string(kMaxBytes) + " bytes, and this name has " +
                                                    std::to_string(name.size()) + ". Write a shorter name");
  }
  return Status(
      StatusCode::kInvalidArgument,
      shown +
          " is no table name of HBase. Write TABLE or NAMESPACE:TABLE with letters and digits of any language, "
          "'_', '-' and '.', for example prod:follows");
}

std::string TopicOfTable(std::string_view name) {
  std::string topic(CanonicalTableName(name));
  if (!IsAscii(topic)) {
    const size_t colon = topic.find(':');
    const std::string space = colon == std::string::npos ? "default" : topic.substr(0, colon);
    return InAscii(space) + ".." + InAscii(topic.substr(colon == std::string::npos ? 0 : colon + 1));
  }
  if (const size_t colon = topic.find(':'); colon != std::string::npos) {
    topic[colon] = '.';
  } else if (topic.find('.') != std::string::npos) {
    topic.insert(0, "default.");
  }
  return topic;
}

}  // namespace fensi

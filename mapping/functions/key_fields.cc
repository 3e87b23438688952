#include "mapping/functions/key_fields.h"

#include <algorithm>
#include <array>
#include <cctype>

#include "base/text.h"

namespace fensi::mapping {
namespace {

constexpr std::array<size_t, 22> kWidths = {8, 4, 2, 1, 8, 4, 2, 1, 8, 4, 8, 4, 8, 8, 12, 8, 8, 12, 0, 1, 0, 0};

std::vector<std::string> WordsOf(std::string_view text, std::string_view separators) {
  std::vector<std::string> words(1);
  for (const char c : text) {
    if (separators.find(c) == std::string_view::npos) {
      words.back().push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
    } else if (!words.back().empty()) {
      words.emplace_back();
    }
  }
  if (words.back().empty()) words.pop_back();
  return words;
}

// Commas between columns: those in the parentheses of DECIMAL(10,2) are none.
std::vector<std::string> ColumnsOf(std::string_view text) {
  std::vector<std::string> columns(1);
  bool inside = false;
  for (const char c : text) {
    inside = c == '(' || (inside && c != ')');
    if (c == ',' && !inside) {
      columns.emplace_back();
    } else {
      columns.back().push_back(static_cast<char>(std::toupper(static_cast<unsigned char>(c))));
    }
  }
  return columns;
}

/// VARCHAR of "VARCHAR(20)" and DECIMAL of "DECIMAL(10,2)", whose limits change nothing of the bytes.
std::string_view WithoutLimit(std::string_view type) {
  for (const std::string_view name : {"VARCHAR", "DECIMAL"}) {
    if (!type.starts_with(name) || !type.substr(name.size()).starts_with('(') || !type.ends_with(')')) continue;
    const std::string_view limit = type.substr(name.size() + 1, type.size() - name.size() - 2);
    if (!limit.empty() && limit.find_first_not_of("0123456789,") == std::string_view::npos) return name;
  }
  return type;
}

/// "CHAR(2)" or "BINARY(16)".
std::optional<size_t> WidthIn(std::string_view type) {
  for (const std::string_view name : {"CHAR(", "BINARY("}) {
    if (!type.starts_with(name) || !type.ends_with(')')) continue;
    type.remove_prefix(name.size());
    type.remove_suffix(1);
    const auto width = ParseWhole<size_t>(type);
    return width && *width > 0 && *width <= 32767 ? width : std::nullopt;
  }
  return std::nullopt;
}

std::optional<KeyField> ParseField(const std::vector<std::string>& words) {
  if (words.empty() || words.size() > 2) return std::nullopt;
  if (words.size() == 2 && words[1] != "ASC" && words[1] != "DESC") return std::nullopt;
  KeyField field{0, words.size() == 2 && words[1] == "DESC"};
  if (const std::optional<size_t> width = WidthIn(words[0])) {
    field.width = *width;
    return field;
  }
  const std::optional<PhoenixType> type = PhoenixTypeNamed(WithoutLimit(words[0]));
  if (words[0] == "VARBINARY") return field.descending ? std::nullopt : std::optional(field);
  if (!type || *type == PhoenixType::kChar) return std::nullopt;
  field.width = WidthOf(*type);
  return field;
}

// A field without width ends with a zero byte, a descending one with 0xFF, also as the last of all, which leaves out a
// zero byte. A null is empty, and ends with a zero byte in both orders (Phoenix' SchemaUtil.getSeparatorByte and
// PTableImpl.newKey). Tables of before Phoenix 4.5 that were never upgraded end descending fields with a zero byte.
size_t WidthOfField(const KeyField& field, std::string_view key, bool last) {
  if (field.width != 0) return field.width;
  if (field.descending && key.starts_with('\0')) return 0;
  if (last && !field.descending) return key.size();
  return std::min(key.find(field.descending ? '\xFF' : '\0'), key.size());
}

}  // namespace

size_t WidthOf(PhoenixType type) { return kWidths[static_cast<size_t>(type)]; }

std::optional<PhoenixType> PhoenixTypeNamed(std::string_view name) {
  const std::vector<std::string> known = WordsOf(kPhoenixTypes, " ");
  const auto found = std::find(known.begin(), known.end(), name);
  if (found == known.end()) return std::nullopt;
  return static_cast<PhoenixType>(found - known.begin());
}

std::optional<KeyFields> ParseKeyFields(std::string_view text, std::string* problem) {
  KeyFields key;
  std::vector<std::string> columns = ColumnsOf(text);
  if (columns.back().find_first_not_of(' ') == std::string::npos) columns.pop_back();
  for (std::string& column : columns) {
    std::vector<std::string> words = WordsOf(column, " ");
    if (&column == &columns.front() && !words.empty() && words.front() == "SALTED") {
      key.salted = true;
      words.erase(words.begin());
    }
    const std::optional<KeyField> field = ParseField(words);
    if (!field) {
      *problem = "the types of a Phoenix row key like \"SALTED BIGINT, CHAR(2), VARCHAR DESC\"; '" + column +
                 "' is none of " + std::string(kPhoenixTypes) +
                 ", CHAR(n), BINARY(n), VARBINARY, with ASC or (but for VARBINARY) DESC";
      return std::nullopt;
    }
    key.fields.push_back(*field);
    key.text += (key.fields.size() > 1 ? ", "
                 : key.salted          ? "SALTED "
                                       : "") +
                words[0] + (field->descending ? " DESC" : "");
  }
  if (!key.fields.empty()) return key;
  *problem = "the types of a Phoenix row key like \"SALTED BIGINT, CHAR(2), VARCHAR DESC\"";
  return std::nullopt;
}

// Bytes behind the last field say that these are not the types of the key: a forgotten SALTED would give wrong fields.
std::optional<std::string_view> FieldOf(const KeyFields& fields, std::string_view key, size_t n) {
  if (fields.salted && key.empty()) return std::nullopt;
  if (fields.salted) key.remove_prefix(1);
  std::optional<std::string_view> value;
  for (size_t i = 0; i < fields.fields.size() && !(value && key.empty()); ++i) {
    const KeyField& field = fields.fields[i];
    const bool last = i + 1 == fields.fields.size();
    const size_t width = WidthOfField(field, key, last);
    if (width > key.size()) return std::nullopt;
    if (i == n) value = key.substr(0, width);
    key.remove_prefix(width);
    if (field.width == 0 && !key.empty()) key.remove_prefix(1);
  }
  return key.empty() ? value : std::nullopt;
}

}  // namespace fensi::mapping

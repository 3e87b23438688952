#include "mapping/yaml/fields.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "base/text.h"

namespace fensi::mapping {
namespace {

/// How a node of the kind is written under the key, or the keys, that `what` names.
std::string WrittenAs(Node::Kind kind, const std::string& what, const Node& found) {
  const bool is_key = what.size() > 2 && what.front() == '\'' && what.find('\'', 1) == what.size() - 1;
  const std::string key = is_key ? what.substr(1, what.size() - 2) : "";
  const std::string before = is_key ? key + ": " : "";
  const std::string text = found.kind == Node::Kind::kText && !found.text.empty() ? found.text : "TEXT";
  switch (kind) {
    case Node::Kind::kList:
      return "write a list: " + before + "[" + text + "], or one line '- " + text + "' for each item";
    case Node::Kind::kMap:
      if (!is_key) return "write a map: { NAME: VALUE }, or one line 'NAME: VALUE' for each name";
      return "write a map: the line '" + key +
             ":', and under it, two spaces deeper, a line 'NAME: VALUE' for each name";
    case Node::Kind::kText:
      return (is_key ? "write the text after its key, without '-' and without brackets: "
                     : "write a text, without '-' and without brackets: ") +
             before +
             (found.items.size() == 1 && found.items[0].kind == Node::Kind::kText ? "'" + found.items[0].text + "'"
                                                                                  : "'TEXT'");
    case Node::Kind::kNothing:
      break;
  }
  return "";
}

std::string_view KindName(Node::Kind kind) {
  switch (kind) {
    case Node::Kind::kNothing:
      return "empty";
    case Node::Kind::kText:
      return "a text";
    case Node::Kind::kList:
      return "a list";
    case Node::Kind::kMap:
      return "a map";
  }
  return "nothing";
}

int64_t UnitSeconds(char unit) {
  switch (unit) {
    case 's':
      return 1;
    case 'm':
      return 60;
    case 'h':
      return 3600;
    case 'd':
      return 86400;
    default:
      return 0;
  }
}

std::optional<int32_t> ParseDuration(std::string_view text) {
  if (text.empty()) return std::nullopt;
  int64_t unit = UnitSeconds(text.back());
  if (unit != 0) {
    text.remove_suffix(1);
  } else {
    unit = 1;
  }
  const std::optional<int64_t> number = ParseInteger(text);
  if (!number || *number < 1 || *number > INT32_MAX / unit) return std::nullopt;
  return static_cast<int32_t>(*number * unit);
}

}  // namespace

std::optional<int64_t> ParseInteger(std::string_view text) {
  if (text.starts_with('+') && !text.starts_with("+-")) text.remove_prefix(1);
  return ParseWhole<int64_t>(text);
}

bool IsKind(const Node& node, Node::Kind kind, const std::string& what, Reporter* reporter, const char* hint) {
  if (node.kind == kind) return true;
  reporter->Report(Code::kWrongKind, node.place,
                   what + " must be " + std::string(KindName(kind)) + ", and is " + std::string(KindName(node.kind)),
                   {hint != nullptr ? hint : WrittenAs(kind, what, node)});
  return false;
}

bool IsBounded(const Node& node, size_t most, const std::string& what, Reporter* reporter) {
  const size_t count = node.items.size() + node.fields.size();
  if (count <= most) return true;
  std::vector<std::string> hints;  // of indexes that of the code: they may stand in several files
  if (what != "'indexes'") hints = {"remove items that you do not need"};
  reporter->Report(Code::kTooLarge, node.place,
                   what + " has " + std::to_string(count) + " items, at most " + std::to_string(most) + " are possible",
                   std::move(hints));
  return false;
}

Fields::Fields(const Node& map, std::string what, std::initializer_list<std::string_view> known, Reporter* reporter,
               const Place* where)
    : node_(map), what_(std::move(what)), where_(where != nullptr ? *where : map.place), reporter_(reporter) {
  if (!IsKind(map, Node::Kind::kMap, what_, reporter)) return;
  for (const Node::Field& field : map.fields) {
    if (std::find(known.begin(), known.end(), field.key.text) != known.end()) continue;
    std::vector<std::string> hints = Suggest(field.key.text, {known.begin(), known.end()});
    if (hints.empty()) hints = {"use one of these keys: " + OneOf({known.begin(), known.end()})};
    reporter->Report(Code::kUnknownKey, field.key.place, "unknown key '" + field.key.text + "' in " + what_,
                     std::move(hints));
  }
}

const Node* Fields::Require(std::string_view key) const {
  const Node* value = node_.Find(key);
  if (value == nullptr && node_.kind == Node::Kind::kMap) {
    reporter_->Report(Code::kMissingKey, where_, what_ + " has no '" + std::string(key) + "'");
  }
  return value;
}

const Node* Fields::Text(std::string_view key) const {
  const Node* value = node_.Find(key);
  if (value == nullptr) return nullptr;
  return IsKind(*value, Node::Kind::kText, "'" + std::string(key) + "'", reporter_) ? value : nullptr;
}

bool Fields::Flag(std::string_view key) const {
  static constexpr std::string_view kChoices[] = {"false", "true"};
  return Choice(key, kChoices).value_or(0) == 1;
}

std::optional<int64_t> Fields::Number(std::string_view key, int64_t min, int64_t max) const {
  const Node* value = Text(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<int64_t> number = ParseInteger(value->text);
  if (number && *number >= min && *number <= max) return number;
  reporter_->Report(Code::kBadNumber, value->place,
                    "'" + std::string(key) + "' must be a number from " + std::to_string(min) + " to " +
                        std::to_string(max) + ", and is '" + value->text + "'");
  return std::nullopt;
}

std::optional<int32_t> Fields::Duration(std::string_view key) const {
  const Node* value = Text(key);
  if (value == nullptr) return std::nullopt;
  const std::optional<int32_t> seconds = ParseDuration(value->text);
  if (!seconds) {
    reporter_->Report(Code::kBadDuration, value->place, "'" + value->text + "' is not a duration",
                      {"write a whole number with s, m, h or d, such as 90s, 12h or 365d. The most is " +
                       std::to_string(INT32_MAX / UnitSeconds('d')) + "d"});
  }
  return seconds;
}

std::optional<size_t> Fields::Choice(std::string_view key, std::span<const std::string_view> choices) const {
  const Node* value = Text(key);
  if (value == nullptr) return std::nullopt;
  const auto found = std::find(choices.begin(), choices.end(), value->text);
  if (found != choices.end()) return static_cast<size_t>(found - choices.begin());
  std::vector<std::string> hints = Suggest(value->text, choices);
  if (hints.empty()) hints = {"write " + OneOf(choices) + ", or remove the key"};
  reporter_->Report(Code::kBadChoice, value->place,
                    "'" + std::string(key) + "' must be " + OneOf(choices) + ", and is '" + value->text + "'",
                    std::move(hints));
  return std::nullopt;
}

}  // namespace fensi::mapping

#include "mapping/template/syntax_hints.h"

#include <algorithm>
#include <iterator>
#include <vector>

#include "base/text.h"

namespace fensi::mapping {
namespace {

constexpr size_t kMostParts = 4;  // in an example
constexpr std::string_view kExample = "{({g:lat},{g:lon}) | geohash 9}";

/// The braces at the beginning of `text` and after it, up to the one that closes those around: "{g:lat}".
std::vector<std::string_view> BracesIn(std::string_view text) {
  std::vector<std::string_view> found;
  size_t depth = 0;
  size_t open = 0;
  for (size_t i = 0; i < text.size() && found.size() < kMostParts; ++i) {
    if (text[i] == '{' && depth++ == 0) open = i;
    if (text[i] != '}') continue;
    if (depth == 0) break;
    if (--depth == 0) found.push_back(text.substr(open, i - open + 1));
  }
  return found;
}

/// Could it be a function with bare words as arguments?
bool IsCall(std::string_view text) {
  const auto legal = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' ||
           c == ' ';
  };
  return !text.empty() && std::all_of(text.begin(), text.end(), legal);
}

/// Can braces begin with it?
bool IsReference(std::string_view text) {
  constexpr std::string_view kNames[] = {"row", "family", "qualifier", "value", "ts", "item"};
  const size_t colon = text.find(':');
  const bool column = colon != std::string_view::npos && colon > 0 && colon + 1 < text.size();
  return column || std::find(std::begin(kNames), std::end(kNames), text) != std::end(kNames);
}

std::string JoinedHint(const std::vector<std::string>& parts, std::string_view function) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : ",") + part;
  return "put the columns of one value in parentheses, and functions after them: {(" + text + ") | " +
         std::string(function) + "}";
}

}  // namespace

std::string NestedBracesHint(std::string_view before, std::string_view rest) {
  const std::vector<std::string_view> inner = BracesIn(rest);
  const std::string_view word = Trimmed(before, " ([");
  const std::string first(inner.empty() ? "" : inner[0]);
  if (first.size() <= 2) return "remove the inner brace, because templates do not nest";
  if (IsReference(word)) return "write one part after the other: {" + std::string(word) + "}" + first;
  if (inner.size() > 1) return JoinedHint({inner.begin(), inner.end()}, IsCall(word) ? word : "geohash 9");
  if (IsCall(word)) {
    return "write functions after the reference: " + first.substr(0, first.size() - 1) + " | " + std::string(word) +
           "}";
  }
  return "write the name of the column itself, because templates do not nest";
}

std::string ListOfColumnsHint(std::string_view list) {
  std::vector<std::string> parts;
  for (size_t at = 0; at <= list.size() && parts.size() < kMostParts;) {
    const size_t comma = std::min(list.find(',', at), list.size());
    const std::string_view one = Trimmed(list.substr(at, comma - at), " ()");
    if (!IsReference(one)) return "write several columns of one value like " + std::string(kExample);
    parts.push_back("{" + std::string(one) + "}");
    at = comma + 1;
  }
  return JoinedHint(parts, "geohash 9");
}

std::string BraceInArgumentHint(std::string_view rest) {
  const std::string quotes = "put the argument in double quotes";
  const std::vector<std::string_view> inner = BracesIn(rest);
  if (inner.empty()) return quotes;
  const std::string_view content = inner[0].substr(1, inner[0].size() - 2);
  if (!IsReference(content.substr(0, content.find_first_of(" |")))) return quotes;
  return "write a constant, because an argument cannot be a column. Write several columns of one value like " +
         std::string(kExample);
}

std::string StrayBraceHint(std::string_view literal, bool in_parentheses) {
  if (in_parentheses) return "close the parenthesis after its last part: " + std::string(kExample);
  if (literal.find("{{") != std::string_view::npos) {
    return "begin a reference with one brace, because '{{' is text. Write several columns of one value like " +
           std::string(kExample);
  }
  const std::string_view calls = Trimmed(literal, " ");
  if (calls.starts_with('|') && !Trimmed(calls, "| ").empty()) {
    return "write functions inside the braces: move '" + std::string(calls) +
           "' before the closing '}' of the reference";
  }
  return "write a brace that is text as '}}'";
}

}  // namespace fensi::mapping

#include "mapping/template/arguments.h"

#include <re2/re2.h>

#include <algorithm>

#include "base/suggest.h"
#include "mapping/functions/proto_path.h"
#include "mapping/functions/proto_text.h"
#include "mapping/functions/regex.h"
#include "mapping/functions/time_format.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

bool ReadNumber(const ArgumentSyntax& syntax, int64_t min, int64_t max, Argument* out, std::string* problem) {
  const std::optional<int64_t> number = ParseInteger(syntax.text);
  if (number && *number >= min && *number <= max) {
    out->number = *number;
    return true;
  }
  *problem = "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  return false;
}

bool ReadRegex(const ArgumentSyntax& syntax, const Outside& outside, Argument* out, std::string* problem) {
  if (syntax.kind != ArgumentSyntax::Kind::kRegex) {
    *problem = "a regular expression between slashes, like /u(\\d+)/";
    return false;
  }
  out->regex = CompileRegex(syntax.text, outside.regexes.get(), problem);
  return out->regex != nullptr;
}

bool ReadGroup(const ArgumentSyntax& syntax, const Arguments& before, Argument* out, std::string* problem) {
  const int groups = std::min(before[0].regex->NumberOfCapturingGroups(), 9);
  return ReadNumber(syntax, 0, groups, out, problem);
}

// yyyy-MM-dd as Java and others write it is %Y-%m-%d here; the text itself when it is nothing of that kind.
std::string FromLetters(std::string text) {
  constexpr std::pair<std::string_view, std::string_view> kLetters[] = {
      {"yyyy", "%Y"}, {"YYYY", "%Y"}, {"SSS", "%L"}, {"MM", "%m"}, {"dd", "%d"}, {"DD", "%d"},
      {"HH", "%H"},   {"hh", "%H"},   {"mm", "%M"},  {"ss", "%S"}, {"yy", "%y"}};
  for (const auto& [letters, field] : kLetters) {
    const size_t at = text.find(letters);
    if (at != std::string::npos) text.replace(at, letters.size(), field);
  }
  return text;
}

// %M are minutes, which beside a year or a day without an hour are months that were meant.
std::string MinutesAsMonths(std::string text) {
  const auto has = [&text](std::string_view field) { return text.find(field) != std::string::npos; };
  if (!has("%M") || has("%m") || has("%H") || !(has("%Y") || has("%d"))) return "";
  return text.replace(text.find("%M"), 2, "%m");
}

bool ReadFormat(const ArgumentSyntax& syntax, std::string* problem) {
  if (const std::string meant = MinutesAsMonths(syntax.text); !meant.empty()) {
    *problem = "a time format in which %M are minutes and %m months; did you mean '" + meant + "'?";
    return false;
  }
  const std::string unknown = UnknownTimeField(syntax.text);
  if (unknown.empty() && HasTimeField(syntax.text)) return true;
  *problem = "a time format of %Y %m %d %H %M %S %L %j %y";
  if (!unknown.empty()) {
    *problem += ", without '" + unknown + "'";
    return false;
  }
  *problem += ", with at least one of them";
  const std::string meant = FromLetters(syntax.text);
  if (meant != syntax.text) *problem += "; did you mean '" + meant + "'?";
  return false;
}

bool ReadFormatToParse(const ArgumentSyntax& syntax, std::string* problem) {
  if (!ReadFormat(syntax, problem)) return false;
  *problem = "a time format of %Y %m %d %H %M %S %L, each at most once: %j and %y do not say which day is meant";
  return TimeCanBeRead(syntax.text);
}

bool ReadZone(const ArgumentSyntax& syntax, const Outside& outside, Argument* out, std::string* problem) {
  const std::optional<int64_t> minutes = ParseZone(syntax.text);
  *problem = "UTC, an offset like +08:00, or a zone that this machine knows, like Asia/Shanghai";
  if (minutes) {
    out->number = *minutes;
  } else if (outside.environment != nullptr && outside.environment->zone) {
    out->zone = outside.environment->zone(syntax.text);
  }
  return minutes.has_value() || out->zone != nullptr;
}

bool ReadMessage(const ArgumentSyntax& syntax, const Outside& outside, std::string* problem) {
  if (outside.schemas == nullptr) {
    *problem = "a message of the files under 'protos:', and this mapping file has none";
    return false;
  }
  constexpr size_t kMostMessages = 1000;
  if (const auto* message = outside.schemas->Find(syntax.text)) {
    if (NeedsAtMost(*message, kMostMessages)) return true;
    *problem = "a message that needs at most " + std::to_string(kMostMessages) + " messages";
    return false;
  }
  const std::vector<std::string> known = outside.schemas->MessageNames();
  const std::vector<std::string> hint = Suggest(syntax.text, std::vector<std::string_view>(known.begin(), known.end()));
  *problem = "a message of the files under 'protos:', with its package" + (hint.empty() ? "" : "; " + hint.front());
  return false;
}

bool ReadFieldPath(const ArgumentSyntax& syntax, const Arguments& before, const Outside& outside, Argument* out,
                   std::string* problem) {
  out->proto = ResolveProtoPath(outside.schemas, outside.schemas->Find(before[0].text), syntax.text, problem);
  return out->proto != nullptr;
}

bool ReadText(const ArgumentSyntax& syntax, size_t min, size_t max, std::string* problem) {
  *problem = max == 1 ? "exactly one byte" : "a text that is not empty";
  return syntax.text.size() >= min && syntax.text.size() <= max;
}

}  // namespace

bool ReadArgument(const Parameter& parameter, const ArgumentSyntax& syntax, const Arguments& before,
                  const Outside& outside, Argument* out, std::string* problem) {
  constexpr int64_t kMostBytes = 32767;
  out->text = syntax.text;
  if (parameter.kind != ArgumentKind::kRegex && syntax.kind == ArgumentSyntax::Kind::kRegex) {
    *problem = "a text (a slash as text is written \"/\")";
    return false;
  }
  switch (parameter.kind) {
    case ArgumentKind::kCount:
      return ReadNumber(syntax, 1, kMostBytes, out, problem);
    case ArgumentKind::kIndex:
      return ReadNumber(syntax, 0, kMostBytes, out, problem);
    case ArgumentKind::kWidth:
      return ReadNumber(syntax, 1, 8, out, problem);
    case ArgumentKind::kNumber:
      return ReadNumber(syntax, INT64_MIN, INT64_MAX, out, problem);
    case ArgumentKind::kDivisor:
      return ReadNumber(syntax, 1, INT64_MAX, out, problem);
    case ArgumentKind::kText:
      return ReadText(syntax, 1, SIZE_MAX, problem);
    case ArgumentKind::kAnyText:
      return true;
    case ArgumentKind::kByte:
      return ReadText(syntax, 1, 1, problem);
    case ArgumentKind::kRegex:
      return ReadRegex(syntax, outside, out, problem);
    case ArgumentKind::kGroup:
      return ReadGroup(syntax, before, out, problem);
    case ArgumentKind::kFormat:
      return ReadFormat(syntax, problem);
    case ArgumentKind::kReadFormat:
      return ReadFormatToParse(syntax, problem);
    case ArgumentKind::kZone:
      return ReadZone(syntax, outside, out, problem);
    case ArgumentKind::kMessage:
      return ReadMessage(syntax, outside, problem);
    case ArgumentKind::kFieldPath:
      return ReadFieldPath(syntax, before, outside, out, problem);
    case ArgumentKind::kDefault:
      return true;
  }
  return false;
}

}  // namespace fensi::mapping

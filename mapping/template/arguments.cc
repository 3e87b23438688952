#include <re2/re2.h>

#include "mapping/functions/time_format.h"
#include "mapping/template/compile.h"
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

bool ReadRegex(const ArgumentSyntax& syntax, Argument* out, std::string* problem) {
  if (syntax.kind != ArgumentSyntax::Kind::kRegex) {
    *problem = "a regular expression between slashes, like /u(\\d+)/";
    return false;
  }
  re2::RE2::Options options;
  options.set_log_errors(false);
  options.set_encoding(re2::RE2::Options::EncodingLatin1);  // values are bytes
  auto regex = std::make_shared<re2::RE2>(syntax.text, options);
  if (!regex->ok()) {
    *problem = "a regular expression of RE2 (" + regex->error() + ")";
    return false;
  }
  out->regex = std::move(regex);
  return true;
}

bool ReadGroup(const ArgumentSyntax& syntax, const Arguments& before, Argument* out, std::string* problem) {
  const int groups = std::min(before[0].regex->NumberOfCapturingGroups(), 9);
  return ReadNumber(syntax, 0, groups, out, problem);
}

bool ReadFormat(const ArgumentSyntax& syntax, std::string* problem) {
  const std::string unknown = UnknownTimeField(syntax.text);
  if (unknown.empty() && !syntax.text.empty()) return true;
  *problem = "a time format of %Y %m %d %H %M %S %L %j %y";
  if (!unknown.empty()) *problem += ", without '" + unknown + "'";
  return false;
}

bool ReadZone(const ArgumentSyntax& syntax, Argument* out, std::string* problem) {
  const std::optional<int64_t> minutes = ParseZone(syntax.text);
  if (minutes) out->number = *minutes;
  *problem = "UTC or an offset like +08:00 (named zones are not supported yet)";
  return minutes.has_value();
}

bool ReadText(const ArgumentSyntax& syntax, size_t min, size_t max, std::string* problem) {
  *problem = max == 1 ? "exactly one byte" : "a text that is not empty";
  return syntax.text.size() >= min && syntax.text.size() <= max;
}

}  // namespace

bool ReadArgument(const Parameter& parameter, const ArgumentSyntax& syntax, const Arguments& before, Argument* out,
                  std::string* problem) {
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
      return ReadRegex(syntax, out, problem);
    case ArgumentKind::kGroup:
      return ReadGroup(syntax, before, out, problem);
    case ArgumentKind::kFormat:
      return ReadFormat(syntax, problem);
    case ArgumentKind::kZone:
      return ReadZone(syntax, out, problem);
    case ArgumentKind::kDefault:
      return true;
  }
  return false;
}

}  // namespace fensi::mapping

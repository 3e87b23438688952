#include "mapping/template/arguments.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <span>

#include "base/text.h"
#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/json_text.h"
#include "mapping/functions/key_fields.h"
#include "mapping/functions/languages.h"
#include "mapping/functions/numbers_as_text.h"
#include "mapping/functions/positions.h"
#include "mapping/functions/proto_path.h"
#include "mapping/functions/regex.h"
#include "mapping/functions/time_format.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

struct ForeignWords {
  std::initializer_list<std::string_view> words;
  std::string_view hint;
};

constexpr std::string_view kPiecesHint =
    "pieces are 'slice from to' (from 0, 'to' not included), 'first n' and 'last n'";
constexpr std::string_view kTimesHint =
    "a time is written by 'time %Y%m%d'; it comes from {f1:from@ts}, or from a value by 'int | from_ms', 'int | "
    "from_s' or 'parse_time %Y-%m-%d'";
constexpr std::string_view kHashesHint =
    "hashes are md5, sha1, sha256, crc32, murmur3 and xxh64: {row | md5 | hex | first 8}";
constexpr std::string_view kTogetherHint = "what stands side by side is put together: '{f1:a}-{f1:b}'";
constexpr std::string_view kNoClockHint =
    "an entry must come out the same each time: a template knows neither a clock nor chance";
constexpr std::string_view kWholeNumbersHint =
    "digits are read by 'int', the eight bytes that HBase's Bytes.toBytes(long) makes by 'i64', four bytes by 'i32'";
constexpr std::string_view kPointHint =
    "a number with a point is read by 'number' (digits, exactly) or 'real' (digits, as a double), 'f64' (8 bytes of a "
    "double), 'f32' (4 bytes of a float), 'big_decimal' (HBase's Bytes.toBytes(BigDecimal)) or 'unscaled' (the scale "
    "is "
    "in a schema, as of Avro and Debezium)";
constexpr std::string_view kIsoHint =
    "a time in ISO 8601, with or without an offset and a fraction, is read by 'iso_time'";
constexpr std::string_view kAddressHint = "addresses become bytes by 'ip' or 'ip6', and a network by 'ip | mask 24'";
constexpr std::string_view kBase64Hint =
    "bytes become text by 'base64', 'base64url' or 'hex', and text becomes bytes by 'unbase64' or 'unhex'";
constexpr std::string_view kFoldHint =
    "letters of all languages are changed by 'fold', 'lower_unicode' and 'upper_unicode', those of ASCII by 'lower' "
    "and "
    "'upper'";
constexpr std::string_view kJsonHint =
    "JSON is read by 'json user.id' (one value), 'json_list tags' (a list, for each:) and 'json_text user' (anything, "
    "as "
    "JSON)";
constexpr std::string_view kAvroHint =
    "Avro is read by 'avro example.Order buyer.name', of a record in the files under 'avros:'; after a schema's id, "
    "as "
    "Confluent writes it, by 'avro_framed'";
constexpr std::string_view kPhoenixHint =
    "a column of Phoenix is read by 'phoenix BIGINT', with its SQL type and DESC where it is declared so; 8 bytes of "
    "Bytes.toBytes(long) by 'i64'";
constexpr std::string_view kLettersHint = "letters are changed by 'lower' and 'upper'";
constexpr std::string_view kGeohashHint =
    "a cell of the map is made by 'geohash 8', of a text LAT,LON; other cells are columns of the source that its "
    "writer "
    "computes";
constexpr std::string_view kPaddingHint = "digits are padded by 'pad 10 0', any value by 'fixed 10'";
constexpr std::string_view kPlainTextHint = "a value is used as it stands: {f1:from}; bytes become text by 'hex'";
constexpr std::string_view kNewestFirstHint =
    "newest first is a number that is turned round: 'int | descending | to_be 8'";
constexpr std::string_view kRowKeyHint = "the row key of the source is {row}";
constexpr std::string_view kSaltHint = "salt is a function of what is found again: {row | salt 16}";
constexpr std::string_view kCellTimeHint = "the time of a cell is {f1:from@ts}";

const ForeignWords kFunctions[] = {
    {{"substr", "substring", "left", "right", "mid", "prefix", "suffix", "truncate"}, kPiecesHint},
    {{"long", "int64", "integer", "int32", "short", "to_int", "toint", "to_long"}, kWholeNumbersHint},
    {{"bigint", "smallint", "tinyint", "unsigned_int", "unsigned_long", "varchar"}, kPhoenixHint},
    {{"double", "float", "float64", "float32", "numeric", "bigdecimal", "to_double", "parse_double"}, kPointHint},
    {{"iso8601", "rfc3339", "instant", "offset_time", "parse_iso", "iso"}, kIsoHint},
    {{"inet", "ipv4", "ipv6", "ip_address", "cidr"}, kAddressHint},
    {{"b64", "from_base64", "to_base64", "base64_decode", "base64_encode", "decode_base64"}, kBase64Hint},
    {{"casefold", "case_fold", "ilower"}, kFoldHint},
    {{"json_path", "jsonpath", "json_extract", "get_json_object", "json_get"}, kJsonHint},
    {{"avro_field", "avro_path", "from_avro", "confluent_avro"}, kAvroHint},
    {{"lowercase", "lcase", "tolower", "to_lower", "uppercase", "ucase", "toupper", "to_upper"}, kLettersHint},
    {{"geo", "h3", "s2", "zorder", "geo_hash", "quadkey"}, kGeohashHint},
    {{"lpad", "rpad", "zfill", "leftpad", "padleft"}, kPaddingHint},
    {{"string", "str", "text", "to_string", "tostring", "utf8"}, kPlainTextHint},
    {{"negate", "inverse", "desc", "max_minus"}, kNewestFirstHint},
    {{"date", "date_format", "format_date", "format_time", "strftime", "datetime", "to_date", "timestamp"}, kTimesHint},
    {{"hash", "sha", "murmur", "murmurhash", "xxhash", "digest", "fnv"}, kHashesHint},
    {{"concat", "join", "cat"}, kTogetherHint},
    {{"now", "today", "random", "rand", "new_uuid"}, kNoClockHint},
};
const ForeignWords kReferences[] = {
    {{"rowkey", "row_key", "rowKey", "key", "rk"}, kRowKeyHint},
    {{"salt"}, kSaltHint},
    {{"ts", "timestamp", "time", "date"}, kCellTimeHint},
    {{"now", "today", "random", "uuid"}, kNoClockHint},
};

std::string_view HintIn(std::span<const ForeignWords> groups, std::string_view word) {
  for (const ForeignWords& group : groups) {
    if (std::find(group.words.begin(), group.words.end(), word) != group.words.end()) return group.hint;
  }
  return "";
}

}  // namespace

std::string_view HintForFunction(std::string_view word) { return HintIn(kFunctions, word); }

std::string_view HintForReference(std::string_view word) { return HintIn(kReferences, word); }

namespace {

bool ReadNumber(const ArgumentSyntax& syntax, int64_t min, int64_t max, Argument* out, std::string* problem) {
  const std::optional<int64_t> number = ParseInteger(syntax.text);
  if (number && *number >= min && *number <= max) {
    out->number = *number;
    out->text = std::to_string(*number);
    return true;
  }
  *problem = "a whole number from " + std::to_string(min) + " to " + std::to_string(max);
  return false;
}

bool ReadRealWidth(const ArgumentSyntax& syntax, Argument* out, std::string* problem) {
  if (ReadNumber(syntax, 4, 8, out, problem) && out->number % 4 == 0) return true;
  *problem = "4 or 8";
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
    if (*minutes == 0) out->text = "UTC";
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
  if (const auto* message = outside.schemas->Find(syntax.text)) {
    *problem = "a message that needs at most " + std::to_string(kMostNeeded) + " messages";
    return !outside.schemas->DigestOf(*message).empty();
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

bool ReadRecordName(const ArgumentSyntax& syntax, const Outside& outside, std::string* problem) {
  if (outside.avros == nullptr) {
    *problem = "a record of the files under 'avros:', and this mapping file has none";
    return false;
  }
  const AvroType* const type = outside.avros->Find(syntax.text);
  if (type != nullptr && type->kind == AvroKind::kRecord) {
    *problem = "a record that needs at most " + std::to_string(kMostNeeded) + " named types";
    return !outside.avros->DigestOf(*type).empty();
  }
  const std::vector<std::string> known = outside.avros->RecordNames();
  const std::vector<std::string> hint = Suggest(syntax.text, std::vector<std::string_view>(known.begin(), known.end()));
  *problem = "a record of the files under 'avros:', with its namespace" + (hint.empty() ? "" : "; " + hint.front());
  return false;
}

bool ReadRecordPath(const ArgumentSyntax& syntax, const Arguments& before, const Outside& outside, Argument* out,
                    std::string* problem) {
  out->avro = ResolveAvroPath(outside.avros, outside.avros->Find(before.back().text), syntax.text, problem);
  if (out->avro == nullptr) return false;
  out->text = out->avro->text;
  return true;
}

// What is named in the files under `protos:` and `avros:`.
bool ReadOfSchemas(ArgumentKind kind, const ArgumentSyntax& syntax, const Arguments& before, const Outside& outside,
                   Argument* out, std::string* problem) {
  switch (kind) {
    case ArgumentKind::kMessage:
      return ReadMessage(syntax, outside, problem);
    case ArgumentKind::kFieldPath:
      return ReadFieldPath(syntax, before, outside, out, problem);
    case ArgumentKind::kRecord:
      return ReadRecordName(syntax, outside, problem);
    case ArgumentKind::kRecordPath:
      return ReadRecordPath(syntax, before, outside, out, problem);
    default:
      return ReadNumber(syntax, 0, INT32_MAX, out, problem);
  }
}

std::string InCapitals(std::string_view text) {
  std::string capitals(text);
  std::transform(text.begin(), text.end(), capitals.begin(), [](unsigned char c) { return std::toupper(c); });
  return capitals;
}

// In any case, as SQL writes types.
bool ReadChoice(const Parameter& parameter, const ArgumentSyntax& syntax, Argument* out, std::string* problem) {
  std::vector<std::string_view> known;
  std::string_view rest = parameter.choices;
  while (!rest.empty()) {
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (InCapitals(word) == InCapitals(syntax.text)) {
      out->text = word;
      out->number = static_cast<int64_t>(known.size());
      return true;
    }
    known.push_back(word);
    rest.remove_prefix(std::min(word.size() + 1, rest.size()));
  }
  *problem = "one of " + std::string(parameter.choices);
  std::vector<std::string> hint = Suggest(syntax.text, known);
  if (hint.empty()) hint = Suggest(InCapitals(syntax.text), known);
  if (!hint.empty()) *problem += "; " + hint.front();
  return false;
}

bool ReadJsonPath(const ArgumentSyntax& syntax, bool items, Argument* out, std::string* problem) {
  std::optional<JsonPath> path = JsonPath::Parse(syntax.text, items, problem);
  if (!path) return false;
  out->json = std::make_shared<const JsonPath>(*std::move(path));
  return true;
}

// With choices it is the type of one value, which has no order.
bool ReadFields(const Parameter& parameter, const ArgumentSyntax& syntax, Argument* out, std::string* problem) {
  std::optional<KeyFields> fields = ParseKeyFields(syntax.text, problem);
  if (!parameter.choices.empty()) {
    *problem = "one of " + std::string(parameter.choices);
    if (!fields || fields->fields.size() != 1 || syntax.text.find(' ') != std::string::npos) return false;
  }
  if (!fields) return false;
  out->text = fields->text;
  out->fields = std::make_shared<const KeyFields>(*std::move(fields));
  return true;
}

bool ReadLocale(const ArgumentSyntax& syntax, Argument* out) {
  std::optional<std::string> tag = LanguageTag(syntax.text);
  if (!tag) return false;
  out->text = *std::move(tag);
  return true;
}

bool ReadWhole(ArgumentKind kind, const ArgumentSyntax& syntax, Argument* out, std::string* problem) {
  constexpr int64_t kMostBytes = 32767;
  switch (kind) {
    case ArgumentKind::kCount:
      return ReadNumber(syntax, 1, kMostBytes, out, problem);
    case ArgumentKind::kIndex:
      return ReadNumber(syntax, 0, kMostBytes, out, problem);
    case ArgumentKind::kWidth:
      return ReadNumber(syntax, 1, 8, out, problem);
    case ArgumentKind::kDivisor:
      return ReadNumber(syntax, 1, INT64_MAX, out, problem);
    case ArgumentKind::kCharacters:
      return ReadNumber(syntax, 1, kMostGeohash, out, problem);
    case ArgumentKind::kScale:
      return ReadNumber(syntax, 0, kMostPlaces, out, problem);
    default:
      return ReadNumber(syntax, INT64_MIN, INT64_MAX, out, problem);
  }
}

bool ReadText(const ArgumentSyntax& syntax, size_t min, size_t max, std::string* problem) {
  *problem = max == 1 ? "exactly one byte" : "a text that is not empty";
  return syntax.text.size() >= min && syntax.text.size() <= max;
}

}  // namespace

bool ReadArgument(const Parameter& parameter, const ArgumentSyntax& syntax, const Arguments& before,
                  const Outside& outside, Argument* out, std::string* problem) {
  out->text = syntax.text;
  if (parameter.kind != ArgumentKind::kRegex && syntax.kind == ArgumentSyntax::Kind::kRegex) {
    *problem = "a text (a slash as text is written \"/\")";
    return false;
  }
  switch (parameter.kind) {
    case ArgumentKind::kCount:
    case ArgumentKind::kIndex:
    case ArgumentKind::kWidth:
    case ArgumentKind::kNumber:
    case ArgumentKind::kDivisor:
    case ArgumentKind::kCharacters:
    case ArgumentKind::kScale:
      return ReadWhole(parameter.kind, syntax, out, problem);
    case ArgumentKind::kRealWidth:
      return ReadRealWidth(syntax, out, problem);
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
    case ArgumentKind::kFieldPath:
    case ArgumentKind::kRecord:
    case ArgumentKind::kRecordPath:
    case ArgumentKind::kSchemaId:
      return ReadOfSchemas(parameter.kind, syntax, before, outside, out, problem);
    case ArgumentKind::kJsonPath:
    case ArgumentKind::kJsonItems:
      return ReadJsonPath(syntax, parameter.kind == ArgumentKind::kJsonItems, out, problem);
    case ArgumentKind::kChoice:
      return ReadChoice(parameter, syntax, out, problem);
    case ArgumentKind::kFields:
      return ReadFields(parameter, syntax, out, problem);
    case ArgumentKind::kLocale:
      *problem = "a language tag (BCP 47) like de, sv or zh-u-co-stroke, or und for the order that fits all";
      return ReadLocale(syntax, out);
    case ArgumentKind::kDefault:
      return true;
  }
  return false;
}

}  // namespace fensi::mapping

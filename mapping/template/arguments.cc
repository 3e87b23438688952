#include "mapping/template/arguments.h"

#include <re2/re2.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>
#include <span>

#include "base/shown_text.h"
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
    "use 'slice from to', 'first n' or 'last n'. 'slice' counts from 0, and leaves 'to' out";
constexpr std::string_view kTimesHint =
    "write a time with 'time %Y%m%d'. A time comes from {f1:from@ts}, or from a value with 'int | from_ms', 'int | "
    "from_s' or 'parse_time %Y-%m-%d'";
constexpr std::string_view kHashesHint =
    "use md5, sha1, sha256, crc32, murmur3 or xxh64, as in {row | md5 | hex | first 8}";
constexpr std::string_view kTogetherHint = "write the parts side by side, as in '{f1:a}-{f1:b}'";
constexpr std::string_view kNoClockHint =
    "use a value of the row, such as {f1:from@ts}. A template has no clock and no random numbers, so that a row always "
    "gives the same entries";
constexpr std::string_view kWholeNumbersHint =
    "read digits with 'int', the 8 bytes of HBase's Bytes.toBytes(long) with 'i64', and 4 bytes with 'i32'";
constexpr std::string_view kPointHint =
    "read digits with 'number' (exact) or 'real' (a double), 8 bytes of a double with 'f64', 4 bytes of a float with "
    "'f32', and HBase's Bytes.toBytes(BigDecimal) with 'big_decimal'. If the scale is in a schema, as for Avro and "
    "Debezium, use 'unscaled'";
constexpr std::string_view kIsoHint =
    "read a time in ISO 8601, with or without an offset and a fraction, with 'iso_time'";
constexpr std::string_view kAddressHint =
    "make bytes of an address with 'ip' or 'ip6', and of its network with 'ip | mask 24'";
constexpr std::string_view kBase64Hint =
    "make text of bytes with 'base64', 'base64url' or 'hex', and bytes of text with 'unbase64' or 'unhex'";
constexpr std::string_view kFoldHint =
    "use 'fold', 'lower_unicode' or 'upper_unicode' for letters of all languages, and 'lower' or 'upper' for ASCII "
    "letters";
constexpr std::string_view kJsonHint =
    "read one value of JSON with 'json user.id', a list for 'each:' with 'json_list tags', and any part as JSON with "
    "'json_text user'";
constexpr std::string_view kAvroHint =
    "read Avro with 'avro example.Order buyer.name', for a record of the files under 'avros:'. If Confluent wrote a "
    "schema id before the record, use 'avro_framed'";
constexpr std::string_view kPhoenixHint =
    "read a column of Phoenix with 'phoenix BIGINT' or another SQL type, and add DESC if the column is declared DESC. "
    "Read 8 bytes of Bytes.toBytes(long) with 'i64'";
constexpr std::string_view kLettersHint = "use 'lower' or 'upper'";
constexpr std::string_view kGeohashHint =
    "make a cell of the map with 'geohash 8' from a text LAT,LON. For other kinds of cells, let your application write "
    "the cell into a column";
constexpr std::string_view kPaddingHint =
    "pad digits with 'pad 10 0'. For any value of exactly 10 bytes, use 'fixed 10'";
constexpr std::string_view kPlainTextHint =
    "write the value without a function, as in {f1:from}, or make text of bytes with 'hex'";
constexpr std::string_view kNewestFirstHint =
    "for newest first, reverse the order of the number with 'int | descending | to_be 8'";
constexpr std::string_view kRowKeyHint = "write {row} for the row key of the source";
constexpr std::string_view kSaltHint = "write salt as a function of a reference, as in {row | salt 16}";
constexpr std::string_view kCellTimeHint = "write {f1:from@ts} for the time of a cell";

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

bool Lacks(const std::string& what, std::string* problem) {
  *problem += what;
  return false;
}

bool ReadMessage(const ArgumentSyntax& syntax, const Outside& outside, std::string* problem) {
  *problem = "a message of the files under 'protos:', ";
  if (outside.schemas == nullptr) return Lacks("and this mapping file has no 'protos:'", problem);
  if (const auto* message = outside.schemas->Find(syntax.text)) {
    *problem = "a message that needs at most " + std::to_string(kMostNeeded) + " messages";
    return !outside.schemas->DigestOf(*message).empty();
  }
  return Lacks("with its package" + DidYouMean(syntax.text, outside.schemas->MessageNames()), problem);
}

bool ReadFieldPath(const ArgumentSyntax& syntax, const Arguments& before, const Outside& outside, Argument* out,
                   std::string* problem) {
  out->proto = ResolveProtoPath(outside.schemas, outside.schemas->Find(before[0].text), syntax.text, problem);
  return out->proto != nullptr;
}

bool ReadRecordName(const ArgumentSyntax& syntax, const Outside& outside, std::string* problem) {
  *problem = "a record of the files under 'avros:', ";
  if (outside.avros == nullptr) return Lacks("and this mapping file has no 'avros:'", problem);
  const AvroType* const type = outside.avros->Find(syntax.text);
  if (type != nullptr && type->kind == AvroKind::kRecord) {
    *problem = "a record that needs at most " + std::to_string(kMostNeeded) + " named types";
    return !outside.avros->DigestOf(*type).empty();
  }
  return Lacks("with its namespace" + DidYouMean(syntax.text, outside.avros->RecordNames()), problem);
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
    *problem = "a text, and a text that begins with a slash stands in double quotes, such as \"/\"";
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
      *problem = "a language tag (BCP 47) like de, sv or zh-u-co-stroke, or und for the order that fits all languages";
      return ReadLocale(syntax, out);
    case ArgumentKind::kDefault:
      return true;
  }
  return false;
}

}  // namespace fensi::mapping

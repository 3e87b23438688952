#include "mapping/template/foreign_words.h"

#include <algorithm>
#include <initializer_list>
#include <span>

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
constexpr std::string_view kNoPointHint =
    "no function reads numbers with a point: keep a value of whole numbers (cents, thousandths) beside it, and read "
    "that by 'int' or 'i64'";
constexpr std::string_view kLettersHint = "letters are changed by 'lower' and 'upper'";
constexpr std::string_view kGeohashHint =
    "a cell of the map is a column of the source that its writer computes: '{g:cell | fixed 8}{row}'";
constexpr std::string_view kPaddingHint = "digits are padded by 'pad 10 0', any value by 'fixed 10'";
constexpr std::string_view kPlainTextHint = "a value is used as it stands: {f1:from}; bytes become text by 'hex'";
constexpr std::string_view kNewestFirstHint =
    "newest first is a number that is turned round: 'int | descending | to_be 8'";
constexpr std::string_view kRowKeyHint = "the row key of the source is {row}";
constexpr std::string_view kSaltHint = "salt is a function of what is found again: {row | salt 16}";
constexpr std::string_view kCellTimeHint = "the time of a cell is {f1:from@ts}";

const ForeignWords kFunctions[] = {
    {{"substr", "substring", "left", "right", "mid", "prefix", "suffix", "truncate"}, kPiecesHint},
    {{"long", "int64", "bigint", "integer", "int32", "short", "number", "to_int", "toint", "to_long"},
     kWholeNumbersHint},
    {{"double", "float", "f64", "f32", "real", "numeric"}, kNoPointHint},
    {{"lowercase", "lcase", "tolower", "to_lower", "uppercase", "ucase", "toupper", "to_upper"}, kLettersHint},
    {{"geohash", "geo", "h3", "s2"}, kGeohashHint},
    {{"lpad", "rpad", "zfill", "leftpad", "padleft"}, kPaddingHint},
    {{"string", "str", "text", "to_string", "tostring", "utf8"}, kPlainTextHint},
    {{"negate", "invert", "inverse", "desc", "max_minus"}, kNewestFirstHint},
    {{"date", "date_format", "format_date", "format_time", "strftime", "datetime", "to_date", "timestamp"}, kTimesHint},
    {{"hash", "sha", "murmur", "murmurhash", "xxhash", "digest", "fnv"}, kHashesHint},
    {{"concat", "join", "cat"}, kTogetherHint},
    {{"now", "today", "random", "rand", "uuid"}, kNoClockHint},
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

}  // namespace fensi::mapping

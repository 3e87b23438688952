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
constexpr std::string_view kRowKeyHint = "the row key of the source is {row}";
constexpr std::string_view kSaltHint = "salt is a function of what is found again: {row | salt 16}";
constexpr std::string_view kCellTimeHint = "the time of a cell is {f1:from@ts}";

const ForeignWords kFunctions[] = {
    {{"substr", "substring", "left", "right", "mid"}, kPiecesHint},
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

#include "mapping/starter/row_keys.h"

#include <algorithm>
#include <limits>

#include "base/bytes.h"
#include "mapping/functions/function.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

using Values = std::vector<std::string_view>;

// The earlier, the likelier it is a separator and not a part of a name.
constexpr std::string_view kSeparators("|#\0:_-/,", 8);

Values RowsOf(const TableSample& sample) {
  Values rows;
  for (const SampleRow& row : sample.rows) rows.push_back(row.row);
  return rows;
}

bool IsHex(std::string_view text) { return text.find_first_not_of("0123456789abcdef") == std::string_view::npos; }

/// How many characters all values begin with: neighbors in a region do, whatever their keys are made of.
size_t SharedStart(const Values& values) {
  size_t shared = values.front().size();
  for (const std::string_view value : values) {
    shared = std::min(shared, value.size());
    while (!value.starts_with(values.front().substr(0, shared))) --shared;
  }
  return shared;
}

/// Hex digits of one even width in which letters and digits are mixed, also where they differ, and which hardly ever
/// repeat.
bool LooksLikeHash(const Values& values, const ValuesGuess& guess) {
  if (!guess.one_width() || guess.longest < 4 || guess.longest % 2 != 0 || values.size() < 2) return false;
  if (!std::all_of(values.begin(), values.end(), IsHex)) return false;
  const size_t shared = SharedStart(values);
  const auto mixed = [shared](std::string_view text) {
    const std::string_view own = text.substr(shared);
    return own.find_first_of("abcdef") != std::string_view::npos && own.find_first_of("0123456789") < own.size();
  };
  return std::count_if(values.begin(), values.end(), mixed) * 2 >= static_cast<std::ptrdiff_t>(values.size()) &&
         guess.distinct * 10 >= values.size() * 9;
}

/// Long.MAX_VALUE - x for milliseconds of our days.
bool IsNewestFirst(std::string_view text) {
  if (text.size() != 19 || !AllDigits(text)) return false;
  const std::optional<int64_t> number = ParseInteger(text);
  return number && *number > std::numeric_limits<int64_t>::max() - 5'000'000'000'000;
}

GuessedPart PartOf(std::string reference, const Values& values) {
  GuessedPart part{std::move(reference), GuessValues(values)};
  part.is_hash = LooksLikeHash(values, part.values);
  part.newest_first = !values.empty() && std::all_of(values.begin(), values.end(), IsNewestFirst);
  return part;
}

std::string HexHash(const Function& hash, std::string_view text) {
  Scratch scratch;
  Value value;
  value.bytes = text;
  for (const Function* step : {&hash, FindFunction("hex")}) {
    if (step->apply({}, &value, &scratch) != Outcome::kValue) return "";
  }
  return std::string(value.bytes);
}

/// Do all rows begin with `width` hex digits of the hash of what stands `gap` bytes behind them?
bool BeginsWithHash(const Values& rows, const Function& hash, size_t width, size_t gap) {
  return std::all_of(rows.begin(), rows.end(), [&](std::string_view row) {
    return row.size() > width + gap && HexHash(hash, row.substr(width + gap)).starts_with(row.substr(0, width));
  });
}

/// False: no such prefix.
bool FindHashPrefix(const Values& rows, KeyGuess* guess) {
  for (const char* name : {"md5", "sha1", "sha256"}) {
    for (const size_t width : {32u, 16u, 8u, 6u, 5u, 4u}) {
      for (const size_t gap : {1u, 0u}) {
        if (!BeginsWithHash(rows, *FindFunction(name), width, gap)) continue;
        const std::string behind = std::to_string(width + gap);
        guess->about = "begin with " + std::to_string(width) + " hex digits of the " + name + " of what follows";
        Values prefixes, rests;
        for (std::string_view row : rows) prefixes.push_back(row.substr(0, width));
        for (std::string_view row : rows) rests.push_back(row.substr(width + gap));
        guess->parts = {PartOf("row | first " + std::to_string(width), prefixes),
                        PartOf("row | slice " + behind, rests)};
        guess->parts[0].is_hash = true;
        guess->parts[1].is_hash = false;
        return true;
      }
    }
  }
  return false;
}

Values PiecesAt(const Values& rows, char separator, size_t index) {
  Values pieces;
  for (std::string_view row : rows) {
    for (size_t i = 0; i < index; ++i) row.remove_prefix(row.find(separator) + 1);
    pieces.push_back(row.substr(0, row.find(separator)));
  }
  return pieces;
}

/// How often the separator stands in every row; 0: not in all of them equally often.
size_t CountIn(const Values& rows, char separator) {
  const auto count = [separator](std::string_view row) {
    return static_cast<size_t>(std::count(row.begin(), row.end(), separator));
  };
  const size_t first = count(rows.front());
  const bool all = std::all_of(rows.begin(), rows.end(), [&](std::string_view row) { return count(row) == first; });
  return all ? first : 0;
}

bool FindSeparator(const Values& rows, KeyGuess* guess) {
  constexpr size_t kMostParts = 8;
  for (const char separator : kSeparators) {
    const size_t count = CountIn(rows, separator);
    if (count == 0 || count >= kMostParts) continue;
    const std::string shown = Escape(std::string_view(&separator, 1));
    guess->about = "have " + std::to_string(count + 1) + " parts with '" + shown + "' between";
    for (size_t i = 0; i <= count; ++i) {
      guess->parts.push_back(
          PartOf("row | split \"" + shown + "\" " + std::to_string(i), PiecesAt(rows, separator, i)));
    }
    return true;
  }
  return false;
}

/// Is the separator of a key a zero byte? Its parts are text, although the key is not.
bool MayBeSeparated(const Values& rows, const ValuesGuess& whole) {
  if (whole.kind == ValueKind::kText) return true;
  if (whole.kind != ValueKind::kBytes) return false;
  const size_t zeros = CountIn(rows, '\0');
  for (size_t i = 0; zeros > 0 && i <= zeros; ++i) {
    const Values pieces = PiecesAt(rows, '\0', i);
    if (!std::all_of(pieces.begin(), pieces.end(), IsText)) return false;
  }
  return zeros > 0;
}

}  // namespace

KeyGuess GuessRowKeys(const TableSample& sample) {
  KeyGuess guess;
  const Values rows = RowsOf(sample);
  guess.whole = GuessValues(rows);
  if (rows.empty()) return guess;
  const bool separated = MayBeSeparated(rows, guess.whole);
  if (guess.whole.kind == ValueKind::kText && FindHashPrefix(rows, &guess)) return guess;
  if (separated && FindSeparator(rows, &guess)) return guess;
  guess.parts = {PartOf("row", rows)};
  guess.about = "are " + KeyPartText(guess.parts[0]);
  return guess;
}

std::string KeyPartText(const GuessedPart& part) {
  if (part.is_hash) return "a hash prefix of " + std::to_string(part.values.longest) + " hex digits";
  if (part.newest_first) return "19 digits: Long.MAX_VALUE - milliseconds, newest first";
  return ValuesText(part.values);
}

}  // namespace fensi::mapping

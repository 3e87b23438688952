#include "sweep/board_text.h"

#include <array>
#include <charconv>
#include <sstream>
#include <string_view>
#include <utility>

#include "base/bytes.h"

namespace fensi::sweep {
namespace {

constexpr std::array kWishes = {std::pair("run", Wish::kRun), std::pair("pause", Wish::kPause),
                                std::pair("cancel", Wish::kCancel)};

constexpr int64_t kMostPlaceRows = INT64_MAX / 4;  // a version is made of them

bool Ends(std::istringstream* words) {
  std::string more;
  return !(*words >> more);
}

}  // namespace

std::string KeyWord(const std::string& key) {
  std::string word = "=";
  for (const char c : Escape(key)) word += c == ' ' ? std::string("\\x20") : std::string(1, c);
  return word;
}

std::optional<std::string> KeyOf(const std::string& word) {
  if (!word.starts_with('=')) return std::nullopt;
  const Result<std::string> key = Unescape(std::string_view(word).substr(1));
  return key.ok() ? std::optional(*key) : std::nullopt;
}

std::string TextOf(const Job& job) { return job.name + " " + std::to_string(job.made_at) + " " + job.arguments; }

std::string TextOf(const JobPace& pace) {
  std::string wish;
  for (const auto& [name, each] : kWishes) {
    if (each == pace.wish) wish = name;
  }
  return wish + " " + std::to_string(pace.rows_per_second) + " " + std::to_string(pace.bytes_per_second);
}

std::string TextOf(const RowRange& range) {
  const std::string rows = KeyWord(range.start) + " " + KeyWord(range.stop);
  return range.table.empty() ? rows : rows + " " + KeyWord(range.table);
}

std::string TextOf(const Place& place) {
  std::string text = std::string(place.done ? "done " : "open ") + std::to_string(place.rows) + " " +
                     std::to_string(place.bytes) + " " + KeyWord(place.next);
  for (const int64_t count : place.counts) text += " " + std::to_string(count);
  return text;
}

std::optional<Job> JobOf(const std::string& text) {
  std::istringstream words(text);
  Job job;
  if (!(words >> job.name >> job.made_at) || words.get() != ' ') return std::nullopt;
  std::getline(words, job.arguments);
  return job;
}

std::optional<JobPace> PaceOf(const std::string& text) {
  std::istringstream words(text);
  std::string wish;
  JobPace pace;
  if (!(words >> wish >> pace.rows_per_second >> pace.bytes_per_second) || !Ends(&words)) return std::nullopt;
  for (const auto& [name, each] : kWishes) {
    if (wish != name) continue;
    pace.wish = each;
    return pace.rows_per_second >= 0 && pace.bytes_per_second >= 0 ? std::optional(pace) : std::nullopt;
  }
  return std::nullopt;
}

std::optional<RowRange> RangeOf(const std::string& text) {
  std::istringstream words(text);
  std::string start, stop, table = "=";
  if (!(words >> start >> stop)) return std::nullopt;
  words >> table;
  if (!Ends(&words)) return std::nullopt;
  const std::optional<std::string> first = KeyOf(start), last = KeyOf(stop), name = KeyOf(table);
  return first && last && name ? std::optional(RowRange{*first, *last, *name}) : std::nullopt;
}

std::optional<Place> PlaceOf(const std::string& text) {
  std::istringstream words(text);
  std::string state, next;
  Place place;
  if (!(words >> state >> place.rows >> place.bytes >> next)) return std::nullopt;
  for (std::string word; words >> word;) {
    const std::optional<int64_t> count = WholeNumberOf(word);
    if (!count || *count < 0) return std::nullopt;
    place.counts.push_back(*count);
  }
  const std::optional<std::string> key = KeyOf(next);
  if (!key || (state != "open" && state != "done") || place.rows < 0 || place.rows > kMostPlaceRows || place.bytes < 0)
    return std::nullopt;
  place.next = *key;
  place.done = state == "done";
  return place;
}

std::optional<int64_t> WholeNumberOf(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(number) : std::nullopt;
}

}  // namespace fensi::sweep

#include "sweep/scrub/place.h"

#include <array>
#include <sstream>

#include "sweep/board_text.h"

namespace fensi::sweep {
namespace {

std::array<int64_t*, 9> NumbersOf(ScrubSum* sum) {
  return {&sum->began,  &sum->ended,   &sum->rows,      &sum->cells,       &sum->missing,
          &sum->orphan, &sum->differs, &sum->undecided, &sum->unattributed};
}

/// Whole, without a word more.
std::optional<ScrubSum> ReadSum(std::istringstream* words) {
  ScrubSum sum;
  for (int64_t* number : NumbersOf(&sum)) {
    if (!(*words >> *number) || *number < 0) return std::nullopt;
  }
  std::string more;
  return *words >> more ? std::nullopt : std::optional(sum);
}

}  // namespace

void ScrubSum::Add(const Counts& counts) {
  rows += counts.rows;
  cells += counts.cells;
  missing += counts.missing;
  orphan += counts.orphan;
  differs += counts.content_differs;
  undecided += counts.undecided;
  unattributed += counts.unattributed;
}

std::string TextOf(const ScrubSum& sum) {
  ScrubSum copy = sum;
  std::string text;
  for (const int64_t* number : NumbersOf(&copy)) text += (text.empty() ? "" : " ") + std::to_string(*number);
  return text;
}

std::string TextOf(const ScrubPlace& place) {
  return std::string(place.backward ? "backward " : "forward ") + KeyWord(place.table) + " " + KeyWord(place.next) +
         " " + TextOf(place.sum);
}

std::optional<ScrubSum> ScrubSumOf(const std::string& text) {
  std::istringstream words(text);
  return ReadSum(&words);
}

std::optional<ScrubPlace> ScrubPlaceOf(const std::string& text) {
  std::istringstream words(text);
  std::string way, table, next;
  if (!(words >> way >> table >> next) || (way != "forward" && way != "backward")) return std::nullopt;
  const std::optional<std::string> table_name = KeyOf(table), row = KeyOf(next);
  const std::optional<ScrubSum> sum = ReadSum(&words);
  if (!table_name || !row || !sum) return std::nullopt;
  return ScrubPlace{way == "backward", *table_name, *row, *sum};
}

}  // namespace fensi::sweep

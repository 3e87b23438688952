#include "cli/parked/letter_filter.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/split_list.h"
#include "cli/access/position.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

/// Milliseconds since the epoch, as a time or as a number.
Result<std::optional<int64_t>> TimeOf(const std::string& flag, const std::string& text) {
  if (text.empty()) return std::optional<int64_t>();
  const Result<Position> position = ParsePosition(text);
  if (!position.ok() || position->kind == Position::Kind::kEarliest || position->kind == Position::Kind::kLatest) {
    return InvalidArgument("--" + flag + ": write a time such as 2016-12-20T12:00:00, or milliseconds");
  }
  return std::optional<int64_t>(position->value);
}

std::optional<LetterState> StateOfFlag() {
  const auto* const found = std::find(kLetterStateNames.begin(), kLetterStateNames.end(), FLAGS_state);
  if (found == kLetterStateNames.end()) return std::nullopt;
  return static_cast<LetterState>(found - kLetterStateNames.begin());
}

}  // namespace

Result<LetterFilter> LetterFilter::Flags(const std::vector<std::string>& places) {
  LetterFilter filter;
  for (const std::string& kind : SplitList(FLAGS_kind)) filter.kinds.insert(kind);
  if (!FLAGS_row.empty()) filter.row = *Unescape(FLAGS_row);
  const Result<std::optional<int64_t>> since = TimeOf("since", FLAGS_since), until = TimeOf("until", FLAGS_until);
  FENSI_RETURN_IF_ERROR(since.status());
  FENSI_RETURN_IF_ERROR(until.status());
  filter.since = *since;
  filter.until = *until;
  filter.state = StateOfFlag();
  filter.all = FLAGS_all;
  for (const std::string& text : places) {
    const Result<Place> place = ParsePlace(text);
    FENSI_RETURN_IF_ERROR(place.status());
    filter.places.insert(*place);
  }
  return filter;
}

bool LetterFilter::Takes(const Place& place, LetterState letter_state, const consumer::ParkedLetter& parked) const {
  if (!places.empty() && !places.contains(place)) return false;
  if (state && *state != letter_state) return false;
  if (since && parked.time < *since) return false;
  if (until && parked.time >= *until) return false;
  if (row && parked.letter.row != *row) return false;
  return kinds.empty() || kinds.contains(KindWord(parked.letter));
}

Status ChosenLetters::ForEach(const ParkedLetters::Use& use) const {
  const auto chosen = [&](const Place& place, LetterState state, consumer::ParkedLetter* parked) -> Result<bool> {
    if (!parked->begins() || !filter_.Takes(place, state, *parked)) return true;
    return use(place, state, parked);
  };
  return parked_->ForEach(std::nullopt, chosen);
}

}  // namespace fensi::cli

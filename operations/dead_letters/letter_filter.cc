#include "operations/dead_letters/letter_filter.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/text.h"
#include "operations/access/position.h"

namespace fensi::operations {
namespace {

/// Milliseconds since the epoch, as a time or as a number.
Result<std::optional<int64_t>> TimeOf(const std::string& flag, const std::string& text) {
  if (text.empty()) return std::optional<int64_t>();
  const Result<Position> position = ParsePosition(text);
  if (!position.ok() || position->kind == Position::Kind::kEarliest || position->kind == Position::Kind::kLatest) {
    return InvalidArgument("--" + flag + "=" + text +
                           " is no time. Write a time such as 2016-12-20T12:00:00, or milliseconds since 1970");
  }
  return std::optional<int64_t>(position->value);
}

std::optional<LetterState> StateNamed(const std::string& name) {
  const auto* const found = std::find(kLetterStateNames.begin(), kLetterStateNames.end(), name);
  if (found == kLetterStateNames.end()) return std::nullopt;
  return static_cast<LetterState>(found - kLetterStateNames.begin());
}

}  // namespace

Result<LetterFilter> LetterFilter::Of(const LetterFilterOptions& options, const std::vector<std::string>& places) {
  LetterFilter filter;
  for (const std::string& kind : SplitList(options.kinds)) filter.kinds.insert(kind);
  if (!options.row.empty()) filter.row = *Unescape(options.row);
  FENSI_ASSIGN_OR_RETURN(const std::optional<int64_t> since, TimeOf("since", options.since));
  FENSI_ASSIGN_OR_RETURN(const std::optional<int64_t> until, TimeOf("until", options.until));
  filter.since = since;
  filter.until = until;
  filter.state = StateNamed(options.state);
  filter.all = options.all;
  for (const std::string& text : places) {
    FENSI_ASSIGN_OR_RETURN(const Place place, ParsePlace(text));
    filter.places.insert(place);
  }
  return filter;
}

bool LetterFilter::Takes(const Place& place, LetterState letter_state, const consumer::DeadLetterRecord& parked) const {
  if (!places.empty() && !places.contains(place)) return false;
  if (state && *state != letter_state) return false;
  if (since && parked.time < *since) return false;
  if (until && parked.time >= *until) return false;
  if (row && parked.letter.row != *row) return false;
  return kinds.empty() || kinds.contains(KindWord(parked.letter));
}

Status ChosenLetters::ForEach(const DeadLetterLog::Use& use) const {
  const auto chosen = [&](const Place& place, LetterState state, consumer::DeadLetterRecord* parked) -> Result<bool> {
    if (!parked->begins() || !filter_.Takes(place, state, *parked)) return true;
    return use(place, state, parked);
  };
  return log_->ForEach(std::nullopt, chosen);
}

}  // namespace fensi::operations

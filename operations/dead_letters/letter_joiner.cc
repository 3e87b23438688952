#include "operations/dead_letters/letter_joiner.h"

#include <algorithm>
#include <utility>

namespace fensi::operations {
namespace {

using consumer::DeadLetterRecord;

size_t HeldBytes(const DeadLetterRecord& parked) {
  return parked.letter.original.size() + parked.letter.original_key.size();
}

}  // namespace

std::optional<PlacedLetter> LetterJoiner::Take(const Place& place, DeadLetterRecord parked) {
  if (parked.parts == 0) return PlacedLetter{place, std::move(parked)};
  const Key key(place.partition, parked.letter.topic, parked.letter.partition, parked.letter.offset);
  auto begun = begun_.find(key);
  const size_t more = HeldBytes(parked);
  if (parked.part == 1) {
    if (begun != begun_.end()) GiveUp(begun);  // who wrote it died, and its letter came again
    begun = begun_.emplace(key, PlacedLetter{place, std::move(parked)}).first;
  } else {
    if (begun == begun_.end() || begun->second.parked.part + 1 != parked.part) return std::nullopt;
    DeadLetterRecord& whole = begun->second.parked;
    whole.part = parked.part;
    whole.letter.original_key += parked.letter.original_key;
    whole.letter.original += parked.letter.original;
  }
  bytes_ += more;
  if (begun->second.parked.part == begun->second.parked.parts) {
    PlacedLetter whole = std::move(begun->second);
    bytes_ -= HeldBytes(whole.parked);
    begun_.erase(begun);
    return whole;
  }
  while (bytes_ > max_bytes_) {
    GiveUp(std::min_element(begun_.begin(), begun_.end(),
                            [](const auto& a, const auto& b) { return a.second.parked.time < b.second.parked.time; }));
  }
  return std::nullopt;
}

void LetterJoiner::GiveUp(std::map<Key, PlacedLetter>::iterator letter) {
  incomplete_.push_back(letter->second.place);
  bytes_ -= HeldBytes(letter->second.parked);
  begun_.erase(letter);
}

std::vector<Place> LetterJoiner::TakeIncomplete(bool at_end) {
  while (at_end && !begun_.empty()) GiveUp(begun_.begin());
  return std::exchange(incomplete_, {});
}

}  // namespace fensi::operations

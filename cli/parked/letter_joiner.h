// Puts letters together that were too large for one message. Pure; one thread.
//
// Letters of several daemons may stand between each other's parts. What never gets its last part is given up, the
// longest first, when too many bytes wait.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "cli/parked/place.h"
#include "consumer/codec/letter_codec.h"

namespace fensi::cli {

struct PlacedLetter {
  Place place;  // of the first part
  consumer::ParkedLetter parked;
};

class LetterJoiner {
 public:
  explicit LetterJoiner(size_t max_bytes = size_t{256} << 20) : max_bytes_(max_bytes) {}

  /// The letter, if that was the last it waited for. A part whose first one was not taken is left out.
  std::optional<PlacedLetter> Take(const Place& place, consumer::ParkedLetter parked);
  /// Letters whose parts did not all come, since the last call; `at_end`: and no more will.
  std::vector<Place> TakeIncomplete(bool at_end);

 private:
  using Key = std::tuple<int32_t, std::string, int32_t, int64_t>;  // partition of the part, coordinates of the event
  void GiveUp(std::map<Key, PlacedLetter>::iterator letter);

  const size_t max_bytes_;
  std::map<Key, PlacedLetter> begun_;
  size_t bytes_ = 0;
  std::vector<Place> incomplete_;
};

}  // namespace fensi::cli

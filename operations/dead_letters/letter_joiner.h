// Joins dead letters that were too large for one message. Pure; one thread.
//
// Dead letters of several daemons may be interleaved. A dead letter that never gets its last part is abandoned, the
// oldest first, if too many bytes wait.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "consumer/codec/letter_codec.h"
#include "operations/dead_letters/place.h"

namespace fensi::operations {

struct PlacedLetter {
  Place place;  // of the first part
  consumer::DeadLetterRecord parked;
};

class LetterJoiner {
 public:
  explicit LetterJoiner(size_t max_bytes = size_t{256} << 20) : max_bytes_(max_bytes) {}

  /// The dead letter, if that was its last part. A part whose first part was not taken is dropped.
  std::optional<PlacedLetter> Take(const Place& place, consumer::DeadLetterRecord parked);
  /// Dead letters with missing parts, since the last call; `at_end`: no more parts will come.
  std::vector<Place> TakeIncomplete(bool at_end);

 private:
  using Key = std::tuple<int32_t, std::string, int32_t, int64_t>;  // partition of the part, coordinates of the event
  void GiveUp(std::map<Key, PlacedLetter>::iterator letter);

  const size_t max_bytes_;
  std::map<Key, PlacedLetter> begun_;
  size_t bytes_ = 0;
  std::vector<Place> incomplete_;
};

}  // namespace fensi::operations

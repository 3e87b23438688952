#include "operations/dead_letters/place.h"

#include <charconv>

namespace fensi::operations {

Result<Place> ParsePlace(const std::string& text) {
  Place place;
  const char* const end = text.data() + text.size();
  const auto partition = std::from_chars(text.data(), end, place.partition);
  if (partition.ec == std::errc() && partition.ptr != end && *partition.ptr == '/') {
    const auto offset = std::from_chars(partition.ptr + 1, end, place.offset);
    if (offset.ec == std::errc() && offset.ptr == end && place.partition >= 0 && place.offset >= 0) return place;
  }
  return InvalidArgument("'" + text +
                         "' names no dead letter; write PARTITION/OFFSET as 'fensi dead-letters list --letters' does");
}

std::string PlaceText(const Place& place) {
  return std::to_string(place.partition) + "/" + std::to_string(place.offset);
}

}  // namespace fensi::operations

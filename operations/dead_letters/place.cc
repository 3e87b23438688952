#include "operations/dead_letters/place.h"

#include "base/text.h"

namespace fensi::operations {

Result<Place> ParsePlace(const std::string& text) {
  const std::string_view whole = text;
  const size_t slash = whole.find('/');
  const auto partition = ParseWhole<int32_t>(whole.substr(0, slash));
  const auto offset = slash == whole.npos ? std::nullopt : ParseWhole<int64_t>(whole.substr(slash + 1));
  if (partition && offset && *partition >= 0 && *offset >= 0) return Place{*partition, *offset};
  return InvalidArgument(
      "'" + text +
      "' names no dead letter. Write PARTITION/OFFSET, such as 0/17. 'fensi dead-letters list MAPPING INDEX "
      "--letters' shows them");
}

std::string PlaceText(const Place& place) {
  return std::to_string(place.partition) + "/" + std::to_string(place.offset);
}

}  // namespace fensi::operations

#include "mapping/functions/instant.h"

#include "mapping/functions/time_format.h"

namespace fensi::mapping {

std::optional<int64_t> ParseInstant(std::string_view text) {
  if (text.ends_with('Z')) text.remove_suffix(1);
  for (const char* format : {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%L"}) {
    if (const std::optional<int64_t> millis = ParseTime(format, text)) return millis;
  }
  return std::nullopt;
}

}  // namespace fensi::mapping

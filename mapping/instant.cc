#include "mapping/instant.h"

#include "base/bytes.h"
#include "base/hbase_limits.h"
#include "mapping/functions/time_format.h"

namespace fensi::mapping {

std::optional<int64_t> ParseInstant(std::string_view text) {
  constexpr size_t kZone = std::string_view("+08:00").size();
  constexpr int64_t kMinute = 60'000;
  std::optional<int64_t> minutes_east;
  if (text.size() > kZone) minutes_east = ParseZone(text.substr(text.size() - kZone));
  if (minutes_east) {
    text.remove_suffix(kZone);
  } else if (text.ends_with('Z')) {
    text.remove_suffix(1);
  }
  for (const char* format : {"%Y-%m-%d", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%dT%H:%M:%S.%L"}) {
    const std::optional<int64_t> millis = ParseTime(format, text);
    if (millis) return *millis - minutes_east.value_or(0) * kMinute;
  }
  return std::nullopt;
}

std::optional<std::string> FormatInstant(int64_t millis) {
  constexpr std::string_view kFormat = "%Y-%m-%dT%H:%M:%S.%LZ";
  std::string text(TimeWidth(kFormat), ' ');
  if (!FormatTime(kFormat, millis, text.data())) return std::nullopt;
  for (const std::string_view rest : {".000Z", ":00Z", "T00:00Z"}) {
    if (!text.ends_with(rest)) break;
    text.resize(text.size() - rest.size());
    if (rest.front() != 'T') text += 'Z';
  }
  return text;
}

Unmappable TooNew(std::string_view family, std::string_view qualifier, int64_t timestamp) {
  return {"column " + ColumnText(family, qualifier) + ": the put of time " + std::to_string(timestamp) +
          " is above the newest time that an index takes (" + std::to_string(kMaxSourceTime) +
          "). No later change of the row could follow this put. The column counts as empty until you delete the put"};
}

}  // namespace fensi::mapping

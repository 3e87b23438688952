#include "mapping/functions/clocks.h"

#include <algorithm>

namespace fensi::mapping {
namespace {

constexpr int64_t kSecond = 1000;
constexpr int64_t kMinute = 60 * kSecond;
constexpr int64_t kDay = 24 * 60 * kMinute;

}  // namespace

int64_t OffsetMillis(const Arguments& a, int64_t instant) {
  if (a.size() < 2) return 0;
  return a[1].zone != nullptr ? a[1].zone->OffsetSeconds(instant) * kSecond : a[1].number * kMinute;
}

std::optional<int64_t> InstantOf(const Arguments& a, int64_t local) {
  // Clocks are further than a day from UTC nowhere, and are not set twice within two days.
  const int64_t before = OffsetMillis(a, local - kDay), behind = OffsetMillis(a, local + kDay);
  for (const int64_t offset : {std::max(before, behind), std::min(before, behind)}) {
    if (OffsetMillis(a, local - offset) == offset) return local - offset;
  }
  return std::nullopt;
}

}  // namespace fensi::mapping

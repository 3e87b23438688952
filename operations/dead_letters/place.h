// The position of a dead letter: PARTITION/OFFSET of its topic, or 0/LINE of a file. Pure.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi::operations {

struct Place {
  int32_t partition = 0;
  int64_t offset = 0;  // for one in parts that of the first
  auto operator<=>(const Place&) const = default;
};

/// kInvalidArgument explains the format.
Result<Place> ParsePlace(const std::string& text);
/// "3/1207".
std::string PlaceText(const Place& place);

}  // namespace fensi::operations

// Puts of the source that no index takes, because their timestamps leave no room for what may follow.
#pragma once

#include <cstdint>
#include <string_view>

#include "mapping/unmappable.h"

namespace fensi::mapping {

/// Of a put above kMaxSourceTime, whose column counts as empty.
Unmappable TooNew(std::string_view family, std::string_view qualifier, int64_t timestamp);

}  // namespace fensi::mapping

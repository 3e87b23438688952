// A short digest of a text, the same for ever. Pure.
#pragma once

#include <string>
#include <string_view>

namespace fensi::mapping {

/// 32 hex digits (XXH3, 128 bits).
std::string Digest(std::string_view text);

}  // namespace fensi::mapping

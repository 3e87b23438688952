// Parses untrusted JSON within bounds: answers of a port, and files that others wrote. Pure; any thread.
#pragma once

#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

namespace fensi::operations {

struct JsonBounds {
  size_t values = 1'000'000;  // of all kinds, in all depths; each takes up to 100 bytes
  size_t depth = 16;          // of objects and lists within one another
  size_t keys = 256;          // of one object: a search among them for each costs their square
};

/// Absent: invalid JSON, or beyond the bounds; then nothing is built.
std::optional<nlohmann::ordered_json> ParseBounded(std::string_view text, const JsonBounds& bounds);

}  // namespace fensi::operations

// Writes data for programs: one JSON object a line.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace fensi::operations {

template <typename T>
nlohmann::ordered_json OrNull(const std::optional<T>& value) {
  return value ? nlohmann::ordered_json(*value) : nlohmann::ordered_json();
}

/// Bytes that are not UTF-8 are replaced by U+FFFD.
inline std::string JsonLine(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace fensi::operations

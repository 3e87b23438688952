// Writes data for programs: one JSON object a line.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace fensi::operations {

/// Bytes that are not UTF-8 are replaced by U+FFFD.
inline std::string JsonLine(const nlohmann::ordered_json& json) {
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace fensi::operations

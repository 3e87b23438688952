// JSON as it is written: finds a value by its path and checks the whole document, without changing a number or a text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "mapping/functions/scratch.h"

namespace fensi::mapping {

struct JsonValue {
  enum class Kind { kNull, kTruth, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string_view text;  // as written in the document, with quotes and brackets
};

/// The value at a path of field names and array positions, joined by dots; of fields with one name the first counts.
/// Nothing when there is none. False: the document is not JSON (RFC 8259), or nested deeper than 1,000.
bool FindJson(std::string_view document, std::string_view path, std::optional<JsonValue>* found);

/// The items of an array that FindJson has found.
void JsonItems(std::string_view array, std::vector<JsonValue>* items);

/// What stands in the quotes. Half of a surrogate pair is U+FFFD.
std::string_view JsonString(std::string_view quoted, Scratch* scratch);

}  // namespace fensi::mapping

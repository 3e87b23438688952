// Finds a value of JSON text by its path and checks the whole document, without changing a number or a text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "mapping/functions/json_path.h"
#include "mapping/functions/scratch.h"

namespace fensi::mapping {

struct JsonValue {
  enum class Kind { kNull, kTruth, kNumber, kString, kArray, kObject };
  Kind kind = Kind::kNull;
  std::string_view text;  // as written in the document, with quotes and brackets
};

/// A field of an object, its name in quotes.
struct JsonField {
  std::string_view name;
  JsonValue value;
};

/// The value at a path; of fields with one name the first counts. Absent if there is none. False: the document is not
/// JSON (RFC 8259), or nested deeper than 1,000.
bool FindJson(std::string_view document, std::span<const JsonStep> path, std::optional<JsonValue>* found);

/// The byte at which a text stops being JSON. Absent: it is JSON, or is not UTF-8.
std::optional<size_t> JsonFault(std::string_view document);

/// The items of an array that FindJson has found.
void JsonItems(std::string_view array, std::vector<JsonValue>* items);

/// The fields of an object that FindJson has found, in their order.
void JsonFields(std::string_view object, std::vector<JsonField>* fields);

/// The text in the quotes. Half of a surrogate pair is U+FFFD.
std::string_view JsonString(std::string_view quoted, Scratch* scratch);

}  // namespace fensi::mapping

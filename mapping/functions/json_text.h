// Finds a value of JSON text by its path and checks the whole document, without changing a number or a text.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/scratch.h"

namespace fensi::mapping {

struct JsonStep {
  std::optional<std::string> name;
  std::optional<size_t> position;  // beside a name where the word is both: "0"
};

/// A way into a JSON document: names and positions, as `json` takes them. Immutable; any thread may use it.
///
///   user.names.0      bare names and positions, joined by dots
///   ["http.method"]   a name as it is, in double or single quotes; also behind another: spans[0]["http.method"]
///   $.user            RFC 9535's sign for the whole document, which may be left out
///   items[*].name     of every item of an array, for json_list
class JsonPath {
 public:
  /// Absent, with the reason: it could match nothing, or has an unclosed quote, a filter or the like. `items`: it may
  /// have [*] once.
  static std::optional<JsonPath> Parse(std::string_view text, bool items, std::string* problem);

  /// Steps to the value; with [*] to the array.
  std::span<const JsonStep> steps() const { return std::span(steps_).first(all_.value_or(steps_.size())); }
  /// Steps from each item of that array on, after [*].
  std::span<const JsonStep> behind() const { return std::span(steps_).subspan(all_.value_or(steps_.size())); }

 private:
  std::vector<JsonStep> steps_;
  std::optional<size_t> all_;  // steps before [*]
};

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

// A way into a JSON document: names and positions, as `json` takes them. Immutable; any thread may use it.
//
//   user.names.0      bare names and positions, joined by dots
//   ["http.method"]   a name as it is, in double or single quotes; also behind another: spans[0]["http.method"]
//   $.user            RFC 9535's sign for the whole document, which may be left out
//   items[*].name     of every item of an array, for json_list
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

struct JsonStep {
  std::optional<std::string> name;
  std::optional<size_t> position;  // beside a name where the word is both: "0"
};

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

}  // namespace fensi::mapping

// Helpers of the JSON readers. They refuse what they do not know, and an error names the key. Pure, any thread.
#pragma once

#include <simdjson.h>

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/cell.h"
#include "base/status.h"

namespace fensi::consumer::json_values {

using Element = simdjson::dom::element;

inline constexpr int64_t kMaxTime = std::numeric_limits<int64_t>::max();

Status BadKey(std::string_view key, std::string_view what);
Status UnknownKey(std::string_view key, std::span<const std::string_view> keys);

/// Calls `read(key, value)`, which returns the result for the key of that index, for each key of an object; refuses
/// unknown and repeated keys. `seen` gets one bit for each key.
template <size_t n, typename Read>
Status ReadObject(const Element& element, const std::array<std::string_view, n>& keys, uint32_t* seen, Read read) {
  simdjson::dom::object object;
  if (element.get(object) != simdjson::SUCCESS)
    return InvalidArgument("the value is not an object, such as {\"key\":\"value\"}");
  *seen = 0;
  for (const simdjson::dom::key_value_pair field : object) {
    size_t i = 0;
    while (i < n && keys[i] != field.key) ++i;
    if (i == n) return UnknownKey(field.key, keys);
    if ((*seen >> i & 1) != 0) return BadKey(field.key, "stands twice: keep one");
    *seen |= 1u << i;
    FENSI_RETURN_IF_ERROR(read(i, field.value));
  }
  return {};
}

template <size_t n>
Status Require(const std::array<std::string_view, n>& keys, uint32_t seen, uint32_t required) {
  for (size_t i = 0; i < n; ++i) {
    if ((required & ~seen) >> i & 1) return BadKey(keys[i], "is missing");
  }
  return {};
}

Status ReadText(std::string_view key, const Element& element, std::string_view* out);
/// Text with \xHH for bytes.
Status ReadBytes(std::string_view key, const Element& element, std::string* out);
Status ReadBool(std::string_view key, const Element& element, bool* out);

template <typename Integer>
Status ReadNumber(std::string_view key, const Element& element, Integer max, Integer* out) {
  if (element.get(*out) != simdjson::SUCCESS || *out > max || *out < Integer{0}) {
    return BadKey(key, "is not a whole number from 0 to " + std::to_string(max));
  }
  return {};
}

/// Reads each element of an array through `read`; an error gets the prefix "key[i]".
template <typename Item, typename Read>
Status ReadArray(std::string_view key, const Element& element, std::vector<Item>* out, Read read) {
  simdjson::dom::array array;
  if (element.get(array) != simdjson::SUCCESS) return BadKey(key, "is not an array, such as [\"a\",\"b\"]");
  size_t i = 0;
  for (const Element item : array) {
    if (Status status = read(item, &out->emplace_back()); !status.ok()) {
      return status.WithContext(std::string(key) + "[" + std::to_string(i) + "]");
    }
    ++i;
  }
  return {};
}

/// "family:qualifier".
Status ReadColumn(std::string_view key, const Element& element, std::string* family, std::string* qualifier);
Status ReadCell(const Element& element, Cell* cell);

}  // namespace fensi::consumer::json_values

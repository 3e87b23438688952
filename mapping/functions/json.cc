// Functions that look into packed values: JSON.
#include <simdjson.h>

#include "mapping/functions/function.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;
using simdjson::dom::element;
using simdjson::dom::element_type;

// A parser keeps its memory; what it parsed lives until it parses again, so results are copied to the scratch.
simdjson::dom::parser& ThreadParser() {
  thread_local simdjson::dom::parser parser;
  return parser;
}

// One name of a path: a field of an object, or a position in an array.
bool Enter(std::string_view name, element* at) {
  element next;
  if (at->is_array()) {
    size_t position = 0;
    for (char c : name) {
      if (c < '0' || c > '9' || position > 1'000'000) return false;
      position = position * 10 + static_cast<size_t>(c - '0');
    }
    if (at->at(position).get(next) != simdjson::SUCCESS) return false;
  } else if (at->at_key(name).get(next) != simdjson::SUCCESS) {
    return false;
  }
  *at = next;
  return true;
}

Outcome Walk(std::string_view path, std::string_view text, Scratch* scratch, element* at) {
  const auto error = ThreadParser().parse(text.data(), text.size(), true).get(*at);
  if (error != simdjson::SUCCESS) return Refuse(scratch, Shown(text) + " is not JSON");
  while (!path.empty()) {
    const size_t dot = path.find('.');
    if (!Enter(path.substr(0, dot), at)) return Outcome::kAbsent;
    path = dot == std::string_view::npos ? "" : path.substr(dot + 1);
  }
  return at->is_null() ? Outcome::kAbsent : Outcome::kValue;
}

// Text of a scalar; false: an object or an array.
bool ScalarText(const element& value, Scratch* scratch, std::string_view* out) {
  switch (value.type()) {
    case element_type::STRING:
      *out = scratch->Keep(std::string_view(value.get_string().value_unsafe()));
      return true;
    case element_type::INT64:
      *out = scratch->Keep(std::to_string(value.get_int64().value_unsafe()));
      return true;
    case element_type::UINT64:
      *out = scratch->Keep(std::to_string(value.get_uint64().value_unsafe()));
      return true;
    case element_type::DOUBLE:
      *out = scratch->Keep(simdjson::minify(value));
      return true;
    case element_type::BOOL:
      *out = value.get_bool().value_unsafe() ? "true" : "false";
      return true;
    default:
      return false;
  }
}

Outcome Json(const Arguments& a, Value* v, Scratch* scratch) {
  element at;
  const Outcome outcome = Walk(a[0].text, v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  if (ScalarText(at, scratch, &v->bytes)) return Outcome::kValue;
  return Refuse(scratch, "'" + a[0].text + "' is an object or an array, not one value");
}

Outcome JsonList(const Arguments& a, Value* v, Scratch* scratch) {
  element at;
  const Outcome outcome = Walk(a[0].text, v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  if (!at.is_array()) return Refuse(scratch, "'" + a[0].text + "' is not an array");
  std::vector<std::string_view>* list = scratch->NewList();
  const simdjson::dom::array items = at.get_array().value_unsafe();  // value_unsafe() lends from the temporary result
  for (const element item : items) {
    if (item.is_null()) continue;
    std::string_view text;
    if (!ScalarText(item, scratch, &text)) return Refuse(scratch, "an item of '" + a[0].text + "' is not one value");
    list->push_back(text);
  }
  v->list = list;
  return Outcome::kValue;
}

void JsonShape(const Arguments&, Shape* shape) {
  *shape = Shape{.injective = false, .total = false, .may_be_absent = true, .ordered = false};
}

void JsonListShape(const Arguments& a, Shape* shape) {
  JsonShape(a, shape);
  shape->type = Type::kList;
}

}  // namespace

std::vector<Function> PackedFunctions() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr std::string_view kGroup = "packed values";
  return {
      {"json",
       kGroup,
       {{"path", Kind::kText}},
       kIn,
       Json,
       JsonShape,
       "bytes -> bytes",
       "the string, number or truth value at a path of field names and array positions, joined by dots",
       "absent when there is none or it is null; unmappable when the value is not JSON or an object or array stands "
       "there",
       {"| json user.names.0", "{\"user\": {\"names\": [\"ann\", \"bob\"]}}", "ann"}},
      {"json_list",
       kGroup,
       {{"path", Kind::kText}},
       kIn,
       JsonList,
       JsonListShape,
       "bytes -> list",
       "the array at a path, for `each:`",
       "absent when there is none or it is null; unmappable when the value is not JSON, or no array of single values",
       {"| json_list tags", "{\"tags\": [\"a\", 2, null]}", "a, 2"}},
  };
}

}  // namespace fensi::mapping

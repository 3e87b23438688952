// Functions that look into packed values: JSON.
#include "mapping/functions/function.h"
#include "mapping/functions/json_text.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

Outcome Walk(std::string_view path, std::string_view text, Scratch* scratch, JsonValue* at) {
  std::optional<JsonValue> found;
  if (!FindJson(text, path, &found)) return Refuse(scratch, Shown(text) + " is not JSON");
  if (!found || found->kind == JsonValue::Kind::kNull) return Outcome::kAbsent;
  *at = *found;
  return Outcome::kValue;
}

// Text of a scalar; false: an object or an array.
bool ScalarText(const JsonValue& value, Scratch* scratch, std::string_view* out) {
  switch (value.kind) {
    case JsonValue::Kind::kString:
      *out = JsonString(value.text, scratch);
      return true;
    case JsonValue::Kind::kNumber:
    case JsonValue::Kind::kTruth:
      *out = value.text;
      return true;
    default:
      return false;
  }
}

Outcome Json(const Arguments& a, Value* v, Scratch* scratch) {
  JsonValue at;
  const Outcome outcome = Walk(a[0].text, v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  if (ScalarText(at, scratch, &v->bytes)) return Outcome::kValue;
  return Refuse(scratch, "'" + a[0].text + "' is an object or an array, not one value");
}

Outcome JsonList(const Arguments& a, Value* v, Scratch* scratch) {
  JsonValue at;
  const Outcome outcome = Walk(a[0].text, v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  if (at.kind != JsonValue::Kind::kArray) return Refuse(scratch, "'" + a[0].text + "' is not an array");
  thread_local std::vector<JsonValue> items;
  JsonItems(at.text, &items);
  std::vector<std::string_view>* list = scratch->NewList();
  for (const JsonValue& item : items) {
    if (item.kind == JsonValue::Kind::kNull) continue;
    std::string_view text;
    if (!ScalarText(item, scratch, &text)) return Refuse(scratch, "an item of '" + a[0].text + "' is not one value");
    list->push_back(text);
  }
  v->list = list;
  return Outcome::kValue;
}

void JsonShape(const Arguments&, Shape* shape) {
  *shape = Shape{.injective = false, .mappable = false, .may_be_absent = true, .order = Direction::kNone};
}

void JsonListShape(const Arguments& a, Shape* shape) {
  JsonShape(a, shape);
  shape->type = Type::kList;
}

}  // namespace

std::vector<Function> PackedFunctions() {
  constexpr unsigned kIn = Takes(Type::kBytes);
  constexpr Category kCategory = Category::kPacked;
  return {
      {"json",
       kCategory,
       {{"path", Kind::kText}},
       kIn,
       Json,
       JsonShape,
       "bytes -> bytes",
       "the string, number or truth value at a path of field names and array positions, joined by dots; numbers of any "
       "size as they are written (`19.90`), half of a surrogate pair as U+FFFD, of fields with one name the first",
       "absent when there is none or it is null; unmappable when the value is not JSON, nested deeper than 1,000, or "
       "an "
       "object or array stands there",
       {"| json user.names.0", "{\"user\": {\"names\": [\"ann\", \"bob\"]}}", "ann"},
       {.role = Role::kPiece},
       2},
      {"json_list",
       kCategory,
       {{"path", Kind::kText}},
       kIn,
       JsonList,
       JsonListShape,
       "bytes -> list",
       "the array at a path, for `each:`; its items as `json` gives them",
       "absent when there is none or it is null; unmappable when the value is not JSON, or no array of single values",
       {"| json_list tags", "{\"tags\": [\"a\", 2, null]}", "a, 2"},
       {},
       2},
  };
}

}  // namespace fensi::mapping

// Functions that look into packed values: JSON.
#include <algorithm>

#include "mapping/functions/function.h"
#include "mapping/functions/json_text.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;

Outcome Walk(std::span<const JsonStep> path, std::string_view text, Scratch* scratch, JsonValue* at) {
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
  const Outcome outcome = Walk(a[0].json->steps(), v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  if (ScalarText(at, scratch, &v->bytes)) return Outcome::kValue;
  return Refuse(scratch, "'" + a[0].text + "' is an object or an array, and not one value");
}

Outcome JsonList(const Arguments& a, Value* v, Scratch* scratch) {
  JsonValue at;
  const Outcome outcome = Walk(a[0].json->steps(), v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  if (at.kind != JsonValue::Kind::kArray) return Refuse(scratch, "'" + a[0].text + "' is not an array");
  thread_local std::vector<JsonValue> items;
  JsonItems(at.text, &items);
  std::vector<std::string_view>* list = scratch->NewList();
  for (JsonValue item : items) {
    std::optional<JsonValue> found;
    FindJson(item.text, a[0].json->behind(), &found);
    if (!found) continue;
    item = *found;
    if (item.kind == JsonValue::Kind::kNull) continue;
    std::string_view text;
    if (!ScalarText(item, scratch, &text)) return Refuse(scratch, "an item of '" + a[0].text + "' is not one value");
    list->push_back(text);
  }
  v->list = list;
  return Outcome::kValue;
}

constexpr int kMostCanonicalDepth = 100;  // each level is read once more for every level around it

/// False: nested too deep.
bool AppendCanonical(const JsonValue& value, int depth, Scratch* scratch, std::string* out);

// Quotes, backslashes and control characters are escaped, all else stands as it is.
void AppendString(std::string_view text, std::string* out) {
  constexpr std::string_view kLetters = "btn?fr";
  constexpr char kHex[] = "0123456789abcdef";
  out->push_back('"');
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      *out += {'\\', c};
    } else if (byte >= 8 && byte <= 13 && byte != 11) {
      *out += {'\\', kLetters[byte - 8]};
    } else if (byte < 0x20) {
      *out += {'\\', 'u', '0', '0', kHex[byte >> 4], kHex[byte & 15]};
    } else {
      out->push_back(c);
    }
  }
  out->push_back('"');
}

// Sorted by name, byte by byte; of fields with one name the first counts.
bool AppendObject(const JsonValue& object, int depth, Scratch* scratch, std::string* out) {
  std::vector<JsonField> fields;
  JsonFields(object.text, &fields);
  for (JsonField& field : fields) field.name = JsonString(field.name, scratch);
  std::stable_sort(fields.begin(), fields.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
  out->push_back('{');
  for (size_t i = 0; i < fields.size(); ++i) {
    if (i > 0 && fields[i].name == fields[i - 1].name) continue;
    if (i > 0) out->push_back(',');
    AppendString(fields[i].name, out);
    out->push_back(':');
    if (!AppendCanonical(fields[i].value, depth, scratch, out)) return false;
  }
  out->push_back('}');
  return true;
}

bool AppendArray(const JsonValue& array, int depth, Scratch* scratch, std::string* out) {
  std::vector<JsonValue> items;
  JsonItems(array.text, &items);
  out->push_back('[');
  for (size_t i = 0; i < items.size(); ++i) {
    if (i > 0) out->push_back(',');
    if (!AppendCanonical(items[i], depth, scratch, out)) return false;
  }
  out->push_back(']');
  return true;
}

bool AppendCanonical(const JsonValue& value, int depth, Scratch* scratch, std::string* out) {
  const bool nested = value.kind == JsonValue::Kind::kObject || value.kind == JsonValue::Kind::kArray;
  if (nested && depth == kMostCanonicalDepth) return false;
  if (value.kind == JsonValue::Kind::kObject) return AppendObject(value, depth + 1, scratch, out);
  if (value.kind == JsonValue::Kind::kArray) return AppendArray(value, depth + 1, scratch, out);
  if (value.kind == JsonValue::Kind::kString) {
    AppendString(JsonString(value.text, scratch), out);
  } else {
    out->append(value.text);
  }
  return true;
}

Outcome JsonText(const Arguments& a, Value* v, Scratch* scratch) {
  JsonValue at;
  const Outcome outcome = Walk(a[0].json->steps(), v->bytes, scratch, &at);
  if (outcome != Outcome::kValue) return outcome;
  std::string text;
  if (!AppendCanonical(at, 0, scratch, &text)) {
    return Refuse(scratch,
                  "'" + a[0].text + "' is nested deeper than " + std::to_string(kMostCanonicalDepth) + " levels");
  }
  v->bytes = scratch->Keep(text);
  return Outcome::kValue;
}

// A number in it is one of the source where the document is.
void JsonShape(const Arguments&, Shape* shape) {
  const bool piece = shape->piece;
  *shape = Shape{.injective = false, .mappable = false, .may_be_absent = true, .order = Direction::kNone};
  shape->piece = piece;
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
       {{"path", Kind::kJsonPath}},
       kIn,
       Json,
       JsonShape,
       "bytes -> bytes",
       "the string, number or truth value at a path of field names and array positions, joined by dots; numbers as "
       "they are written (`19.90`), half of a surrogate pair as U+FFFD; of equal names, the first field",
       "absent when the path has no value, or null; unmappable when the value is not JSON, is nested deeper than "
       "1,000, or has an object or array at the path",
       {"| json user.names.0", "{\"user\": {\"names\": [\"ann\", \"bob\"]}}", "ann"},
       {.role = Role::kPiece},
       2},
      {"json_list",
       kCategory,
       {{"path", Kind::kJsonItems}},
       kIn,
       JsonList,
       JsonListShape,
       "bytes -> list",
       "the array at a path, for `each:`; its items as `json` gives them, or with `[*]` what a path from each item on "
       "gives "
       "(`items[*].name`; items without it are left out)",
       "absent when the path has no value, or null; unmappable when the value is not JSON, or has no array of single "
       "values at the path",
       {"| json_list tags", "{\"tags\": [\"a\", 2, null]}", "a, 2"},
       {},
       2},
      {"json_text",
       kCategory,
       {{"path", Kind::kJsonPath}},
       kIn,
       JsonText,
       JsonShape,
       "bytes -> bytes",
       "the value at a path (`$` is the whole document) as JSON in one form: without blanks, fields sorted by name "
       "byte by byte, of fields with one name the first, numbers as they are written",
       "absent when the path has no value, or null; unmappable when the value is not JSON, or the result is nested "
       "deeper than 100",
       {"| json_text user", "{\"user\": {\"b\": 1.50, \"a\": [true]}}", "{\"a\":[true],\"b\":1.50}"}},
  };
}

}  // namespace fensi::mapping

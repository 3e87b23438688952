#include "mapping/functions/avro_schemas.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/functions/json_text.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

constexpr std::string_view kPrimitives[] = {"null", "boolean", "int", "long", "float", "double", "bytes", "string"};
constexpr size_t kMostBytes = size_t{4} << 20;
constexpr size_t kMostDefinitions = 50'000;
constexpr size_t kMostName = 1000;
constexpr int kMostDepth = 31;  // as of messages; each level is read once more for every level around it

bool IsWord(std::string_view name) {
  const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
  const auto legal = [&](char c) { return letter(c) || (c >= '0' && c <= '9'); };
  return !name.empty() && letter(name[0]) && std::all_of(name.begin(), name.end(), legal);
}

/// Words with dots between them.
bool IsFullName(std::string_view name) {
  for (size_t dot = name.find('.'); dot != std::string_view::npos; dot = name.find('.')) {
    if (!IsWord(name.substr(0, dot))) return false;
    name.remove_prefix(dot + 1);
  }
  return IsWord(name);
}

std::string NamespaceOf(const std::string& name) {
  const size_t dot = name.rfind('.');
  return dot == std::string::npos ? "" : name.substr(0, dot);
}

std::string InSpace(const std::string& space, const std::string& name) {
  return space.empty() || name.find('.') != std::string::npos ? name : space + "." + name;
}

std::string PlaceIn(std::string_view text, size_t at) {
  const std::string_view before = text.substr(0, at);
  const size_t line = before.rfind('\n');
  const std::string_view here = line == std::string_view::npos ? before : before.substr(line + 1);
  const auto characters = std::count_if(here.begin(), here.end(), [](char c) { return (c & 0xc0) != 0x80; });
  return "line " + std::to_string(std::count(before.begin(), before.end(), '\n') + 1) + ", column " +
         std::to_string(characters + 1);
}

}  // namespace

/// Reads one file into the schemas. Recursion is as deep as types are written inside each other.
class AvroSchemaReader {
 public:
  AvroSchemaReader(const std::string& file, std::string_view text, AvroSchemas* schemas)
      : file_(file), text_(text), schemas_(*schemas) {}

  Status ReadFile() {
    std::optional<JsonValue> whole;
    if (FindJson(text_, {}, &whole)) return Read(*whole, "", 1).status();
    const std::optional<size_t> fault = JsonFault(text_);
    if (!fault) return InvalidArgument(file_ + ": the file is not UTF-8. Save the schema as JSON in UTF-8");
    return InvalidArgument(file_ + ", " + PlaceIn(text_, *fault) +
                           ": the file is not JSON from here on. Correct the schema, which must be JSON");
  }

 private:
  struct Object {
    JsonValue whole;
    std::map<std::string, JsonValue> members;
  };
  using TypeResult = Result<const AvroType*>;
  using Kind = JsonValue::Kind;

  Status Fail(const JsonValue& at, const std::string& problem) const {
    return InvalidArgument(file_ + ", " + PlaceIn(text_, static_cast<size_t>(at.text.data() - text_.data())) + ": " +
                           problem);
  }

  Status Count(const JsonValue& at) {
    if (++schemas_.definitions_ <= kMostDefinitions) return Status();
    return Fail(at, "there are more than " + std::to_string(kMostDefinitions) +
                        " types, fields and symbols in all files. Remove files that the mapping does not use");
  }

  std::string TextOf(const JsonValue& value) { return std::string(JsonString(value.text, &scratch_)); }

  TypeResult Read(const JsonValue& schema, const std::string& space, int depth) {
    if (depth > kMostDepth)
      return Fail(schema, "the schema is nested deeper than " + std::to_string(kMostDepth) +
                              " levels: give an inner type a name of its own, and use the name");
    if (schema.kind == Kind::kString) return Named(schema, TextOf(schema), space);
    if (schema.kind == Kind::kArray) return ReadUnion(schema, space, depth);
    if (schema.kind == Kind::kObject) return ReadObject(schema, space, depth);
    return Fail(schema,
                "this value is no schema: write a name, an object with 'type', or a list of the branches of a union");
  }

  TypeResult Named(const JsonValue& at, const std::string& name, const std::string& space) {
    for (size_t i = 0; i < std::size(kPrimitives); ++i) {
      if (name == kPrimitives[i]) return &schemas_.types_[i];
    }
    if (const AvroType* type = schemas_.Find(InSpace(space, name))) return type;
    if (const AvroType* type = schemas_.Find(name)) return type;
    std::vector<std::string_view> known(std::begin(kPrimitives), std::end(kPrimitives));
    for (const auto& [full, type] : schemas_.named_) known.push_back(full);
    const std::vector<std::string> hint = Suggest(InSpace(space, name), known);
    return Fail(at, "there is no type '" + InSpace(space, name) + "' so far" +
                        (hint.empty() ? "; define the type before this place, or list its file earlier under 'avros:'"
                                      : "; " + hint.front()));
  }

  Status ReadMembers(const JsonValue& value, Object* object) {
    object->whole = value;
    std::vector<JsonField> fields;
    JsonFields(value.text, &fields);
    for (const JsonField& field : fields) {
      const std::string name = TextOf({Kind::kString, field.name});
      if (object->members.try_emplace(name, field.value).second) continue;
      return Fail(field.value, "'" + std::string(FirstCharacters(name, 100)) +
                                   "' stands twice in one object: remove one of the two");
    }
    return Status();
  }

  Result<JsonValue> Member(const Object& object, const std::string& name, Kind kind, const std::string& form) const {
    const auto found = object.members.find(name);
    if (found == object.members.end())
      return Fail(object.whole, "this object has no '" + name + "', " + form + ": add '" + name + "'");
    if (found->second.kind != kind) return Fail(found->second, "'" + name + "' must be " + form);
    return found->second;
  }

  TypeResult ReadObject(const JsonValue& schema, const std::string& space, int depth) {
    Object object;
    FENSI_RETURN_IF_ERROR(ReadMembers(schema, &object));
    const auto type = object.members.find("type");
    if (type == object.members.end()) return Fail(schema, "this object has no 'type': add 'type'");
    if (type->second.kind != Kind::kString) return Read(type->second, space, depth + 1);
    const std::string word = TextOf(type->second);
    if (word == "record" || word == "error") return ReadRecord(object, space, depth);
    if (word == "enum") return ReadEnum(object, space);
    if (word == "fixed") return ReadFixed(object, space);
    if (word == "array") return ReadInner(object, AvroKind::kArray, "items", space, depth);
    if (word == "map") return ReadInner(object, AvroKind::kMap, "values", space, depth);
    return Named(type->second, word, space);
  }

  Result<AvroType*> NewType(const JsonValue& at, AvroKind kind, const std::string& name) {
    FENSI_RETURN_IF_ERROR(Count(at));
    schemas_.types_.push_back({.kind = kind, .name = name});
    return &schemas_.types_.back();
  }

  /// A named type, from here on known by its name.
  Result<AvroType*> Define(const Object& object, AvroKind kind, const std::string& space) {
    FENSI_ASSIGN_OR_RETURN(const JsonValue at, Member(object, "name", Kind::kString, "the name of the type"));
    std::string given = space;
    if (object.members.contains("namespace")) {
      FENSI_ASSIGN_OR_RETURN(const JsonValue value, Member(object, "namespace", Kind::kString, "a text"));
      given = TextOf(value);
    }
    const std::string name = InSpace(given, TextOf(at));
    if (name.size() > kMostName)
      return Fail(at, "this name is longer than " + std::to_string(kMostName) + " bytes: use a shorter name");
    if (!IsFullName(name))
      return Fail(at, "'" + name + "' is not a legal name: use letters, digits and _, with dots between");
    if (std::find(std::begin(kPrimitives), std::end(kPrimitives), name) != std::end(kPrimitives)) {
      return Fail(at, "'" + name + "' is a type of Avro, and cannot be defined again; choose another name");
    }
    FENSI_ASSIGN_OR_RETURN(AvroType* const type, NewType(at, kind, name));
    if (schemas_.named_.try_emplace(name, type).second) {
      schemas_.files_[name] = file_;
      return type;
    }
    const std::string& first = schemas_.files_[name];
    if (first == file_) return Fail(at, "'" + name + "' is defined twice: write only the name at the second place");
    return Fail(at, "'" + name + "' is also defined in " + first +
                        ": give one of the two types another 'namespace'. Stored records stay readable, because "
                        "records do not contain the namespace");
  }

  TypeResult ReadRecord(const Object& object, const std::string& space, int depth) {
    FENSI_ASSIGN_OR_RETURN(AvroType* const record, Define(object, AvroKind::kRecord, space));
    FENSI_ASSIGN_OR_RETURN(const JsonValue list, Member(object, "fields", Kind::kArray, "a list of fields"));
    std::vector<JsonValue> items;
    JsonItems(list.text, &items);
    std::set<std::string> names;
    for (const JsonValue& item : items) {
      if (item.kind != Kind::kObject)
        return Fail(item, "this value is no field: write an object with 'name' and 'type'");
      Object field;
      FENSI_RETURN_IF_ERROR(ReadMembers(item, &field));
      FENSI_ASSIGN_OR_RETURN(const std::string name, WordOf(field));
      if (!names.insert(name).second)
        return Fail(item,
                    "the field '" + name + "' stands twice in " + record->name + ": remove or rename one of the two");
      const auto type = field.members.find("type");
      if (type == field.members.end()) return Fail(item, "the field '" + name + "' has no 'type': add 'type'");
      FENSI_ASSIGN_OR_RETURN(const AvroType* const inner, Read(type->second, NamespaceOf(record->name), depth + 1));
      record->fields.push_back({name, inner});
    }
    for (size_t i = 0; i < record->fields.size(); ++i) {
      // A record around this one is not complete, and not empty: it takes a byte in between, or has no end.
      if (!record->fields[i].type->empty) record->solid.push_back(i);
    }
    record->empty = record->solid.empty();
    return record;
  }

  Result<std::string> WordOf(const Object& field) {
    FENSI_ASSIGN_OR_RETURN(const JsonValue at, Member(field, "name", Kind::kString, "the name of the field"));
    FENSI_RETURN_IF_ERROR(Count(at));
    std::string name = TextOf(at);
    if (name.size() > kMostName)
      return Fail(at, "this name is longer than " + std::to_string(kMostName) + " bytes: use a shorter name");
    if (!IsWord(name)) return Fail(at, "'" + name + "' is not a legal name: use letters, digits and _");
    return name;
  }

  TypeResult ReadEnum(const Object& object, const std::string& space) {
    FENSI_ASSIGN_OR_RETURN(AvroType* const type, Define(object, AvroKind::kEnum, space));
    FENSI_ASSIGN_OR_RETURN(const JsonValue list, Member(object, "symbols", Kind::kArray, "a list of names"));
    std::vector<JsonValue> items;
    JsonItems(list.text, &items);
    std::set<std::string> names;
    for (const JsonValue& item : items) {
      FENSI_RETURN_IF_ERROR(Count(item));
      const std::string symbol = item.kind == Kind::kString ? TextOf(item) : "";
      if (!IsWord(symbol)) return Fail(item, "this value is no symbol: write a text of letters, digits and _");
      if (!names.insert(symbol).second)
        return Fail(item, "the symbol '" + symbol + "' stands twice: remove one of the two");
      type->symbols.push_back(symbol);
    }
    return type;
  }

  TypeResult ReadFixed(const Object& object, const std::string& space) {
    FENSI_ASSIGN_OR_RETURN(AvroType* const type, Define(object, AvroKind::kFixed, space));
    FENSI_ASSIGN_OR_RETURN(const JsonValue value, Member(object, "size", Kind::kNumber, "a number of bytes"));
    const std::optional<int64_t> size = ParseInteger(value.text);
    if (!size || *size < 0 || *size > std::numeric_limits<int32_t>::max()) {
      return Fail(value, "'size' must be a number of bytes, up to 2147483647");
    }
    type->size = static_cast<size_t>(*size);
    type->empty = *size == 0;
    return type;
  }

  TypeResult ReadInner(const Object& object, AvroKind kind, const std::string& key, const std::string& space,
                       int depth) {
    const auto inner = object.members.find(key);
    if (inner == object.members.end())
      return Fail(object.whole, "this object has no '" + key + "', the type of its values: add '" + key + "'");
    FENSI_ASSIGN_OR_RETURN(AvroType* const type,
                           NewType(object.whole, kind, kind == AvroKind::kArray ? "array" : "map"));
    FENSI_ASSIGN_OR_RETURN(const AvroType* const one, Read(inner->second, space, depth + 1));
    type->inner = {one};
    return type;
  }

  TypeResult ReadUnion(const JsonValue& schema, const std::string& space, int depth) {
    FENSI_ASSIGN_OR_RETURN(AvroType* const type, NewType(schema, AvroKind::kUnion, "union"));
    std::vector<JsonValue> items;
    JsonItems(schema.text, &items);
    if (items.empty()) return Fail(schema, "this union has no branch: name at least one type");
    std::set<std::string> names;
    for (const JsonValue& item : items) {
      FENSI_RETURN_IF_ERROR(Count(item));
      FENSI_ASSIGN_OR_RETURN(const AvroType* const branch, Read(item, space, depth + 1));
      if (branch->kind == AvroKind::kUnion)
        return Fail(item, "a union cannot be a branch of a union: list the inner branches here");
      if (!names.insert(branch->name).second)
        return Fail(item, "this union has two branches '" + branch->name + "': remove one of the two");
      type->inner.push_back(branch);
    }
    return type;
  }

  const std::string& file_;
  const std::string_view text_;
  AvroSchemas& schemas_;
  Scratch scratch_;
};

AvroSchemas::AvroSchemas() {
  for (size_t i = 0; i < std::size(kPrimitives); ++i) {
    types_.push_back({.kind = static_cast<AvroKind>(i), .name = std::string(kPrimitives[i]), .empty = i == 0});
  }
}

Status AvroSchemas::Add(const std::string& file, const std::string& text) {
  bytes_ += text.size();
  if (bytes_ > kMostBytes)
    return InvalidArgument(
        file +
        ": with this file, all files of 'avros' together have more than 4 MiB. Remove files that the mapping does "
        "not use");
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  const bool marked = text.starts_with(kByteOrderMark);
  Status status = AvroSchemaReader(file, marked ? text.substr(kByteOrderMark.size()) : text, this).ReadFile();
  if (!status.ok()) {  // what it defined may be half read
    std::erase_if(named_, [&](const auto& named) { return files_[named.first] == file; });
  }
  return status;
}

const AvroType* AvroSchemas::Find(const std::string& name) const {
  const auto found = named_.find(name);
  return found == named_.end() ? nullptr : found->second;
}

std::vector<std::string> AvroSchemas::RecordNames() const {
  std::vector<std::string> names;
  for (const auto& [name, type] : named_) {
    if (type->kind == AvroKind::kRecord) names.push_back(name);
  }
  return names;
}

namespace {

/// A type as another names it. Named types are added to `needs`.
std::string ReferenceTo(const AvroType& type, std::vector<const AvroType*>* needs) {
  const bool named = type.kind >= AvroKind::kFixed && type.kind <= AvroKind::kRecord;
  if (named) needs->push_back(&type);
  std::string text = type.name;
  for (const AvroType* inner : type.inner) text += " (" + ReferenceTo(*inner, needs) + ")";
  return text;
}

}  // namespace

AvroSchemas::Digests::Definition AvroSchemas::Describe(const AvroType* const& type) {
  Digests::Definition definition{.name = type->name, .text = type->kind == AvroKind::kEnum ? "enum" : "record"};
  std::string& text = definition.text;
  if (type->kind == AvroKind::kFixed) text = "fixed " + std::to_string(type->size);
  for (const std::string& symbol : type->symbols) text += "\n  " + symbol;
  for (const AvroType::Field& field : type->fields) {
    text += "\n  " + field.name + " " + ReferenceTo(*field.type, &definition.needs);
  }
  text += "\n";
  return definition;
}

}  // namespace fensi::mapping

// The Avro schemas under `avros:` of a mapping file (Avro 1.11, JSON), read when the file is loaded, and paths into
// records.
//
// Filled while a file is loaded, immutable afterwards; any thread may then use it. Owns every type. avro-c and avro-cpp
// are not used: both allocate what a value claims, and recurse as deep as it asks. fensi reads values of strangers.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/functions/definition_digests.h"
#include "mapping/functions/shape.h"

namespace fensi::mapping {

enum class AvroKind : uint8_t {
  kNull,
  kBoolean,
  kInt,
  kLong,
  kFloat,
  kDouble,
  kBytes,
  kString,  // the last primitive
  kFixed,
  kEnum,
  kRecord,
  kArray,
  kMap,
  kUnion,
};

/// A type of a schema. Logical types are their base types. A record may contain itself.
struct AvroType {
  struct Field {
    std::string name;
    const AvroType* type = nullptr;
  };
  AvroKind kind = AvroKind::kNull;
  std::string name;                    // "long"; of a named type with its namespace
  std::vector<Field> fields;           // kRecord, in their order
  std::vector<size_t> solid;           // kRecord: positions of the fields that take bytes
  std::vector<const AvroType*> inner;  // kArray: of items; kMap: of values; kUnion: branches
  std::vector<std::string> symbols;    // kEnum
  size_t size = 0;                     // kFixed
  bool empty = false;                  // its values take no byte
};

class AvroSchemas {
 public:
  AvroSchemas();

  /// Adds the types of a file. It may name types of the files before it. An error names file, line and column. Size,
  /// depth and names are bounded, so that an untrusted file cannot exhaust memory.
  Status Add(const std::string& file, const std::string& text);

  /// A named type (record, enum or fixed); null: none has this name. The name includes its namespace.
  const AvroType* Find(const std::string& name) const;
  /// For suggestions.
  std::vector<std::string> RecordNames() const;

  /// Of a record and every type in it, by name. Leaves out comments, defaults, aliases, logical types and the way in
  /// which names are written, so that only a schema with another meaning has another digest. Empty: it needs more than
  /// kMostNeeded named types. Only while the file is loaded.
  const std::string& DigestOf(const AvroType& record) const { return digests_.Of(&record); }

  /// Types and branches through which all paths so far lead, with these. Only while the file is loaded.
  size_t CountPath(size_t types) const { return path_types_ += types; }

 private:
  friend class AvroSchemaReader;

  using Digests = DefinitionDigests<const AvroType*>;
  static Digests::Definition Describe(const AvroType* const& type);

  std::deque<AvroType> types_;  // the primitives first
  std::map<std::string, const AvroType*> named_;
  std::map<std::string, std::string> files_;  // of named types
  size_t bytes_ = 0;                          // of all files
  size_t definitions_ = 0;                    // types, fields, symbols and branches in all files
  mutable Digests digests_{Describe};
  mutable size_t path_types_ = 0;
};

/// A path into a record: "buyer.name", "tags.0", "attributes[\"http.method\"]". Resolved when a template is compiled:
/// the decoder then follows pointers, and compares no field's name. Immutable; any thread may use it.
struct AvroPath {
  /// What to take of a value of one type. A type without a node is skipped.
  struct Node {
    const AvroType* type = nullptr;
    size_t position = 0;                // kRecord: of the field; kArray: of the item
    std::string key;                    // kMap
    const Node* next = nullptr;         // of the field, the item or the value; null: the value itself is wanted
    std::vector<const Node*> branches;  // kUnion; null: in this branch nothing is at the path
  };
  std::shared_ptr<const AvroSchemas> schemas;  // owns the types
  const AvroType* record = nullptr;
  std::deque<Node> nodes;
  const Node* root = nullptr;
  Type type = Type::kBytes;  // of the value
  std::string text;          // one spelling for all of the path
  std::string digest;        // of the record
};

/// Null when `problem` was filled: no value can be at the path.
std::shared_ptr<const AvroPath> ResolveAvroPath(std::shared_ptr<const AvroSchemas> schemas, const AvroType* record,
                                                std::string_view path, std::string* problem);

}  // namespace fensi::mapping

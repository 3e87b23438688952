// Paths into Avro records, as the mapping language writes them: "buyer.name", "tags.0", "attributes[\"http.method\"]".
//
// A path is resolved when a template is compiled: the decoder then follows pointers, and compares no field's name.
#pragma once

#include <cstddef>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/avro_schemas.h"
#include "mapping/functions/shape.h"

namespace fensi::mapping {

/// Immutable; any thread may use it.
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
};

/// Null when `problem` was filled: no value can be at the path.
std::shared_ptr<const AvroPath> ResolveAvroPath(std::shared_ptr<const AvroSchemas> schemas, const AvroType* record,
                                                std::string_view path, std::string* problem);

}  // namespace fensi::mapping

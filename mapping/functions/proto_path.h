// Paths into protobuf messages, as the mapping language writes them: "visitor.0.type".
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/proto_schemas.h"
#include "mapping/functions/shape.h"

namespace fensi::mapping {

/// A path from a message to a field in it, resolved when a template is compiled.
struct ProtoPath {
  struct Entering {
    const google::protobuf::FieldDescriptor* field = nullptr;
    int position = -1;  // of a repeated field; -1: all of it
  };
  std::shared_ptr<const ProtoSchemas> schemas;  // owns what the others point to
  const google::protobuf::Descriptor* message = nullptr;
  const google::protobuf::Message* prototype = nullptr;
  std::vector<Entering> steps;
  Type type = Type::kBytes;  // type of the field
  std::string digest;        // of the message
};

/// "visitor.0.type": names of fields, and positions in repeated ones. Null when `problem` was filled.
std::shared_ptr<const ProtoPath> ResolveProtoPath(std::shared_ptr<const ProtoSchemas> schemas,
                                                  const google::protobuf::Descriptor* message, std::string_view path,
                                                  std::string* problem);

}  // namespace fensi::mapping

// Paths into protobuf messages, as the mapping language writes them: "visitor.0.type".
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/message.h>

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/functions/proto_schemas.h"
#include "mapping/functions/shape.h"

namespace fensi::mapping {

// The canonical text of a protobuf message's meaning.

/// The message and every message and enum in it, by name; fields by number. Leaves out comments, order, packages of
/// files and options that change no value, so that only a .proto with another meaning gives another text.
std::string MessageText(const google::protobuf::Descriptor& message);

/// True if it needs at most this many messages, including itself. (The library makes prototypes as deep as its stack.)
bool NeedsAtMost(const google::protobuf::Descriptor& message, size_t most);

// Paths into protobuf messages.

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
};

/// "visitor.0.type": names of fields, and positions in repeated ones. Null when `problem` was filled.
std::shared_ptr<const ProtoPath> ResolveProtoPath(std::shared_ptr<const ProtoSchemas> schemas,
                                                  const google::protobuf::Descriptor* message, std::string_view path,
                                                  std::string* problem);

}  // namespace fensi::mapping

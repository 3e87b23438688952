// The protobuf messages under `protos:` of a mapping file, as descriptors that are read at run time.
//
// Filled while a file is loaded, immutable afterwards; any thread may then use it. Owns every descriptor and prototype.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::mapping {

class ProtoSchemas {
 public:
  using ReadFile = std::function<Result<std::string>(const std::string& name)>;

  /// Adds a .proto text, or a descriptor set as `protoc --include_imports -o` writes it. `read` reads its imports
  /// (never called for google/protobuf/…). An error names file and line. Size, depth and names are bounded, so that an
  /// untrusted file cannot exhaust memory.
  Status Add(const std::string& name, const std::string& bytes, const ReadFile& read);

  /// Null: no such message. The name includes its package.
  const google::protobuf::Descriptor* Find(const std::string& message) const {
    return pool_.FindMessageTypeByName(message);
  }
  /// For suggestions.
  std::vector<std::string> MessageNames() const;
  const google::protobuf::Message* Prototype(const google::protobuf::Descriptor* message) const;

  /// A message written in protobuf's text format, as bytes.
  Result<std::string> FromText(const google::protobuf::Descriptor* message, const std::string& text) const;

 private:
  Status Admit(const std::string& name, const std::string& bytes);
  Status AddText(const std::string& name, const std::string& text, const ReadFile& read);
  Status AddSet(const std::string& name, const std::string& bytes);
  Status Import(const std::string& name, const ReadFile& read);
  Status Build(const google::protobuf::FileDescriptorProto& file);

  google::protobuf::DescriptorPool pool_;
  mutable google::protobuf::DynamicMessageFactory factory_{&pool_};  // synchronises itself
  std::set<std::string> begun_;                                      // files, also those that are being read
  std::vector<const google::protobuf::FileDescriptor*> files_;
  size_t bytes_ = 0;        // of all files
  size_t definitions_ = 0;  // messages, fields, enums and their values in all files
};

}  // namespace fensi::mapping

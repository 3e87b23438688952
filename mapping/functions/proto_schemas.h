// The protobuf messages that `protos:` of a mapping file names, as descriptors that were read and not compiled in.
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

  /// A .proto text, or a descriptor set as `protoc --include_imports -o` writes it. `read` brings what a text imports
  /// (never called for google/protobuf/…). An error names file and line. Size, depth and names are bounded, so that a
  /// file of somebody else cannot take the machine's memory.
  Status Add(const std::string& name, const std::string& bytes, const ReadFile& read);

  /// Null when there is no such message. The name is written with its package.
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

// The protobuf messages under `protos:` of a mapping file, as descriptors that are read at run time.
//
// Filled while a file is loaded, immutable afterwards; any thread may then use it. Owns every descriptor and prototype.
#pragma once

#include <google/protobuf/descriptor.h>
#include <google/protobuf/dynamic_message.h>

#include <functional>
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "base/status.h"
#include "mapping/functions/definition_digests.h"

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

  /// Of a message and every message and enum in it, by name; fields by number. Leaves out comments, order, packages of
  /// files and options that change no value, so that only a .proto with another meaning has another digest. Empty: it
  /// needs more than kMostNeeded messages. (The library makes prototypes as deep as its stack.) Only while the
  /// file is loaded.
  const std::string& DigestOf(const google::protobuf::Descriptor& message) const { return digests_.Of(&message); }

  /// A message written in protobuf's text format, as bytes.
  Result<std::string> FromText(const google::protobuf::Descriptor* message, const std::string& text) const;

 private:
  using Named = std::variant<const google::protobuf::Descriptor*, const google::protobuf::EnumDescriptor*>;
  using Digests = DefinitionDigests<Named>;
  static Digests::Definition Describe(const Named& type);

  Status Admit(const std::string& name, const std::string& bytes);
  Status AddText(const std::string& name, const std::string& text, const ReadFile& read);
  Status AddSet(const std::string& name, const std::string& bytes);
  Status Import(const std::string& name, const std::string& importer, const ReadFile& read);
  Status Build(const google::protobuf::FileDescriptorProto& file);

  google::protobuf::DescriptorPool pool_;
  mutable google::protobuf::DynamicMessageFactory factory_{&pool_};  // synchronises itself
  std::set<std::string> begun_;                                      // files, also those that are being read
  std::set<std::string> open_;                                       // those that are being read
  std::vector<const google::protobuf::FileDescriptor*> files_;
  size_t bytes_ = 0;        // of all files
  size_t definitions_ = 0;  // messages, fields, enums and their values in all files
  mutable Digests digests_{Describe};
};

}  // namespace fensi::mapping

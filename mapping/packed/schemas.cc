#include "mapping/packed/schemas.h"

#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <climits>

namespace fensi::mapping {
namespace {

namespace pb = google::protobuf;

// Keeps the first error with its place.
class FirstSyntaxError final : public pb::io::ErrorCollector {
 public:
  void AddError(int line, pb::io::ColumnNumber column, const std::string& message) override {
    if (!text_.empty()) return;
    text_ = "line " + std::to_string(line + 1) + ", column " + std::to_string(column + 1) + ": " + message;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

class FirstMeaningError final : public pb::DescriptorPool::ErrorCollector {
 public:
  void AddError(const std::string&, const std::string& element, const pb::Message*, ErrorLocation,
                const std::string& message) override {
    if (text_.empty()) text_ = element + ": " + message;
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};

void AddNames(const pb::Descriptor& message, std::vector<std::string>* names) {
  if (message.options().map_entry()) return;
  names->push_back(message.full_name());
  for (int i = 0; i < message.nested_type_count(); ++i) AddNames(*message.nested_type(i), names);
}

}  // namespace

Status ProtoSchemas::Add(const std::string& name, const std::string& bytes, const ReadFile& read) {
  if (!begun_.insert(name).second) return Status();
  return name.ends_with(".proto") ? AddText(name, bytes, read) : AddSet(name, bytes);
}

Status ProtoSchemas::AddText(const std::string& name, const std::string& text, const ReadFile& read) {
  if (text.size() > INT_MAX) return InvalidArgument(name + ": too large");
  FirstSyntaxError error;
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  pb::io::Tokenizer tokenizer(&stream, &error);
  pb::compiler::Parser parser;
  parser.RecordErrorsTo(&error);
  pb::FileDescriptorProto file;
  if (!parser.Parse(&tokenizer, &file) || !error.text().empty()) return InvalidArgument(name + ", " + error.text());
  file.set_name(name);
  for (const std::string& import : file.dependency()) FENSI_RETURN_IF_ERROR(Import(import, read));
  return Build(file);
}

Status ProtoSchemas::Import(const std::string& name, const ReadFile& read) {
  if (pool_.FindFileByName(name) != nullptr) return Status();
  if (const pb::FileDescriptor* known = pb::DescriptorPool::generated_pool()->FindFileByName(name)) {
    for (int i = 0; i < known->dependency_count(); ++i) {
      FENSI_RETURN_IF_ERROR(Import(known->dependency(i)->name(), read));
    }
    pb::FileDescriptorProto file;
    known->CopyTo(&file);
    begun_.insert(name);
    return Build(file);
  }
  if (begun_.contains(name)) return InvalidArgument(name + ": imports itself");
  const Result<std::string> text = read(name);
  if (!text.ok()) return InvalidArgument("import of " + name + ": " + text.status().message());
  return Add(name, *text, read);
}

Status ProtoSchemas::AddSet(const std::string& name, const std::string& bytes) {
  pb::FileDescriptorSet set;
  if (bytes.size() > INT_MAX || !set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) ||
      set.file_size() == 0) {
    return InvalidArgument(name +
                           ": neither the name of a .proto file nor a descriptor set (protoc --include_imports -o)");
  }
  for (const pb::FileDescriptorProto& file : set.file()) {
    if (pool_.FindFileByName(file.name()) != nullptr) continue;
    begun_.insert(file.name());
    FENSI_RETURN_IF_ERROR(Build(file).WithContext(name));
  }
  return Status();
}

Status ProtoSchemas::Build(const pb::FileDescriptorProto& file) {
  FirstMeaningError error;
  const pb::FileDescriptor* built = pool_.BuildFileCollectingErrors(file, &error);
  if (built == nullptr) return InvalidArgument(file.name() + ": " + error.text());
  files_.push_back(built);
  return Status();
}

std::vector<std::string> ProtoSchemas::MessageNames() const {
  std::vector<std::string> names;
  for (const pb::FileDescriptor* file : files_) {
    for (int i = 0; i < file->message_type_count(); ++i) AddNames(*file->message_type(i), &names);
  }
  return names;
}

const pb::Message* ProtoSchemas::Prototype(const pb::Descriptor* message) const {
  return factory_.GetPrototype(message);
}

Result<std::string> ProtoSchemas::FromText(const pb::Descriptor* message, const std::string& text) const {
  const std::unique_ptr<pb::Message> filled(Prototype(message)->New());
  FirstSyntaxError error;
  pb::TextFormat::Parser parser;
  parser.RecordErrorsTo(&error);
  parser.SetRecursionLimit(100);
  if (!parser.ParseFromString(text, filled.get())) return InvalidArgument(error.text());
  std::string bytes;
  {
    pb::io::StringOutputStream stream(&bytes);
    pb::io::CodedOutputStream coded(&stream);
    coded.SetSerializationDeterministic(true);
    filled->SerializeToCodedStream(&coded);
  }
  return bytes;
}

}  // namespace fensi::mapping

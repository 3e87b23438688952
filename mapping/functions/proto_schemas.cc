#include "mapping/functions/proto_schemas.h"

#include <google/protobuf/compiler/parser.h>
#include <google/protobuf/descriptor.pb.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/text_format.h>

#include <algorithm>
#include <map>

#include "base/bytes.h"

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

constexpr size_t kMostBytes = size_t{4} << 20;
constexpr size_t kMostFiles = 200;
constexpr int kMostDepth = 31;  // what the library builds, too
constexpr size_t kMostName = 1000;
constexpr size_t kMostDefinitions = 50'000;

// Before the parser meets it, which goes as deep as its stack.
bool NestsTooDeep(const std::string& text) {
  class Silent final : public pb::io::ErrorCollector {
    void AddError(int, pb::io::ColumnNumber, const std::string&) override {}
  } silent;
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  pb::io::Tokenizer tokens(&stream, &silent);
  for (int depth = 0; tokens.Next();) {
    const std::string& token = tokens.current().text;
    depth += token == "{" ? 1 : token == "}" ? -1 : 0;
    if (depth > kMostDepth) return true;
  }
  return false;
}

// What a pool makes of a file: every definition keeps its full name, so that both together decide the memory.
class Measure {
 public:
  explicit Measure(size_t* definitions) : definitions_(definitions) {}

  bool Take(const pb::FileDescriptorProto& file) {
    const size_t package = file.package().size();
    return Named(package) && All(file.enum_type(), package) && All(file.extension(), package) &&
           AllMessages(file.message_type(), package, 1);
  }
  const std::string& problem() const { return problem_; }

 private:
  bool Fail(std::string problem) {
    problem_ = std::move(problem);
    return false;
  }
  bool Named(size_t length) {
    if (length > kMostName)
      return Fail("a full name is longer than " + std::to_string(kMostName) + " bytes: shorten it");
    if (++*definitions_ <= kMostDefinitions) return true;
    return Fail("there are more than " + std::to_string(kMostDefinitions) +
                " messages, fields and enums in all files. Remove files that the mapping does not use");
  }
  bool Inside(const pb::EnumDescriptorProto& type, size_t scope) { return All(type.value(), scope); }
  bool Inside(const auto&, size_t) { return true; }

  bool All(const auto& named, size_t scope) {
    return std::all_of(named.begin(), named.end(), [&](const auto& one) {
      return Named(scope + 1 + one.name().size()) && Inside(one, scope + 1 + one.name().size());
    });
  }

  bool AllMessages(const pb::RepeatedPtrField<pb::DescriptorProto>& messages, size_t scope, int depth) {
    if (depth > kMostDepth && !messages.empty())
      return Fail("the messages are nested deeper than " + std::to_string(kMostDepth) +
                  " levels. Move inner messages outside");
    return std::all_of(messages.begin(), messages.end(), [&](const pb::DescriptorProto& message) {
      const size_t name = scope + 1 + message.name().size();
      return Named(name) && All(message.field(), name) && All(message.oneof_decl(), name) &&
             All(message.enum_type(), name) && All(message.extension(), name) &&
             AllMessages(message.nested_type(), name, depth + 1);
    });
  }

  size_t* const definitions_;
  std::string problem_;
};

}  // namespace

Status ProtoSchemas::Add(const std::string& name, const std::string& bytes, const ReadFile& read) {
  if (!begun_.insert(name).second) return Status();
  FENSI_RETURN_IF_ERROR(Admit(name, bytes));
  return name.ends_with(".proto") ? AddText(name, bytes, read) : AddSet(name, bytes);
}

Status ProtoSchemas::Admit(const std::string& name, const std::string& bytes) {
  bytes_ += bytes.size();
  if (bytes_ > kMostBytes)
    return InvalidArgument(name +
                           ": the files of 'protos' have more than 4 MiB. Remove files that the mapping does not use");
  if (begun_.size() > kMostFiles)
    return InvalidArgument(
        name + ": 'protos' has more than 200 files, with imports. Remove files that the mapping does not use");
  return Status();
}

Status ProtoSchemas::AddText(const std::string& name, const std::string& text, const ReadFile& read) {
  if (NestsTooDeep(text))
    return InvalidArgument(name + ": the messages are nested deeper than " + std::to_string(kMostDepth) +
                           " levels. Move inner messages outside");
  FirstSyntaxError error;
  pb::io::ArrayInputStream stream(text.data(), static_cast<int>(text.size()));
  pb::io::Tokenizer tokenizer(&stream, &error);
  pb::compiler::Parser parser;
  parser.RecordErrorsTo(&error);
  pb::FileDescriptorProto file;
  if (!parser.Parse(&tokenizer, &file) || !error.text().empty()) return InvalidArgument(name + ", " + error.text());
  file.set_name(name);
  open_.insert(name);
  Status imported;
  for (int i = 0; i < file.dependency_size() && imported.ok(); ++i) imported = Import(file.dependency(i), name, read);
  open_.erase(name);
  return imported.ok() ? Build(file) : imported;
}

Status ProtoSchemas::Import(const std::string& name, const std::string& importer, const ReadFile& read) {
  if (pool_.FindFileByName(name) != nullptr) return Status();
  // The pool of this program also holds its own messages, under names that others use, too ("proto/state.proto").
  const bool common = name.starts_with("google/protobuf/");
  const pb::FileDescriptor* const known = common ? pb::DescriptorPool::generated_pool()->FindFileByName(name) : nullptr;
  if (known != nullptr) {
    for (int i = 0; i < known->dependency_count(); ++i) {
      FENSI_RETURN_IF_ERROR(Import(known->dependency(i)->name(), name, read));
    }
    pb::FileDescriptorProto file;
    known->CopyTo(&file);
    begun_.insert(name);
    return Build(file);
  }
  const std::string import = importer + ": the import " + name;
  if (open_.contains(name)) return InvalidArgument(import + " leads back to this file. Remove this import");
  if (begun_.contains(name)) return InvalidArgument(import + " cannot be used. Correct " + name + " first");
  const Result<std::string> text = read(name);
  if (!text.ok()) return InvalidArgument(import + " cannot be read: " + text.status().message());
  return Add(name, *text, read);
}

Status ProtoSchemas::AddSet(const std::string& name, const std::string& bytes) {
  pb::FileDescriptorSet set;
  if (!set.ParseFromArray(bytes.data(), static_cast<int>(bytes.size())) || set.file_size() == 0) {
    return InvalidArgument(name +
                           ": the file is neither a .proto file nor a descriptor set. Make a descriptor set with "
                           "'protoc --include_imports -o FILE'");
  }
  for (const pb::FileDescriptorProto& file : set.file()) {
    if (pool_.FindFileByName(file.name()) != nullptr) continue;
    begun_.insert(file.name());
    FENSI_RETURN_IF_ERROR(Build(file).WithContext(name));
  }
  return Status();
}

Status ProtoSchemas::Build(const pb::FileDescriptorProto& file) {
  Measure measure(&definitions_);
  const bool small = measure.Take(file);
  if (!small) return InvalidArgument(file.name() + ": " + measure.problem());
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

namespace {

std::string FieldText(const pb::FieldDescriptor& field) {
  std::string text = std::to_string(field.number()) + " " + field.name() + " " + field.type_name();
  if (field.message_type() != nullptr) text += " " + field.message_type()->full_name();
  if (field.enum_type() != nullptr) text += " " + field.enum_type()->full_name();
  if (field.is_required()) text += " required";
  if (field.is_repeated()) text += field.is_packed() ? " packed" : " repeated";
  if (field.has_presence()) text += " presence";
  if (field.real_containing_oneof() != nullptr) text += " in " + field.real_containing_oneof()->name();
  pb::FieldDescriptorProto written;
  field.CopyTo(&written);
  if (field.has_default_value()) text += " default " + Escape(written.default_value());
  return text + "\n";
}

std::string EnumText(const pb::EnumDescriptor& type) {
  std::map<int, std::string> names;  // of several names of one number the first counts
  for (int i = 0; i < type.value_count(); ++i) names.try_emplace(type.value(i)->number(), type.value(i)->name());
  std::string text = "enum\n";
  for (const auto& [number, name] : names) text += std::to_string(number) + " " + name + "\n";
  return text;
}

}  // namespace

ProtoSchemas::Digests::Definition ProtoSchemas::Describe(const Named& type) {
  if (const auto* number = std::get_if<const pb::EnumDescriptor*>(&type)) {
    return {.name = (*number)->full_name(), .text = EnumText(**number), .counts = false};
  }
  const pb::Descriptor& message = *std::get<const pb::Descriptor*>(type);
  std::vector<const pb::FieldDescriptor*> fields;
  for (int i = 0; i < message.field_count(); ++i) fields.push_back(message.field(i));
  std::sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->number() < b->number(); });
  Digests::Definition definition{.name = message.full_name(),
                                 .text = "message proto" + std::to_string(message.file()->syntax()) + "\n"};
  for (const pb::FieldDescriptor* field : fields) {
    definition.text += FieldText(*field);
    if (field->message_type() != nullptr) definition.needs.emplace_back(field->message_type());
    if (field->enum_type() != nullptr) definition.needs.emplace_back(field->enum_type());
  }
  return definition;
}

}  // namespace fensi::mapping

#include "mapping/functions/proto_path.h"

#include <google/protobuf/descriptor.pb.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "base/bytes.h"
#include "base/text.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
namespace {

namespace pb = google::protobuf;

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

// Collects definitions by full name; what is still to be read waits in a list, so that depth costs no stack.
class Collector {
 public:
  std::string Collect(const pb::Descriptor& message) {
    Want(message);
    while (!waiting_.empty()) {
      const pb::Descriptor* const next = waiting_.back();
      waiting_.pop_back();
      texts_[next->full_name()] = Read(*next);
    }
    std::string all;
    for (const auto& [name, text] : texts_) all += name + " " + text;
    return all;
  }

 private:
  void Want(const pb::Descriptor& message) {
    if (texts_.try_emplace(message.full_name()).second) waiting_.push_back(&message);
  }

  std::string Read(const pb::Descriptor& message) {
    std::vector<const pb::FieldDescriptor*> fields;
    for (int i = 0; i < message.field_count(); ++i) fields.push_back(message.field(i));
    std::sort(fields.begin(), fields.end(), [](const auto* a, const auto* b) { return a->number() < b->number(); });
    std::string text = "message proto" + std::to_string(message.file()->syntax()) + "\n";
    for (const pb::FieldDescriptor* field : fields) {
      text += FieldText(*field);
      if (field->message_type() != nullptr) Want(*field->message_type());
      if (field->enum_type() != nullptr) texts_[field->enum_type()->full_name()] = EnumText(*field->enum_type());
    }
    return text;
  }

  std::map<std::string, std::string> texts_;
  std::vector<const pb::Descriptor*> waiting_;
};

}  // namespace

bool NeedsAtMost(const pb::Descriptor& message, size_t most) {
  std::set<const pb::Descriptor*> needed = {&message};
  std::vector<const pb::Descriptor*> waiting = {&message};
  while (!waiting.empty() && needed.size() <= most) {
    const pb::Descriptor* const next = waiting.back();
    waiting.pop_back();
    for (int i = 0; i < next->field_count(); ++i) {
      const pb::Descriptor* const inner = next->field(i)->message_type();
      if (inner != nullptr && needed.insert(inner).second) waiting.push_back(inner);
    }
  }
  return needed.size() <= most;
}

std::string MessageText(const pb::Descriptor& message) { return Collector().Collect(message); }

namespace {

namespace pb = google::protobuf;
using Kind = pb::FieldDescriptor::CppType;

Type TypeOfField(const pb::FieldDescriptor& field) {
  switch (field.cpp_type()) {
    case Kind::CPPTYPE_INT32:
    case Kind::CPPTYPE_INT64:
    case Kind::CPPTYPE_UINT32:
    case Kind::CPPTYPE_UINT64:
      return Type::kInteger;
    default:
      return Type::kBytes;
  }
}

std::string NoSuchField(const pb::Descriptor& message, const std::string& name) {
  std::vector<std::string_view> names;
  for (int i = 0; i < message.field_count(); ++i) names.push_back(message.field(i)->name());
  const std::vector<std::string> hint = Suggest(name, names);
  return "a path in " + message.full_name() + ", which has no field '" + name + "'" +
         (hint.empty() ? " (it has " + OneOf(names) + ")" : "; " + hint.front());
}

class Resolver {
 public:
  Resolver(ProtoPath* path, std::string* problem) : path_(path), problem_(problem), message_(path->message) {}

  bool Enter(const std::string& word) {
    if (message_ == nullptr)
      return Fail("a path of fields, but nothing can follow a field that is no message, like '" + word + "'");
    if (Waits()) {
      const std::optional<int64_t> position = ParseInteger(word);
      if (position && *position >= 0 && *position < 1'000'000) {
        path_->steps.back().position = static_cast<int>(*position);
        return TakeField(*path_->steps.back().field);
      }
      return Fail("a path; after the repeated field '" + path_->steps.back().field->name() +
                  "' a position, like 0, must follow");
    }
    const pb::FieldDescriptor* field = message_->FindFieldByName(word);
    if (field == nullptr) return Fail(NoSuchField(*message_, word));
    path_->steps.push_back({field, -1});
    return field->is_repeated() || TakeField(*field);
  }

  void Finish() {
    const ProtoPath::Entering& last = path_->steps.back();
    path_->type = Waits() ? Type::kList : TypeOfField(*last.field);
  }

 private:
  // The last field is repeated, and no position was given.
  bool Waits() const {
    return !path_->steps.empty() && path_->steps.back().field->is_repeated() && path_->steps.back().position < 0;
  }

  bool TakeField(const pb::FieldDescriptor& field) {
    message_ = field.cpp_type() == Kind::CPPTYPE_MESSAGE ? field.message_type() : nullptr;
    return true;
  }

  bool Fail(std::string problem) {
    *problem_ = std::move(problem);
    return false;
  }

  ProtoPath* const path_;
  std::string* const problem_;
  const pb::Descriptor* message_;  // null: the last field is no message
};

}  // namespace

std::shared_ptr<const ProtoPath> ResolveProtoPath(std::shared_ptr<const ProtoSchemas> schemas,
                                                  const pb::Descriptor* message, std::string_view path,
                                                  std::string* problem) {
  auto resolved = std::make_shared<ProtoPath>();
  resolved->message = message;
  resolved->prototype = schemas->Prototype(message);
  resolved->schemas = std::move(schemas);
  Resolver resolver(resolved.get(), problem);
  for (size_t at = 0; at <= path.size();) {
    const size_t dot = std::min(path.find('.', at), path.size());
    if (!resolver.Enter(std::string(path.substr(at, dot - at)))) return nullptr;
    at = dot + 1;
  }
  resolver.Finish();
  return resolved;
}

}  // namespace fensi::mapping

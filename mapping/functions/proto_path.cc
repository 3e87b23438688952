#include "mapping/functions/proto_path.h"

#include <algorithm>
#include <vector>

#include "base/text.h"
#include "mapping/yaml/fields.h"

namespace fensi::mapping {
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
      return Fail("a path that ends at the first field that is no message: remove '" + word +
                  "' and the rest of the path");
    if (Waits()) {
      const std::optional<int64_t> position = ParseInteger(word);
      if (position && *position >= 0 && *position < 1'000'000) {
        path_->steps.back().position = static_cast<int>(*position);
        return TakeField(*path_->steps.back().field);
      }
      return Fail("a path with a position after the repeated field '" + path_->steps.back().field->name() +
                  "': write '" + path_->steps.back().field->name() + ".0'");
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
  resolved->digest = schemas->DigestOf(*message);
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

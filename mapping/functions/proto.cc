// Functions that look into packed values: protobuf.
#include <google/protobuf/arena.h>
#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>
#include <google/protobuf/message.h>

#include <climits>

#include "mapping/functions/function.h"
#include "mapping/functions/proto_path.h"

namespace fensi::mapping {
namespace {

namespace pb = google::protobuf;
using Cpp = pb::FieldDescriptor::CppType;

// Messages of one thread; emptied after every value, its first block is kept.
struct MessageMemory {
  static constexpr size_t kBlock = 64 * 1024;
  static pb::ArenaOptions Options(char* block) {
    pb::ArenaOptions options;
    options.initial_block = block;
    options.initial_block_size = kBlock;
    return options;
  }
  std::unique_ptr<char[]> block = std::make_unique<char[]>(kBlock);
  pb::Arena arena{Options(block.get())};
};

class ArenaGuard {
 public:
  ArenaGuard() : arena_(ThreadMemory().arena) {}
  ~ArenaGuard() { arena_.Reset(); }
  pb::Arena* get() { return &arena_; }

 private:
  static MessageMemory& ThreadMemory() {
    thread_local MessageMemory memory;
    return memory;
  }
  pb::Arena& arena_;
};

// The bytes of a message in one form, whatever the order in which they were written.
std::string_view Packed(const pb::Message& message, Scratch* scratch) {
  const size_t size = message.ByteSizeLong();
  char* const out = scratch->Allocate(size);
  pb::io::ArrayOutputStream stream(out, static_cast<int>(size));
  pb::io::CodedOutputStream coded(&stream);
  coded.SetSerializationDeterministic(true);
  message.SerializePartialToCodedStream(&coded);
  return {out, size};
}

std::string_view EnumName(const pb::FieldDescriptor& field, int number, Scratch* scratch) {
  const pb::EnumValueDescriptor* value = field.enum_type()->FindValueByNumber(number);
  return value != nullptr ? std::string_view(value->name()) : scratch->KeepDigits(number);
}

// Reads one value of a field: `position` of a repeated one, or -1.
class FieldReader {
 public:
  FieldReader(const pb::Message& message, const pb::FieldDescriptor& field, Scratch* scratch)
      : message_(message), reflection_(*message.GetReflection()), field_(field), scratch_(scratch) {}

  int size() const { return reflection_.FieldSize(message_, &field_); }
  bool Absent() const { return field_.has_presence() && !reflection_.HasField(message_, &field_); }

  /// False: a number above the largest 64-bit integer.
  bool Number(int position, int64_t* out) const {
    const bool one = position < 0;
    switch (field_.cpp_type()) {
      case Cpp::CPPTYPE_INT32:
        *out =
            one ? reflection_.GetInt32(message_, &field_) : reflection_.GetRepeatedInt32(message_, &field_, position);
        return true;
      case Cpp::CPPTYPE_INT64:
        *out =
            one ? reflection_.GetInt64(message_, &field_) : reflection_.GetRepeatedInt64(message_, &field_, position);
        return true;
      case Cpp::CPPTYPE_UINT32:
        *out =
            one ? reflection_.GetUInt32(message_, &field_) : reflection_.GetRepeatedUInt32(message_, &field_, position);
        return true;
      default:
        *out = static_cast<int64_t>(one ? reflection_.GetUInt64(message_, &field_)
                                        : reflection_.GetRepeatedUInt64(message_, &field_, position));
        return *out >= 0;
    }
  }

  std::string_view Bytes(int position) const {
    const bool one = position < 0;
    switch (field_.cpp_type()) {
      case Cpp::CPPTYPE_STRING: {
        std::string unused;
        return scratch_->Keep(one ? reflection_.GetStringReference(message_, &field_, &unused)
                                  : reflection_.GetRepeatedStringReference(message_, &field_, position, &unused));
      }
      case Cpp::CPPTYPE_MESSAGE:
        return Packed(Message(position), scratch_);
      case Cpp::CPPTYPE_ENUM:
        return EnumName(field_,
                        one ? reflection_.GetEnumValue(message_, &field_)
                            : reflection_.GetRepeatedEnumValue(message_, &field_, position),
                        scratch_);
      case Cpp::CPPTYPE_BOOL:
        return (one ? reflection_.GetBool(message_, &field_) : reflection_.GetRepeatedBool(message_, &field_, position))
                   ? "true"
                   : "false";
      case Cpp::CPPTYPE_FLOAT:
        return scratch_->KeepDigits(one ? reflection_.GetFloat(message_, &field_)
                                        : reflection_.GetRepeatedFloat(message_, &field_, position));
      case Cpp::CPPTYPE_DOUBLE:
        return scratch_->KeepDigits(one ? reflection_.GetDouble(message_, &field_)
                                        : reflection_.GetRepeatedDouble(message_, &field_, position));
      default: {
        int64_t number = 0;
        if (Number(position, &number)) return scratch_->KeepDigits(number);
        return scratch_->KeepDigits(static_cast<uint64_t>(number));
      }
    }
  }

  const pb::Message& Message(int position) const {
    return position < 0 ? reflection_.GetMessage(message_, &field_)
                        : reflection_.GetRepeatedMessage(message_, &field_, position);
  }

 private:
  const pb::Message& message_;
  const pb::Reflection& reflection_;
  const pb::FieldDescriptor& field_;
  Scratch* const scratch_;
};

Outcome ReadField(const FieldReader& reader, const ProtoPath& path, Value* v, Scratch* scratch) {
  const int position = path.steps.back().position;
  if (path.type == Type::kList) {
    std::vector<std::string_view>* list = scratch->NewList();
    for (int i = 0; i < reader.size(); ++i) list->push_back(reader.Bytes(i));
    v->list = list;
    return Outcome::kValue;
  }
  if (path.type == Type::kBytes) {
    v->bytes = reader.Bytes(position);
    return Outcome::kValue;
  }
  if (reader.Number(position, &v->number)) return Outcome::kValue;
  return RefuseTooLarge(scratch, std::to_string(static_cast<uint64_t>(v->number)));
}

Outcome Proto(const Arguments& a, Value* v, Scratch* scratch) {
  const ProtoPath& path = *a[1].proto;
  ArenaGuard arena;
  pb::Message* const whole = path.prototype->New(arena.get());
  const bool parsed =
      v->bytes.size() <= INT_MAX && whole->ParsePartialFromArray(v->bytes.data(), static_cast<int>(v->bytes.size()));
  if (!parsed || !whole->IsInitialized()) return Refuse(scratch, Shown(v->bytes) + " is not a " + a[0].text);
  const pb::Message* at = whole;
  for (const ProtoPath::Entering& step : path.steps) {
    const FieldReader reader(*at, *step.field, scratch);
    const bool all = step.field->is_repeated() && step.position < 0;
    if (!all && (step.field->is_repeated() ? step.position >= reader.size() : reader.Absent())) return Outcome::kAbsent;
    if (&step == &path.steps.back()) return ReadField(reader, path, v, scratch);
    at = &reader.Message(step.position);
  }
  return Outcome::kAbsent;
}

void ProtoShape(const Arguments& a, Shape* shape) {
  const ProtoPath& path = *a[1].proto;
  shape->BecomePacked(path.type);
  shape->exact_items = path.type == Type::kList;
  if (path.type != Type::kInteger) return;
  const Cpp kind = path.steps.back().field->cpp_type();
  if (kind == Cpp::CPPTYPE_INT32) shape->SetRange(INT32_MIN, INT32_MAX);
  if (kind == Cpp::CPPTYPE_UINT32) shape->SetRange(0, UINT32_MAX);
  if (kind == Cpp::CPPTYPE_UINT64) shape->SetRange(0, INT64_MAX);
}

}  // namespace

std::vector<Function> ProtoFunctions() {
  return {
      {"proto",
       Category::kPacked,
       {{"message", ArgumentKind::kMessage}, {"path", ArgumentKind::kFieldPath}},
       Takes(Type::kBytes),
       Proto,
       ProtoShape,
       "bytes -> bytes, integer or list",
       "a field of a message from `protos:`, by a path of field names and positions (`visitor.0.type`): a whole number "
       "becomes an integer, an enum its name, a message its bytes, and a repeated field without a position a list",
       "absent when the field is not set, or the message has no such position (an unset proto3 field without presence "
       "has its default); unmappable when the value is no such message",
       {"| proto example.VisitorsInfo visitor.0.type", "\\x0A\\x04\\x08\\x050\\x02", "RTSP"},
       {.role = Role::kPiece}},
  };
}

}  // namespace fensi::mapping

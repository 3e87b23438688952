#include "tests/compat/wire_breaks.h"

#include <algorithm>

namespace fensi::testing {
namespace {

namespace pb = google::protobuf;

using Breaks = std::vector<std::string>;

template <typename Things>
auto* Named(const Things& things, const std::string& name) {
  const auto found = std::find_if(things.begin(), things.end(), [&](const auto& one) { return one.name() == name; });
  return found == things.end() ? nullptr : &*found;
}

template <typename Things>
auto* Numbered(const Things& things, int number) {
  const auto found =
      std::find_if(things.begin(), things.end(), [&](const auto& one) { return one.number() == number; });
  return found == things.end() ? nullptr : &*found;
}

/// The end of a message's range stands behind it, that of an enum's is its last number.
bool Reserves(const pb::DescriptorProto& message, int number) {
  return std::any_of(message.reserved_range().begin(), message.reserved_range().end(),
                     [&](const auto& range) { return number >= range.start() && number < range.end(); });
}
bool Reserves(const pb::EnumDescriptorProto& values, int number) {
  return std::any_of(values.reserved_range().begin(), values.reserved_range().end(),
                     [&](const auto& range) { return number >= range.start() && number <= range.end(); });
}

std::string Shown(const pb::FieldDescriptorProto& field) {
  const bool chosen = field.has_oneof_index() && !field.proto3_optional();
  return std::string(pb::FieldDescriptorProto::Label_Name(field.label()) == "LABEL_REPEATED" ? "repeated " : "") +
         pb::FieldDescriptorProto::Type_Name(field.type()) + field.type_name() + (chosen ? " of a oneof" : "");
}
std::string Shown(const google::protobuf::EnumValueDescriptorProto&) { return "a value"; }

/// Fields of a message, or values of an enum: each is what it was, or its number is reserved; and none is new where one
/// was reserved.
template <typename Owner, typename Members>
void CompareNumbers(const std::string& where, const Owner& was, const Owner& is, const Members& before,
                    const Members& now, Breaks* breaks) {
  for (const auto& old : before) {
    const std::string place = where + " number " + std::to_string(old.number());
    const auto* same = Numbered(now, old.number());
    if (same == nullptr) {
      if (!Reserves(is, old.number())) breaks->push_back(place + ": " + old.name() + " went, and is not reserved");
    } else if (same->name() != old.name()) {
      breaks->push_back(place + ": was " + old.name() + ", and is " + same->name());
    } else if (Shown(*same) != Shown(old)) {
      breaks->push_back(place + ": was " + Shown(old) + ", and is " + Shown(*same));
    }
  }
  for (const auto& added : now) {
    if (Numbered(before, added.number()) == nullptr && Reserves(was, added.number()))
      breaks->push_back(where + " number " + std::to_string(added.number()) + ": was reserved, and is " + added.name());
  }
}

template <typename Scope>
void CompareEnums(const std::string& where, const Scope& before, const Scope& now, Breaks* breaks) {
  for (const pb::EnumDescriptorProto& old : before.enum_type()) {
    const pb::EnumDescriptorProto* same = Named(now.enum_type(), old.name());
    const std::string name = where + "." + old.name();
    if (same == nullptr) breaks->push_back(name + " went");
    if (same != nullptr) CompareNumbers(name, old, *same, old.value(), same->value(), breaks);
  }
}

void CompareMessages(const std::string& where, const pb::RepeatedPtrField<pb::DescriptorProto>& before,
                     const pb::RepeatedPtrField<pb::DescriptorProto>& now, Breaks* breaks) {
  for (const pb::DescriptorProto& old : before) {
    const pb::DescriptorProto* same = Named(now, old.name());
    const std::string name = where + "." + old.name();
    if (same == nullptr) {
      breaks->push_back(name + " went");
      continue;
    }
    CompareNumbers(name, old, *same, old.field(), same->field(), breaks);
    CompareEnums(name, old, *same, breaks);
    CompareMessages(name, old.nested_type(), same->nested_type(), breaks);
  }
}

/// A message may move to another file of its package.
pb::FileDescriptorProto Together(const pb::FileDescriptorSet& files) {
  pb::FileDescriptorProto all;
  for (const pb::FileDescriptorProto& file : files.file()) {
    all.mutable_message_type()->MergeFrom(file.message_type());
    all.mutable_enum_type()->MergeFrom(file.enum_type());
  }
  return all;
}

}  // namespace

std::vector<std::string> WireBreaks(const pb::FileDescriptorSet& before, const pb::FileDescriptorSet& now) {
  const pb::FileDescriptorProto was = Together(before), is = Together(now);
  Breaks breaks;
  CompareMessages("", was.message_type(), is.message_type(), &breaks);
  CompareEnums("", was, is, &breaks);
  return breaks;
}

}  // namespace fensi::testing

// What a protobuf message means to who reads it, as text in one form.
#pragma once

#include <google/protobuf/descriptor.h>

#include <cstddef>
#include <string>

namespace fensi::mapping {

/// The message and every message and enum that can stand in it, by name; fields by number. Comments, order, packages of
/// files and options that change no value are left out, so that only a .proto with another meaning gives another text.
std::string MessageText(const google::protobuf::Descriptor& message);

/// Does it need at most so many messages, with itself? (The library makes prototypes as deep as its stack.)
bool NeedsAtMost(const google::protobuf::Descriptor& message, size_t most);

}  // namespace fensi::mapping

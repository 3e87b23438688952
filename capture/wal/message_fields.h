// The fields of a protobuf message, one after the other, read in place: a message of a stranger costs no memory.
//
// Pure; views into the bytes, which must outlive it. Source: protobuf's encoding, wire types 0, 1, 2 and 5.
#pragma once

#include <cstdint>
#include <string_view>

namespace fensi::capture {

class MessageFields {
 public:
  explicit MessageFields(std::string_view bytes) : rest_(bytes) {}

  /// False behind the last field, or where the bytes are no field: then whole() is false.
  bool Next();
  bool whole() const { return whole_; }

  /// Number of the field read last, and its value: a varint's, or the bytes of a string or message.
  uint32_t number() const { return number_; }
  uint64_t varint() const { return varint_; }
  std::string_view bytes() const { return bytes_; }

 private:
  bool ReadVarint(uint64_t* value);
  bool ReadValue(uint32_t wire_type);
  bool Take(uint64_t count);

  std::string_view rest_;
  std::string_view bytes_;
  uint64_t varint_ = 0;
  uint32_t number_ = 0;
  bool whole_ = true;
};

}  // namespace fensi::capture

// The fields of a protobuf message (proto3) without an object of it, one by one as they stand there. Who asks for a tag
// that does not come, or passes one over, treats it as protobuf does: as a default, and as a field of a newer writer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fensi {

class FieldReader {
 public:
  /// Tags of fields: of a number or a bool, and of bytes, a message or packed numbers.
  static constexpr uint64_t Number(int field) { return static_cast<uint64_t>(field) << 3 | kVarint; }
  static constexpr uint64_t Length(int field) { return static_cast<uint64_t>(field) << 3 | kLength; }

  /// Borrows the bytes.
  explicit FieldReader(std::string_view bytes) : rest_(bytes) {}

  /// False: the end, or bytes that are no message.
  bool Next() {
    if (rest_.empty()) return false;
    ok_ = Varint(k32BitBytes, &tag_) && tag_ >= Number(1) && tag_ <= UINT32_MAX && Value();
    return ok_;
  }
  /// All of the bytes were fields so far.
  bool ok() const { return ok_; }

  uint64_t tag() const { return tag_; }
  uint64_t number() const { return number_; }
  std::string_view bytes() const { return bytes_; }

  /// The next of packed numbers; false: as Next().
  bool NextPacked() {
    if (rest_.empty()) return false;
    return ok_ = Varint(k64BitBytes, &number_);
  }

 private:
  static constexpr uint64_t kVarint = 0, k64Bits = 1, kLength = 2, k32Bits = 5;  // wire types
  static constexpr size_t k32BitBytes = 5, k64BitBytes = 10;                     // that a varint may have

  bool Value() {
    switch (tag_ & 7) {
      case kVarint:
        return Varint(k64BitBytes, &number_);
      case k64Bits:
        return Bytes(8);
      case kLength:
        return Varint(k32BitBytes, &number_) && Bytes(number_);
      case k32Bits:
        return Bytes(4);
      default:  // groups, which nobody writes any more
        return false;
    }
  }
  bool Bytes(uint64_t size) {
    if (size > rest_.size()) return false;
    bytes_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool Varint(size_t most_bytes, uint64_t* value) {
    *value = 0;
    for (size_t i = 0; i < rest_.size() && i < most_bytes; ++i) {
      const auto byte = static_cast<unsigned char>(rest_[i]);
      *value |= static_cast<uint64_t>(byte & 0x7f) << (7 * i);
      if (byte >= 0x80) continue;
      rest_.remove_prefix(i + 1);
      return true;
    }
    return false;
  }

  std::string_view rest_;
  uint64_t tag_ = 0;
  uint64_t number_ = 0;
  std::string_view bytes_;
  bool ok_ = true;
};

}  // namespace fensi

// Reads the fields of a protobuf message (proto3) in place and one by one, without a message object. Missing fields are
// defaults, skipped ones unknown fields, as in protobuf. The bytes may be malicious: a length allocates nothing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fensi {

class FieldReader {
 public:
  /// Tags of fields: of a number or a bool, of a number of 8 bytes, and of bytes, a message or packed numbers.
  static constexpr uint64_t Number(int field) { return static_cast<uint64_t>(field) << 3 | kVarint; }
  static constexpr uint64_t Fixed64(int field) { return static_cast<uint64_t>(field) << 3 | k64Bits; }
  static constexpr uint64_t Length(int field) { return static_cast<uint64_t>(field) << 3 | kLength; }

  /// Borrows the bytes.
  explicit FieldReader(std::string_view bytes) : rest_(bytes) {}

  /// False: the end, or invalid bytes, permanently.
  bool Next() {
    if (rest_.empty() || !ok_) return false;
    ok_ = Varint(k32BitBytes, &tag_) && tag_ >= Number(1) && tag_ <= UINT32_MAX && Value();
    return ok_;
  }
  /// True if all bytes so far were fields.
  bool ok() const { return ok_; }

  /// The last field: its tag, and its value, a number or bytes.
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
  static constexpr size_t k32BitBytes = 5, k64BitBytes = 10;                     // maximum length of a varint

  bool Value() {
    switch (tag_ & 7) {
      case kVarint:
        return Varint(k64BitBytes, &number_);
      case k64Bits:
        return Bytes(8) && Fixed();
      case kLength:
        return Varint(k32BitBytes, &number_) && Bytes(number_);
      case k32Bits:
        return Bytes(4);
      default:  // groups, which are obsolete
        return false;
    }
  }
  bool Bytes(uint64_t size) {
    if (size > rest_.size()) return false;
    bytes_ = rest_.substr(0, size);
    rest_.remove_prefix(size);
    return true;
  }
  bool Fixed() {
    number_ = 0;
    for (size_t i = bytes_.size(); i > 0; --i) number_ = number_ << 8 | static_cast<unsigned char>(bytes_[i - 1]);
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

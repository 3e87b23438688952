// Writes the bytes of a protobuf message (proto3) without a message object. Leaves out fields at their default, as
// protobuf does. Fields are written in the order of their numbers.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::indexer {

class FieldWriter {
 public:
  /// Appends to `out`, which must outlive it.
  explicit FieldWriter(std::string* out) : out_(out) {}

  /// A number or a bool; a negative one takes ten bytes.
  void Number(int field, uint64_t value) {
    if (value == 0) return;
    Tag(field, kVarint);
    Varint(value);
  }
  void Bytes(int field, std::string_view bytes) {
    if (bytes.empty()) return;
    Tag(field, kLength);
    Varint(bytes.size());
    out_->append(bytes);
  }
  void Numbers(int field, const std::vector<int64_t>& values) {
    if (values.empty()) return;
    Message(field, [&] {
      for (const int64_t value : values) Varint(static_cast<uint64_t>(value));
    });
  }
  /// Writes a nested message, also an empty one; `write` writes its fields by this writer.
  template <typename Write>
  void Message(int field, Write write) {
    Tag(field, kLength);
    const size_t begin = out_->size();
    write();
    InsertLength(begin);
  }

 private:
  static constexpr uint64_t kVarint = 0, kLength = 2;  // wire types

  void Tag(int field, uint64_t type) { Varint(static_cast<uint64_t>(field) << 3 | type); }
  void Varint(uint64_t value) {
    char bytes[10];
    size_t size = 0;
    for (; value >= 0x80; value >>= 7) bytes[size++] = static_cast<char>(value | 0x80);
    bytes[size++] = static_cast<char>(value);
    out_->append(bytes, size);
  }
  /// Inserts the length of what was written since `begin`.
  void InsertLength(size_t begin) {
    std::string length;
    FieldWriter(&length).Varint(out_->size() - begin);
    out_->insert(begin, length);
  }

  std::string* const out_;
};

}  // namespace fensi::indexer

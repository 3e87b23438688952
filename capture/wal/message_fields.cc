#include "capture/wal/message_fields.h"

namespace fensi::capture {
namespace {

constexpr uint32_t kVarint = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5;
constexpr int kMaxShift = 63;

}  // namespace

bool MessageFields::Next() {
  if (rest_.empty() || !whole_) return false;
  uint64_t tag = 0;
  whole_ = ReadVarint(&tag) && tag <= UINT32_MAX && tag >> 3 != 0;
  if (!whole_) return false;
  number_ = static_cast<uint32_t>(tag >> 3);
  varint_ = 0;
  bytes_ = {};
  whole_ = ReadValue(static_cast<uint32_t>(tag & 7));
  return whole_;
}

bool MessageFields::ReadVarint(uint64_t* value) {
  *value = 0;
  for (int shift = 0; shift <= kMaxShift && !rest_.empty(); shift += 7) {
    const auto byte = static_cast<uint8_t>(rest_.front());
    rest_.remove_prefix(1);
    *value |= static_cast<uint64_t>(byte & 0x7f) << shift;
    if (byte < 0x80) return true;
  }
  return false;
}

bool MessageFields::ReadValue(uint32_t wire_type) {
  uint64_t length = 0;
  switch (wire_type) {
    case kVarint:
      return ReadVarint(&varint_);
    case kBytes:
      return ReadVarint(&length) && Take(length);
    case kFixed64:
      return Take(8);
    case kFixed32:
      return Take(4);
    default:
      return false;
  }
}

bool MessageFields::Take(uint64_t count) {
  if (count > rest_.size()) return false;
  bytes_ = rest_.substr(0, count);
  rest_.remove_prefix(count);
  return true;
}

}  // namespace fensi::capture

#include "mapping/functions/shape.h"

#include <algorithm>
#include <cmath>

namespace fensi::mapping {

ByteSet BytesOf(std::string_view text) {
  ByteSet bytes;
  for (const char c : text) bytes.set(static_cast<unsigned char>(c));
  return bytes;
}

ByteSet ByteRange(int first, int last) {
  ByteSet bytes;
  for (int c = first; c <= last; ++c) bytes.set(static_cast<size_t>(c));
  return bytes;
}

Direction Turned(Direction direction) {
  if (direction == Direction::kUp) return Direction::kDown;
  return direction == Direction::kDown ? Direction::kUp : Direction::kNone;
}

double BitsOf(double values) { return std::log2(std::max(values, 1.0)); }

void Shape::SetWidth(size_t least_width, size_t most_width) {
  min_width = least_width;
  max_width = most_width;
}

void Shape::SetRange(int64_t least_number, int64_t most_number) {
  least = least_number;
  most = most_number;
}

void Shape::LoseOrder() {
  order = Direction::kNone;
  keeps_sign = false;
  digits = {};
}

// A negative number is no longer negative.
void Shape::TurnOrder() {
  order = Turned(order);
  keeps_sign = false;
}

// Among numbers of one sign the order stays; otherwise negative ones come last, which says something of the value only
// where its sign is the number's.
void Shape::WriteSign() {
  if (least >= 0 || most < 0) return;
  order = order == Direction::kUp && keeps_sign ? Direction::kUpFromZero : Direction::kNone;
}

void Shape::Merge(double lost_bits) {
  injective = false;
  const double left = hash_bits - std::ceil(lost_bits);
  hash_bits = left > 0 ? static_cast<int>(left) : 0;
}

void Shape::MergeAny() {
  injective = false;
  hash_bits = 0;
}

void Shape::Change() {
  piece = terminated = false;
  digits = {};
}

void Shape::BecomeNumber(Type number_type) {
  Change();
  type = number_type;
  mappable = false;
  order = Direction::kNone;
  keeps_sign = false;
  least = INT64_MIN;
  most = INT64_MAX;
}

void Shape::BecomeRead(Type number_type, int64_t from, int64_t to) {
  const bool from_piece = piece;
  BecomeNumber(number_type);
  least = from;
  most = to;
  if (from_piece) order = Direction::kUp;
  keeps_sign = from_piece;
}

void Shape::BecomeBytes() {
  Change();
  type = Type::kBytes;
  bytes.set();
}

void Shape::BecomePacked(Type packed_type) {
  const bool of_source = piece;
  const bool first_number = of_source && packed_type == Type::kInteger;
  *this = Shape{.type = packed_type, .injective = false, .mappable = false, .may_be_absent = true};
  order = first_number ? Direction::kUp : Direction::kNone;
  keeps_sign = first_number;
  piece = of_source && packed_type == Type::kBytes;
}

void Shape::AddDefault(std::string_view text, int64_t number) {
  if (type == Type::kBytes) {
    SetWidth(std::min(min_width, text.size()), std::max(max_width, text.size()));
    bytes |= BytesOf(text);
    terminated = false;
    digits = {};
  } else {
    least = std::min(least, number);
    most = std::max(most, number);
  }
  MergeAny();
  may_be_absent = false;
}

void Shape::Settle() {
  if (!digits.any || !fixed() || bytes['-']) return;
  order = digits.order;
}

}  // namespace fensi::mapping

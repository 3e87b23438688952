// What is known of a value at compile time. Every function computes it from the shape of its input; what is unknown is
// not claimed.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fensi::mapping {

enum class Type : uint8_t { kBytes = 1, kInteger = 2, kTime = 4, kList = 8, kReal = 16, kDecimal = 32 };

/// How results are ordered relative to inputs.
enum class Direction : uint8_t {
  kUp,
  kUpFromZero,  // negative numbers after all others
  kDown,
  kNone,
};
/// The order after a function that keeps or reverses it.
Direction Turned(Direction direction);

using ByteSet = std::bitset<256>;
ByteSet BytesOf(std::string_view text);
ByteSet ByteRange(int first, int last);

struct Shape {
  static constexpr size_t kUnbounded = SIZE_MAX;
  static size_t SumOfWidths(size_t a, size_t b) { return a > kUnbounded - b ? kUnbounded : a + b; }

  Type type = Type::kBytes;
  size_t min_width = 0;  // of bytes
  size_t max_width = kUnbounded;
  ByteSet bytes = ByteSet().set();  // that can occur in it
  int64_t least = INT64_MIN;        // of numbers and times, and of the ranks of reals
  int64_t most = INT64_MAX;

  bool injective = true;       // two different sources never give the same value
  int hash_bits = 0;           // not injective: two sources give the same value with a chance of 2^-hash_bits; 0:
                               // unknown
  bool terminated = false;     // ends itself: nothing that follows can be taken for a part of it
  bool mappable = true;        // never unmappable for another reason than its length, whatever the source holds
  bool outgrows = false;       // a function can make more of it than a value may have
  bool may_be_absent = false;  // for lack of a column, or of a part
  bool exact_items = false;    // kList: items are bytes and not text, so they are not trimmed

  /// How values are ordered relative to their origin: the source's bytes, or the first number that is read from a part
  /// of them, "the value" below.
  Direction order = Direction::kUp;
  bool keeps_sign = true;  // of a number: negative if and only if the value is
  bool piece = true;       // still a part of the source: a number in it is a value of the source
  /// Decimal digits of a number with variable width, so their order is not the number's.
  struct Digits {
    bool any = false;
    Direction order = Direction::kNone;  // the number's
    bool keeps_sign = false;
  };
  Digits digits;

  bool fixed() const { return min_width == max_width; }
  bool non_negative() const { return least >= 0; }

  void SetWidth(size_t least_width, size_t most_width);
  void SetRange(int64_t least_number, int64_t most_number);
  void LoseOrder();
  void TurnOrder();
  /// An integer becomes eight bytes with its sign in front, as Bytes.toBytes(long) writes it.
  void WriteSign();
  /// Different values become equal: at most 2^lost_bits of them.
  void Merge(double lost_bits);
  /// An unknown number of values become equal.
  void MergeAny();
  /// No longer as in the source, and no digits of a number.
  void Change();
  /// A number or a time of any range, of unknown order.
  void BecomeNumber(Type number_type);
  /// A number or a time that is read out of bytes, in the order of what follows: the number itself is what order is of.
  void BecomeRead(Type number_type, int64_t from, int64_t to);
  void BecomeBytes();
  /// A value inside of a packed one, such as a record: a number of a part of the source is a value of the source.
  void BecomePacked(Type packed_type);
  /// `default`: adds this value. Not called if nothing can be absent.
  void AddDefault(std::string_view text, int64_t number);
  /// Digits of one width and without sign sort as their numbers.
  void Settle();
};

/// Bits that distinguish this many values.
double BitsOf(double values);

}  // namespace fensi::mapping

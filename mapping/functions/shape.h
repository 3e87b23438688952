// What can be said about a value before there is one. Every function computes it from what stands before it; what
// cannot be known is not claimed.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fensi::mapping {

enum class Type : uint8_t { kBytes = 1, kInteger = 2, kTime = 4, kList = 8 };

/// How results lie to what they are made of.
enum class Direction : uint8_t {
  kUp,
  kUpFromZero,  // negative numbers behind all others
  kDown,
  kNone,
};
/// Of what a function that keeps the order, or turns it round, makes of what stands before it.
Direction Turned(Direction direction);

using ByteSet = std::bitset<256>;
ByteSet BytesOf(std::string_view text);
ByteSet ByteRange(int first, int last);

struct Shape {
  static constexpr size_t kUnbounded = SIZE_MAX;

  Type type = Type::kBytes;
  size_t min_width = 0;  // of bytes
  size_t max_width = kUnbounded;
  ByteSet bytes = ByteSet().set();  // that can occur in it
  int64_t least = INT64_MIN;        // of numbers and times
  int64_t most = INT64_MAX;

  bool injective = true;       // two different sources never give the same value
  int hash_bits = 0;           // not injective: two sources give the same value with a chance of 2^-hash_bits; 0: any
  bool terminated = false;     // ends itself: nothing that follows can be taken for a part of it
  bool mappable = true;        // never unmappable for another reason than its length, whatever the source holds
  bool outgrows = false;       // a function can make more of it than a value may have
  bool may_be_absent = false;  // for want of a column, or of a piece
  bool exact_items = false;    // kList: items are bytes and not text, so they are not trimmed

  /// How values sort to what they are made of: the source's bytes, or the first number that is read out of a piece of
  /// them, "the value" below.
  Direction order = Direction::kUp;
  bool keeps_sign = true;  // of a number: negative where the value is, and nowhere else
  bool piece = true;       // still a piece of the source: a number in it is a value of the source
  /// Decimal digits of a number: as wide as they happen to be, so that their order is not the number's.
  struct Digits {
    bool any = false;
    Direction order = Direction::kNone;  // the number's
    bool keeps_sign = false;
  };
  Digits digits;

  bool fixed() const { return min_width == max_width; }
  bool non_negative() const { return least >= 0; }

  void SetWidth(size_t least_width, size_t most_width);
  void LoseOrder();
  void TurnOrder();
  /// An integer becomes eight bytes with its sign in front, as Bytes.toBytes(long) writes it.
  void WriteSign();
  /// Values become equal that were not: at most 2^lost_bits of them.
  void Merge(double lost_bits);
  /// Nothing is known of how many become equal.
  void MergeAny();
  /// No longer as it stood in the source, and no digits of a number.
  void Change();
  /// A number or a time of any range, of whose order nothing is known yet.
  void BecomeNumber(Type number_type);
  void BecomeBytes();
  /// `default`: this value, too. Not called where nothing can be absent.
  void AddDefault(std::string_view text, int64_t number);
  /// Digits of one width and without sign sort as their numbers.
  void Settle();
};

/// Bits that say which of so many values.
double BitsOf(double values);

}  // namespace fensi::mapping

// What can be said about a value before there is one. Every function computes it from what stands before it; what
// cannot be known is not claimed.
#pragma once

#include <bitset>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace fensi::mapping {

enum class Type : uint8_t { kBytes = 1, kInteger = 2, kTime = 4, kList = 8 };

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
  bool total = true;           // never absent or unmappable because of what the source holds
  bool may_be_absent = false;  // for want of a column, or of a piece
  bool exact_items = false;    // kList: items are bytes and not text, so they are not trimmed

  /// Values sort as what they are made of: the source's bytes, or the first number that is read out of a piece of them.
  bool ordered = true;
  bool ordered_from_zero = false;  // so, but negative numbers behind all others
  bool descending = false;         // the other way round
  bool piece = true;               // still a piece of the source: a number in it is a value of the source
  /// Decimal digits of a number: as wide as they happen to be, so that their order is not the number's.
  struct Digits {
    bool any = false;
    bool ordered = false;  // the number's order
    bool descending = false;
  };
  Digits digits;

  bool fixed() const { return min_width == max_width; }
  bool non_negative() const { return least >= 0; }

  void SetWidth(size_t least_width, size_t most_width);
  void LoseOrder();
  void TurnOrder();
  /// Values become equal that were not: at most 2^lost_bits of them.
  void Merge(double lost_bits);
  /// Nothing is known of how many become equal.
  void MergeAny();
  /// No longer as it stood in the source, and no digits of a number.
  void Change();
  /// A number or a time; its range is any.
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

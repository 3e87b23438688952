// Formats byte strings for people, and parses them: text as text, other bytes as the HBase shell writes them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi {

/// Keeps visible valid UTF-8 as it is; writes everything else, the backslash, controls, invisible characters and
/// invalid bytes, as \xNN (upper-case hex). Two byte strings never look the same, except for letters of different
/// scripts and accents that Unicode composes in several ways. Never clips.
std::string Escape(std::string_view bytes);

/// Printable ASCII as it is, everything else and the backslash as \xNN: Bytes.toStringBinary of HBase.
std::string EscapeAscii(std::string_view bytes);

/// Escape for messages, which must stay short: the first `most` bytes, then how many there are.
std::string EscapeSome(std::string_view bytes, size_t most);

/// The inverse of Escape and of EscapeAscii; bytes outside ASCII stand for themselves (UTF-8 is taken). A backslash
/// that is not followed by x and two hex digits is kInvalidArgument and names its position.
Result<std::string> Unescape(std::string_view text);

/// "1 byte", "2 bytes".
std::string CountedBytes(size_t number);

/// "family:qualifier", escaped by Escape; and by EscapeAscii.
std::string ColumnText(std::string_view family, std::string_view qualifier);
std::string ColumnAscii(std::string_view family, std::string_view qualifier);

/// Splits "family:qualifier" at the first colon; without a colon the qualifier is absent (has_qualifier false).
struct ColumnName {
  std::string_view family;
  std::string_view qualifier;
  bool has_qualifier = false;
};
ColumnName SplitColumn(std::string_view column);

/// Smallest byte string above every string that starts with `prefix`; empty when there is none (all 0xff or empty).
std::string PrefixEnd(std::string_view prefix);

/// Two's complement, big-endian, as HBase's Bytes.toBytes(long) writes.
void AppendBigEndian64(int64_t value, std::string* out);

/// Reads up to eight bytes, without sign.
inline uint64_t ReadBigEndian(std::string_view bytes) {
  uint64_t bits = 0;
  for (const char c : bytes) bits = bits << 8 | static_cast<uint8_t>(c);
  return bits;
}
/// Reads the first eight, and the first four bytes.
inline int64_t ReadBigEndian64(std::string_view bytes) {
  return static_cast<int64_t>(ReadBigEndian(bytes.substr(0, 8)));
}
inline uint32_t ReadBigEndian32(std::string_view bytes) {
  return static_cast<uint32_t>(ReadBigEndian(bytes.substr(0, 4)));
}

/// Of either case; below zero: the character is none.
int HexDigit(char c);

// Characters of UTF-8 text. Pure.

/// Length of the UTF-8 character at the start of a non-empty text; 0: none. Accepts overlong forms and surrogates, as
/// YAML does.
size_t Utf8Length(std::string_view rest);

/// The Unicode code point of a character that Utf8Length found.
uint32_t CodePoint(std::string_view character);

/// As many characters of a text as fit in this many bytes: never cuts within a character.
std::string_view FirstCharacters(std::string_view text, size_t most_bytes);

}  // namespace fensi

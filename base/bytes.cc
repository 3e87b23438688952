#include "base/bytes.h"

namespace fensi {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

bool IsPrintableAscii(char c) { return c >= 0x20 && c < 0x7f && c != '\\'; }

void AppendEscaped(char c, std::string* out) {
  const auto byte = static_cast<unsigned char>(c);
  out->append({'\\', 'x', kHex[byte >> 4], kHex[byte & 15]});
}

struct Range {
  uint32_t first, last;
};
// Controls, blanks and joiners that cannot be seen or told apart, marks of direction, tags, and what is no character.
constexpr Range kUnseen[] = {
    {0x80, 0xa0},     {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},     {0x115f, 0x1160},
    {0x1680, 0x1680}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x2000, 0x200f},   {0x2028, 0x202f},
    {0x205f, 0x206f}, {0x2800, 0x2800},   {0x3000, 0x3000},   {0x3164, 0x3164},   {0xd800, 0xdfff},
    {0xfdd0, 0xfdef}, {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},   {0xfff0, 0xfffb},
    {0xfffe, 0xffff}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff}, {0x110000, UINT32_MAX}};
constexpr uint32_t kFirstOfLength[] = {0, 0, 0x80, 0x800, 0x10000};  // shorter ones have a shorter form

/// Length of the visible non-ASCII character at the start; 0: none.
size_t SeenLength(std::string_view rest) {
  const size_t length = Utf8Length(rest);
  if (length < 2) return 0;
  const uint32_t code = CodePoint(rest.substr(0, length));
  if (code < kFirstOfLength[length]) return 0;
  for (const Range& range : kUnseen) {
    if (code >= range.first && code <= range.last) return 0;
  }
  return length;
}

}  // namespace

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

std::string Escape(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (size_t i = 0; i < bytes.size();) {
    const size_t length = IsPrintableAscii(bytes[i]) ? 1 : SeenLength(bytes.substr(i));
    if (length == 0) {
      AppendEscaped(bytes[i++], &out);
    } else {
      out.append(bytes.substr(i, length));
      i += length;
    }
  }
  return out;
}

std::string EscapeAscii(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (const char c : bytes) {
    if (IsPrintableAscii(c)) {
      out.push_back(c);
    } else {
      AppendEscaped(c, &out);
    }
  }
  return out;
}

std::string EscapeSome(std::string_view bytes, size_t most) {
  if (bytes.size() <= most) return Escape(bytes);
  return Escape(FirstCharacters(bytes, most)) + "… (" + std::to_string(bytes.size()) + " bytes)";
}

Result<std::string> Unescape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\') {
      out.push_back(text[i]);
      continue;
    }
    const int high = i + 3 < text.size() && text[i + 1] == 'x' ? HexDigit(text[i + 2]) : -1;
    const int low = high >= 0 ? HexDigit(text[i + 3]) : -1;
    if (low < 0) {
      return Status(StatusCode::kInvalidArgument,
                    "a backslash at byte " + std::to_string(i) +
                        " is not followed by x and two hex digits (write \\x5C for a backslash)");
    }
    out.push_back(static_cast<char>(high << 4 | low));
    i += 3;
  }
  return out;
}

std::string CountedBytes(size_t number) { return std::to_string(number) + (number == 1 ? " byte" : " bytes"); }

std::string ColumnText(std::string_view family, std::string_view qualifier) {
  return Escape(family) + ":" + Escape(qualifier);
}

std::string ColumnAscii(std::string_view family, std::string_view qualifier) {
  return EscapeAscii(family) + ":" + EscapeAscii(qualifier);
}

ColumnName SplitColumn(std::string_view column) {
  const size_t colon = column.find(':');
  if (colon == std::string_view::npos) return {column, {}, false};
  return {column.substr(0, colon), column.substr(colon + 1), true};
}

std::string PrefixEnd(std::string_view prefix) {
  std::string end(prefix);
  while (!end.empty() && static_cast<unsigned char>(end.back()) == 0xff) end.pop_back();
  if (!end.empty()) ++end.back();
  return end;
}

void AppendBigEndian64(int64_t value, std::string* out) {
  const auto bits = static_cast<uint64_t>(value);
  for (int shift = 56; shift >= 0; shift -= 8) out->push_back(static_cast<char>(bits >> shift));
}

size_t Utf8Length(std::string_view rest) {
  const auto lead = static_cast<unsigned char>(rest[0]);
  const size_t length = lead < 0x80                   ? 1
                        : lead >= 0xc2 && lead < 0xe0 ? 2
                        : lead >= 0xe0 && lead < 0xf0 ? 3
                        : lead >= 0xf0 && lead < 0xf5 ? 4
                                                      : 0;
  if (length == 0 || length > rest.size()) return 0;
  for (size_t i = 1; i < length; ++i) {
    if ((static_cast<unsigned char>(rest[i]) & 0xc0) != 0x80) return 0;
  }
  return length;
}

uint32_t CodePoint(std::string_view character) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(character[i])); };
  if (character.size() == 1) return byte(0);
  uint32_t code = byte(0) & (0x7fU >> character.size());
  for (size_t i = 1; i < character.size(); ++i) code = code << 6 | (byte(i) & 0x3f);
  return code;
}

std::string_view FirstCharacters(std::string_view text, size_t most_bytes) {
  if (text.size() <= most_bytes) return text;
  size_t end = most_bytes;
  while (end > 0 && most_bytes - end < 3 && (static_cast<unsigned char>(text[end]) & 0xc0) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace fensi

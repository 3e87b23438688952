#include "base/bytes.h"

namespace fensi {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

int HexDigit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

}  // namespace

std::string Escape(std::string_view bytes) {
  std::string out;
  out.reserve(bytes.size());
  for (unsigned char c : bytes) {
    if (c >= 0x20 && c < 0x7f && c != '\\') {
      out.push_back(static_cast<char>(c));
    } else {
      out.append({'\\', 'x', kHex[c >> 4], kHex[c & 15]});
    }
  }
  return out;
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

std::string ColumnText(std::string_view family, std::string_view qualifier) {
  return Escape(family) + ":" + Escape(qualifier);
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

}  // namespace fensi

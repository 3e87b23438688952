#include "consumer/codec/json_text.h"

#include <simdjson.h>

#include "base/bytes.h"

namespace fensi::consumer {
namespace {

constexpr char kHex[] = "0123456789ABCDEF";

}  // namespace

void AppendJsonBytes(std::string_view bytes, std::string* out) {
  out->push_back('"');
  for (const char c : Escape(bytes)) {
    if (c == '"' || c == '\\') out->push_back('\\');
    out->push_back(c);
  }
  out->push_back('"');
}

bool IsUtf8(std::string_view bytes) { return simdjson::validate_utf8(bytes.data(), bytes.size()); }

void AppendJsonText(std::string_view text, std::string* out) {
  if (!IsUtf8(text)) return AppendJsonBytes(text, out);
  out->push_back('"');
  for (const unsigned char c : text) {
    if (c == '"' || c == '\\') {
      out->append({'\\', static_cast<char>(c)});
    } else if (c < 0x20) {
      out->append({'\\', 'u', '0', '0', kHex[c >> 4], kHex[c & 15]});
    } else {
      out->push_back(static_cast<char>(c));
    }
  }
  out->push_back('"');
}

}  // namespace fensi::consumer

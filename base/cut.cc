#include "base/cut.h"

#include <openssl/sha.h>

#include <array>

#include "base/bytes.h"

namespace fensi {
namespace {

constexpr size_t kShownDigestBytes = 8;
// Maximum length of one byte in Escape's output.
constexpr size_t kEscapedByte = 4;

std::string TailOf(std::string_view whole) {
  std::array<unsigned char, SHA256_DIGEST_LENGTH> digest{};
  SHA256(reinterpret_cast<const unsigned char*>(whole.data()), whole.size(), digest.data());
  constexpr char kDigits[] = "0123456789abcdef";
  std::string tail = "… (" + std::to_string(whole.size()) + " bytes, SHA-256 ";
  for (size_t i = 0; i < kShownDigestBytes; ++i) {
    tail += kDigits[digest[i] >> 4];
    tail += kDigits[digest[i] & 0xf];
  }
  return tail + "…)";
}

}  // namespace

std::string CutText(std::string_view text, size_t most) {
  if (text.size() <= most) return std::string(text);
  const std::string tail = TailOf(text);
  return std::string(FirstCharacters(text, most - tail.size())) + tail;
}

std::string CutName(std::string_view name, size_t most) {
  if (name.size() <= most) {
    std::string whole = Escape(name);
    if (whole.size() <= most) return whole;
  }
  const std::string tail = TailOf(name);
  return Escape(FirstCharacters(name, (most - tail.size()) / kEscapedByte)) + tail;
}

}  // namespace fensi

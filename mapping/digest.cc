#include "mapping/digest.h"

#include <xxhash.h>

namespace fensi::mapping {

std::string Digest(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits(text.data(), text.size()));
  std::string out;
  for (unsigned char c : canonical.digest) out.append({kHex[c >> 4], kHex[c & 15]});
  return out;
}

}  // namespace fensi::mapping

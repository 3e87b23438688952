#include "base/random_name.h"

#include <cstdint>
#include <random>

namespace fensi {

std::string RandomName() {
  constexpr char kDigits[] = "0123456789abcdef";
  std::random_device random;
  std::string name;
  for (const uint32_t half : {random(), random()}) {
    for (int shift = 28; shift >= 0; shift -= 4) name += kDigits[half >> shift & 15];
  }
  return name;
}

}  // namespace fensi

// Numbers of things, as people read them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace fensi {

/// 1234567 -> "1,234,567".
std::string WithCommas(int64_t number);
/// "1 row", "2 rows", "3 entries", "1,000 indexes".
std::string Counted(int64_t number, std::string_view singular);

}  // namespace fensi

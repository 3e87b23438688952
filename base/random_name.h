// Draws unique names. Any thread.
#pragma once

#include <string>

namespace fensi {

/// 16 random hexadecimal digits.
std::string RandomName();

}  // namespace fensi

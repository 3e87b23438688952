// Names that nobody else has. Any thread.
#pragma once

#include <string>

namespace fensi {

/// 16 hexadecimal digits that nobody else draws.
std::string RandomName();

}  // namespace fensi

// Who is at work, for notes that others read later.
#pragma once

#include <string>

namespace fensi::cli {

/// "user@machine".
std::string WhoIsAtWork();
/// As the machine calls itself.
std::string MachineName();

}  // namespace fensi::cli

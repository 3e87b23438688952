// The user and machine of this process, for records that others read later.
#pragma once

#include <string>

namespace fensi {

/// "user@machine".
std::string WhoIsAtWork();
/// The machine's own name.
std::string MachineName();

}  // namespace fensi

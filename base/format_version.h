// Versions of stored formats: everything that is stored has the number of its format, and a program reads the format
// that it writes and the one before (docs/versions.md). Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi {

/// Formats count from 1; 0 is no format.
constexpr bool ReadsFormat(int64_t found, int64_t written) {
  return found > 0 && found <= written && found >= written - 1;
}

/// "1", or "2 and 3": the formats that a program reads that writes this one.
std::string FormatsRead(int64_t written);

/// kConfiguration names `what` and the remedy: use the newer program or, if the format is too old, `renew`, the end of
/// a sentence.
Status CheckFormat(const std::string& what, int64_t found, int64_t written, const std::string& renew);

}  // namespace fensi

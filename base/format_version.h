// The rule for everything that is kept: it carries the number of its format, and a program reads the format that it
// writes and the one before (docs/versions.md). Pure functions.
#pragma once

#include <cstdint>
#include <string>

#include "base/status.h"

namespace fensi {

/// Formats count from 1; 0 is no number of a format.
constexpr bool ReadsFormat(int64_t found, int64_t written) {
  return found > 0 && found <= written && found >= written - 1;
}

/// "1", or "2 and 3": what a program reads that writes this format.
std::string FormatsRead(int64_t written);

/// kConfiguration names `what` has the format, and what to do: go back to the newer program, or, when it is too old,
/// `renew`, the end of a sentence.
Status CheckFormat(const std::string& what, int64_t found, int64_t written, const std::string& renew);

}  // namespace fensi

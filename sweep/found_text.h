// A finding as one line of words, and back. Pure.
#pragma once

#include <optional>
#include <string>

#include "sweep/finding.h"

namespace fensi::sweep {

/// KIND SEEN CONFIRMED TIMESTAMP =FAMILY =QUALIFIER =SOURCE_ROW =TABLE =ROW =FAMILY =QUALIFIER =EXPECTED =FOUND
/// =REASON;
/// "-" for the first family and qualifier where the unit is a whole row.
std::string TextOf(const Finding& finding);
/// Absent: it is none.
std::optional<Finding> FindingOf(const std::string& text);

}  // namespace fensi::sweep

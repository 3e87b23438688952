// Finds the byte at which a text stops being JSON, which the fast parser does not report.
#pragma once

#include <string_view>

#include "base/status.h"

namespace fensi::consumer {

/// kInvalidArgument with the byte (from 1) at which `text` is not JSON, or with `otherwise` if it is.
Status JsonFault(std::string_view text, std::string_view otherwise);

}  // namespace fensi::consumer

// What a mapping file must be before anybody parses it: UTF-8 text of bounded size without tabs or control characters.
#pragma once

#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// False when something was reported.
bool CheckText(Reporter* reporter);

}  // namespace fensi::mapping

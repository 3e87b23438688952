// What a mapping file must be before anybody parses it: UTF-8 text of bounded size without tabs or control characters.
#pragma once

#include <cstddef>
#include <string_view>

#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// Length of the UTF-8 character that begins a text of at least one byte; 0: none does. Overlong forms and surrogates
/// are taken, as YAML judges them.
size_t Utf8Length(std::string_view rest);

bool IsControl(char c);

/// False when something was reported.
bool CheckText(Reporter* reporter);

}  // namespace fensi::mapping

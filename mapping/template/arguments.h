// The arguments of a function as written, checked and made ready for it.
#pragma once

#include <string>

#include "mapping/functions/function.h"
#include "mapping/outside.h"
#include "mapping/template/syntax.h"

namespace fensi::mapping {

/// Reads one argument. On failure `problem` says what it must be.
bool ReadArgument(const Parameter& parameter, const ArgumentSyntax& syntax, const Arguments& before,
                  const Outside& outside, Argument* out, std::string* problem);

}  // namespace fensi::mapping

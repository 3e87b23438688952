// Parses and checks the arguments of a function.
#pragma once

#include <string>
#include <string_view>

#include "mapping/environment.h"
#include "mapping/functions/function.h"
#include "mapping/template/syntax.h"

namespace fensi::mapping {

// Hints for words of other languages. Pure.

/// The word of the mapping language for this; empty: unknown. For words after a bar, and before the first bar.
std::string_view HintForFunction(std::string_view word);
std::string_view HintForReference(std::string_view word);

// Parses and checks the arguments of a function.

/// Reads one argument. On failure `problem` has the required form.
bool ReadArgument(const Parameter& parameter, const ArgumentSyntax& syntax, const Arguments& before,
                  const Outside& outside, Argument* out, std::string* problem);

}  // namespace fensi::mapping

// Words that other languages have for what a template says in another way. Pure.
#pragma once

#include <string_view>

namespace fensi::mapping {

/// How to say it here; empty: the word is nobody's. Of what stands behind a bar, and of what stands in front of it.
std::string_view HintForFunction(std::string_view word);
std::string_view HintForReference(std::string_view word);

}  // namespace fensi::mapping

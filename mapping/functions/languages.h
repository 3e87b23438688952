// Queries ICU about languages.
#pragma once

#include <string>

namespace fensi::mapping {

/// True for a language tag (BCP 47) of a language that ICU knows, and for "und".
bool IsLanguageTag(const std::string& tag);

}  // namespace fensi::mapping

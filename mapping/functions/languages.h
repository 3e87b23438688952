// Queries ICU about languages.
#pragma once

#include <optional>
#include <string>

namespace fensi::mapping {

/// The one spelling of a language tag (BCP 47) of a language that ICU knows, or of "und": "zh-u-co-stroke". Absent: it
/// is none.
std::optional<std::string> LanguageTag(const std::string& tag);

/// The version of Unicode that ICU goes by: "15.0.0.0".
std::string UnicodeVersionOfIcu();

}  // namespace fensi::mapping

#include "mapping/functions/languages.h"

#include <unicode/locid.h>

namespace fensi::mapping {

bool IsLanguageTag(const std::string& tag) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(tag, error);
  if (U_FAILURE(error) != 0 || locale.isBogus() != 0) return false;
  const std::string language = locale.getLanguage();
  if (language.empty() || language == "und") return tag.starts_with("und");
  const char* const* const known = icu::Locale::getISOLanguages();
  for (size_t i = 0; known[i] != nullptr; ++i) {
    if (language == known[i]) return true;
  }
  return false;
}

}  // namespace fensi::mapping

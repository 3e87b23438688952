#include "mapping/functions/languages.h"

#include <unicode/locid.h>
#include <unicode/uchar.h>

#include <algorithm>
#include <array>

namespace fensi::mapping {

std::optional<std::string> LanguageTag(const std::string& tag) {
  UErrorCode error = U_ZERO_ERROR;
  const icu::Locale locale = icu::Locale::forLanguageTag(tag, error);
  if (U_FAILURE(error) != 0 || locale.isBogus() != 0) return std::nullopt;
  const std::string language = locale.getLanguage();
  const auto is_language = [&language](const char* one) { return language == one; };
  const char* const* const known = icu::Locale::getISOLanguages();
  const char* const* end = known;
  while (*end != nullptr) ++end;
  const bool every = language.empty() || language == "und";
  if (every ? !tag.starts_with("und") : std::none_of(known, end, is_language)) return std::nullopt;
  auto one_spelling = locale.toLanguageTag<std::string>(error);
  return U_FAILURE(error) != 0 ? std::nullopt : std::optional(std::move(one_spelling));
}

std::string UnicodeVersionOfIcu() {
  UVersionInfo version;
  u_getUnicodeVersion(version);
  std::array<char, U_MAX_VERSION_STRING_LENGTH> text{};
  u_versionToString(version, text.data());
  return text.data();
}

}  // namespace fensi::mapping

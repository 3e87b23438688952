// Functions for the letters of all languages, by ICU: case, normal forms and sort keys.
#include <unicode/casemap.h>
#include <unicode/coll.h>
#include <unicode/normalizer2.h>
#include <unicode/ucol.h>
#include <unicode/utf8.h>

#include <map>
#include <memory>

#include "mapping/functions/function.h"
#include "mapping/functions/inverse.h"

namespace fensi::mapping {
namespace {

using Kind = ArgumentKind;
constexpr Category kCategory = Category::kText;

bool IsUtf8(std::string_view text) {
  const auto* const bytes = reinterpret_cast<const uint8_t*>(text.data());
  const auto size = static_cast<int32_t>(text.size());
  UChar32 character = 0;
  for (int32_t at = 0; at < size && character >= 0;)
    U8_NEXT(bytes, at, size, character);  // NOLINT(bugprone-inc-dec-in-conditions)
  return character >= 0;
}

icu::StringPiece PieceOf(std::string_view text) { return {text.data(), static_cast<int32_t>(text.size())}; }

/// Runs `change` over UTF-8 of at most kMostValueBytes; refuses what is none.
template <typename Change>
Outcome Changed(Value* v, Scratch* scratch, const Change& change) {
  if (!IsUtf8(v->bytes)) return Refuse(scratch, Shown(v->bytes) + " is not UTF-8");
  std::string out;
  icu::StringByteSink<std::string> sink(&out);
  UErrorCode error = U_ZERO_ERROR;
  change(PieceOf(v->bytes), &sink, &error);
  if (U_FAILURE(error) != 0) return Refuse(scratch, Shown(v->bytes) + ": ICU says " + u_errorName(error));
  v->bytes = scratch->Keep(out);
  return Outcome::kValue;
}

Outcome LowerAll(const Arguments&, Value* v, Scratch* scratch) {
  return Changed(v, scratch, [](icu::StringPiece text, icu::ByteSink* sink, UErrorCode* error) {
    icu::CaseMap::utf8ToLower("", 0, text, *sink, nullptr, *error);
  });
}

Outcome UpperAll(const Arguments&, Value* v, Scratch* scratch) {
  return Changed(v, scratch, [](icu::StringPiece text, icu::ByteSink* sink, UErrorCode* error) {
    icu::CaseMap::utf8ToUpper("", 0, text, *sink, nullptr, *error);
  });
}

Outcome Fold(const Arguments&, Value* v, Scratch* scratch) {
  return Changed(v, scratch, [](icu::StringPiece text, icu::ByteSink* sink, UErrorCode* error) {
    icu::CaseMap::utf8Fold(0, text, *sink, nullptr, *error);
  });
}

template <const icu::Normalizer2* (*kForm)(UErrorCode&)>
Outcome Normal(const Arguments&, Value* v, Scratch* scratch) {
  return Changed(v, scratch, [](icu::StringPiece text, icu::ByteSink* sink, UErrorCode* error) {
    const icu::Normalizer2* const form = kForm(*error);
    if (U_SUCCESS(*error) != 0) form->normalizeUTF8(0, text, *sink, nullptr, *error);
  });
}

void ChangedShape(const Arguments&, Shape* shape) {
  shape->MergeAny();
  shape->LoseOrder();
  shape->BecomeBytes();
  shape->mappable = false;
  shape->SetWidth(0, Shape::kUnbounded);
  shape->outgrows = true;
}

/// Collators of this thread, by locale; not a member of any index, as ICU's may be used by one thread at a time only.
icu::Collator* CollatorOf(const std::string& locale, UErrorCode* error) {
  thread_local std::map<std::string, std::unique_ptr<icu::Collator>> collators;
  std::unique_ptr<icu::Collator>& collator = collators[locale];
  if (!collator) collator.reset(icu::Collator::createInstance(icu::Locale::forLanguageTag(locale, *error), *error));
  return collator.get();
}

// Sort keys end with a zero byte and have none before it; the end is left to `terminated`.
Outcome Collate(const Arguments& a, Value* v, Scratch* scratch) {
  constexpr size_t kMostText = size_t{1} << 20;
  if (!IsUtf8(v->bytes)) return Refuse(scratch, Shown(v->bytes) + " is not UTF-8");
  if (v->bytes.size() > kMostText) return RefuseLength(scratch);
  UErrorCode error = U_ZERO_ERROR;
  icu::Collator* const collator = CollatorOf(a[0].text, &error);
  if (collator == nullptr || U_FAILURE(error) != 0)
    return Refuse(scratch, "ICU has no sort order for '" + a[0].text + "'. Install the data of ICU on this machine");
  const icu::UnicodeString text = icu::UnicodeString::fromUTF8(PieceOf(v->bytes));
  std::string key(64 + 8 * static_cast<size_t>(text.length()), '\0');
  for (;;) {
    const int32_t size =
        collator->getSortKey(text, reinterpret_cast<uint8_t*>(key.data()), static_cast<int32_t>(key.size()));
    if (static_cast<size_t>(size) > key.size()) {
      key.resize(static_cast<size_t>(size));
      continue;
    }
    key.resize(size > 0 ? static_cast<size_t>(size) - 1 : 0);
    break;
  }
  v->bytes = scratch->Keep(key);
  return Outcome::kValue;
}

void CollateShape(const Arguments& a, Shape* shape) {
  ChangedShape(a, shape);
  shape->bytes.reset(0);
}

/// A new ICU sorts otherwise: an index with its sort keys then has another definition, and is to be built anew.
int CollationVersion() {
  UVersionInfo icu;
  u_getVersion(icu);
  return icu[0];
}

Function Text(std::string_view name, std::string_view summary, Example example,
              Outcome (*apply)(const Arguments&, Value*, Scratch*)) {
  return {name,
          kCategory,
          {},
          Takes(Type::kBytes),
          apply,
          ChangedShape,
          "bytes -> bytes",
          summary,
          "unmappable when it is not UTF-8",
          example,
          {},
          1,
          true};
}

}  // namespace

std::vector<Function> TextFunctions() {
  std::vector<Function> all = {
      Text("lower_unicode", "letters of all languages in lower case, whatever the machine's language",
           {"| lower_unicode", "ÄPFEL Ω", "äpfel ω"}, LowerAll),
      Text("upper_unicode", "letters of all languages in upper case", {"| upper_unicode", "straße", "STRASSE"},
           UpperAll),
      Text("fold", "the form by which texts are compared when case does not count (Unicode's full case folding)",
           {"| fold", "Straße", "strasse"}, Fold),
      Text("nfc", "normal form C: letters with their accents as one character where there is one",
           {"| nfc | hex", "e\\xCC\\x81", "c3a9"}, Normal<icu::Normalizer2::getNFCInstance>),
      Text("nfkc",
           "normal form KC: as nfc, and characters that only look otherwise (full width, ligatures) as the plain ones",
           {"| nfkc", "ﬁ１", "fi1"}, Normal<icu::Normalizer2::getNFKCInstance>),
  };
  all.push_back(
      {"collate",
       kCategory,
       {{"locale", Kind::kLocale}},
       Takes(Type::kBytes),
       Collate,
       CollateShape,
       "bytes -> bytes",
       "the sort key of a language (BCP 47, as `de` or `zh-u-co-stroke`; `und` is the order for all), without a zero "
       "byte; depends on the major version of ICU",
       "unmappable when it is not UTF-8, or longer than 1 MiB",
       {"| collate de | hex | first 4", "ä", "2a01"},
       {},
       CollationVersion()});
  return all;
}

}  // namespace fensi::mapping

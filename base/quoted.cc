#include "base/quoted.h"

#include "base/bytes.h"

namespace fensi {

RedactableText QuotedBytes(std::string_view bytes) { return RedactableText::Quote(Escape(bytes)); }

RedactableText QuotedColumn(std::string_view family, std::string_view qualifier) {
  return Escape(family) + ":" + QuotedBytes(qualifier);
}

}  // namespace fensi

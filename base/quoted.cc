#include "base/quoted.h"

#include "base/bytes.h"

namespace fensi {

Words QuotedBytes(std::string_view bytes) { return Words::Quote(Escape(bytes)); }

Words QuotedColumn(std::string_view family, std::string_view qualifier) {
  return Escape(family) + ":" + QuotedBytes(qualifier);
}

}  // namespace fensi

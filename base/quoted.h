// Quotes table data as a part of RedactableText. Pure.
#pragma once

#include <string_view>

#include "base/redactable_text.h"

namespace fensi {

/// A row key, a value or other table data, as Escape shows it.
RedactableText QuotedBytes(std::string_view bytes);
/// "family:qualifier" as ColumnText: a family is a part of the schema, a qualifier may be data.
RedactableText QuotedColumn(std::string_view family, std::string_view qualifier);

}  // namespace fensi

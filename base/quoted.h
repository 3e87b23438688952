// What tables hold, as a part of Words. Pure.
#pragma once

#include <string_view>

#include "base/words.h"

namespace fensi {

/// A row key, a value or whatever else a table holds, as Escape shows it.
Words QuotedBytes(std::string_view bytes);
/// "family:qualifier" as ColumnText: a family is a part of the schema, a qualifier may be data.
Words QuotedColumn(std::string_view family, std::string_view qualifier);

}  // namespace fensi

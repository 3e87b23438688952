// How people write and read the parts of a row key: in digits, where the source holds a number in bytes. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/status.h"
#include "mapping/definition/definition.h"
#include "mapping/lookup/key_parts.h"

namespace fensi::mapping {

/// The function that reads the part's number out of its bytes; null: the part is no such number.
const Step* NumberStep(const KeyPart& part);

/// Digits as the bytes of their number where the part is one, and anything else as it is. kInvalidArgument: the number
/// does not fit.
Result<std::string> BytesOfPart(const KeyPart& part, std::string_view typed);

/// The number that these bytes of a reference are; nothing: they are none, or text.
std::optional<int64_t> NumberOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes);

}  // namespace fensi::mapping

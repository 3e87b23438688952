// How people write and read the parts of a row key: in digits, where the source holds a number in bytes, and as times
// where its numbers are known to be some. Pure.
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

/// Digits as the bytes of their number where the part is one, a time as those of its number where the part is known to
/// be one, and anything else as it is. kInvalidArgument: the number does not fit, or the time lies between two numbers.
Result<std::string> BytesOfPart(const IndexDefinition& definition, const KeyPart& part, std::string_view typed);

/// The number that these bytes of a reference are; nothing: they are none, or text.
std::optional<int64_t> NumberOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes);

/// The time that these bytes of a reference are, in milliseconds, where some template of the index reads them as one
/// and the time would be read back as these bytes; nothing: else.
std::optional<int64_t> TimeOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes);

}  // namespace fensi::mapping

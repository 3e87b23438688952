// The key parts that a reader of an index gives, in order. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "mapping/definition/definition.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

/// A reference of the row key; or, if the key has several parts of one value and never the whole, one such part: the
/// result of its first `steps` functions.
struct KeyPart {
  const Part* first = nullptr;  // of the row template, behind the salt
  size_t steps = 0;
  std::string name;  // "row", "f:doc | json city"

  /// True if the value of this key part determines that part of the template.
  bool Decides(const Part& part) const;
};

/// In order of first use, without those that only a salt is made of. Borrows the template.
std::vector<KeyPart> KeyParts(const Template& row);

// Converts parts of a row key to and from what people type: digits if the source has a number in bytes, and times if
// its numbers are known to be some. Pure.

/// The function that reads the part's number from its bytes; null: it is no such number.
const Step* NumberStep(const KeyPart& part);

/// True if that function reads a text.
bool ReadsText(const KeyPart& part);

/// Digits as the bytes of their number if the part is one, a time as those of its number if the part is known to be
/// one, and anything else as it is. kInvalidArgument: the number does not fit, the time is between two numbers, or a
/// printable text is no value of the function that reads the part.
Result<std::string> BytesOfPart(const IndexDefinition& definition, const KeyPart& part, std::string_view typed);

/// The rank of the real number that the function reads from some bytes and that is nearest to this one: a float is
/// nearest to 19.9, and no float is 19.9.
int64_t NearestRank(const Step& step, int64_t rank);

/// The text that people write for these bytes; absent: the function refuses them.
std::optional<std::string> TextBy(const Step& step, std::string_view bytes);
/// The bytes of which the function makes what was written, or the float that is nearest to it; absent: it makes no such
/// value.
std::optional<std::string> BytesByText(const Step& step, std::string_view typed);

/// The number of these bytes of a reference; absent: they are none, or text.
std::optional<int64_t> NumberOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes);

/// The text of the value of these bytes of a reference, if a function reads another value than a whole number from them
/// (a double, a UUID) and the text would be read back as these bytes; absent otherwise.
std::optional<std::string> TextOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes);

/// The time of these bytes of a reference, in milliseconds, if some template of the index reads them as one and the
/// time would be read back as these bytes; absent otherwise.
std::optional<int64_t> TimeOfPart(const IndexDefinition& definition, std::string_view name, std::string_view bytes);

}  // namespace fensi::mapping

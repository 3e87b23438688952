// The types of Phoenix: how many bytes a value has, and where the fields of a composite row key end. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fensi::mapping {

/// In the order of kPhoenixTypes.
enum class PhoenixType {
  kBigint,
  kInteger,
  kSmallint,
  kTinyint,
  kUnsignedLong,
  kUnsignedInt,
  kUnsignedSmallint,
  kUnsignedTinyint,
  kDouble,
  kFloat,
  kUnsignedDouble,
  kUnsignedFloat,
  kDate,
  kTime,
  kTimestamp,
  kUnsignedDate,
  kUnsignedTime,
  kUnsignedTimestamp,
  kDecimal,
  kBoolean,
  kChar,
  kVarchar,
};

inline constexpr std::string_view kPhoenixTypes =
    "BIGINT INTEGER SMALLINT TINYINT UNSIGNED_LONG UNSIGNED_INT UNSIGNED_SMALLINT UNSIGNED_TINYINT DOUBLE FLOAT "
    "UNSIGNED_DOUBLE UNSIGNED_FLOAT DATE TIME TIMESTAMP UNSIGNED_DATE UNSIGNED_TIME UNSIGNED_TIMESTAMP DECIMAL BOOLEAN "
    "CHAR VARCHAR";

/// Bytes of every value; 0: as many as it has.
size_t WidthOf(PhoenixType type);
std::optional<PhoenixType> PhoenixTypeNamed(std::string_view name);

struct KeyField {
  size_t width = 0;  // 0: up to a separator, which may be missing behind the last field
  bool descending = false;
};

struct KeyFields {
  bool salted = false;  // one byte in front
  std::vector<KeyField> fields;
  std::string text;  // in the one spelling: "SALTED BIGINT, CHAR(2), VARCHAR DESC"
};

/// "SALTED BIGINT, CHAR(2), VARCHAR DESC". Nothing, and what it must be.
std::optional<KeyFields> ParseKeyFields(std::string_view text, std::string* problem);
/// The bytes of the n-th field, counted from 0, without its separator. Nothing: the key ends before it, or
/// goes on behind the last field.
std::optional<std::string_view> FieldOf(const KeyFields& fields, std::string_view key, size_t n);

}  // namespace fensi::mapping

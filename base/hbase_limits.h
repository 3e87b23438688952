// Limits of HBase, for all checks.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi {

constexpr size_t kMaxRowBytes = 32767;                      // HConstants.MAX_ROW_LENGTH, Java's Short.MAX_VALUE
constexpr size_t kMaxRegionBytes = 255;                     // RegionInfo's encoded names have 32
constexpr size_t kMaxFamilyBytes = 127;                     // Byte.MAX_VALUE
constexpr size_t kMaxValueBytes = 10 * 1024 * 1024 - 1024;  // hbase.client.keyvalue.maxsize, less the key
/// HBase reads INT64_MAX as "now", and the entries of a cell need a version above its own: timestamps above this are
/// refused.
constexpr int64_t kMaxTimestamp = INT64_MAX - 3;

// The row key that comes next in HBase's order. Pure.

/// The first row key after `row` that HBase can hold. Nothing lies between both. A key of kMaxRowBytes has none that is
/// one byte longer. Empty: no key comes after it.
std::string RowAfter(std::string row);

// Names of HBase tables: "table", or "namespace:table".

/// Letters and digits of any language, '_', '-' and '.', beginning with neither '-' nor '.'; a namespace has no '-' and
/// '.'. UTF-8 of at most 200 bytes. Source: HBase's TableName.isLegalTableQualifierName and isLegalNamespaceName, which
/// ask Java's Character.isAlphabetic for each unit of UTF-16: characters beyond U+FFFF are refused.
bool IsTableName(std::string_view name);

/// As HBase writes it in its log and its answers: without the namespace `default`.
std::string_view CanonicalTableName(std::string_view name);

/// A name that a person gave, canonical; kInvalidArgument says what is wrong with it.
Result<std::string> ParseTableName(std::string_view name);

/// The name of a topic for the changes of the table, unique per table: ':' becomes '.', and a table of the namespace
/// `default` whose name has a '.' gets the prefix "default.". A namespace has no '.', so the first '.' ends it. Kafka's
/// topics have ASCII names: any other name becomes NAMESPACE..NAME with -e8 for the byte 0xE8 and -- for '-'. No other
/// table has two dots there, because no name begins with a dot.
std::string TopicOfTable(std::string_view name);

// Which timestamps of source cells an index takes, and what room that leaves for the versions of its entries.

/// Versions above the newest timestamp of a source row. Each change of the row takes one of them, an ambiguous change
/// takes two: the room lasts 17 years at 1,000 ambiguous changes of one row a second. More room would refuse times that
/// clients use: INT64_MAX minus the milliseconds since 1970 orders versions from the oldest to the newest.
constexpr int64_t kVersionRoom = int64_t{1} << 40;
/// The newest timestamp of a source cell that an index accepts: no later change of the row could follow a put above it.
constexpr int64_t kMaxSourceTime = INT64_MAX - kVersionRoom;
/// The time in an index of a cell above kMaxSourceTime: above everything that the index accepts.
constexpr int64_t kAboveSourceTimes = kMaxSourceTime + 1;
/// The newest index cell above which a repair puts: half of the room stays for later changes.
constexpr int64_t kMaxPassedVersion = kMaxSourceTime + kVersionRoom / 2;

}  // namespace fensi

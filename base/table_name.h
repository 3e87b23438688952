// Names of HBase tables: "table", or "namespace:table".
#pragma once

#include <string>
#include <string_view>

#include "base/status.h"

namespace fensi {

/// Letters, digits, '_', '-' and '.', beginning with a letter, digit or '_'; a namespace has no '-' and '.'. At most
/// 200 bytes. Source: HBase's TableName.isLegalTableQualifierName and isLegalNamespaceName, narrowed to ASCII.
bool IsTableName(std::string_view name);

/// As HBase writes it in its log and its answers: without the namespace `default`.
std::string_view CanonicalTableName(std::string_view name);

/// A name that a person gave, canonical; kInvalidArgument says what is wrong with it.
Result<std::string> ParseTableName(std::string_view name);

/// The name of a topic for the changes of the table, another one for each table: ':' becomes '.', and a table of the
/// namespace `default` whose name has a '.' gets "default." in front. A namespace has no '.', so the first '.' ends it.
std::string TopicOfTable(std::string_view name);

}  // namespace fensi

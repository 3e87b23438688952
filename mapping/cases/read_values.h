// Bytes and names of columns, as `tests:` writes them.
#pragma once

#include <optional>
#include <string>

#include "mapping/outside.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// The bytes of a value: a text, or a message as { proto: pkg.Message, text: '…' }.
std::string ReadValue(const Node& node, const Outside& outside, Reporter* reporter);

/// The bytes of a text with \xNN escapes; a bad one is reported.
std::string ReadBytes(const Node& node, const std::string& what, Reporter* reporter);

/// Splits 'family:qualifier'; anything else is reported.
struct Column {
  std::string family;
  std::string qualifier;
};
std::optional<Column> ReadColumn(const Node& node, Reporter* reporter);

}  // namespace fensi::mapping

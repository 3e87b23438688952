// Reads `tests:` of a mapping file. Pure; reports every error.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/cell.h"
#include "mapping/environment.h"
#include "mapping/index.h"
#include "mapping/test_case.h"
#include "mapping/yaml/node.h"
#include "mapping/yaml/reporter.h"

namespace fensi::mapping {

/// The names that the tests of a file may use.
struct CaseNames {
  const std::string& source_table;
  const std::vector<std::shared_ptr<const Index>>& indexes;
  const Node* declared = nullptr;  // `indexes:` as written: errors in tests of an invalid index are not reported
};

std::vector<TestCase> ReadCases(const Node& node, const CaseNames& names, const Outside& outside, Reporter* reporter);

// Reads `given:` of a test: changes of the source, as people write them.

/// One item of `given`: { put: a, 'f1:from': b, ts: 1 } and the like.
std::optional<ChangeEvent> ReadGiven(const Node& node, const std::string& table, const Outside& outside,
                                     Reporter* reporter);

// Reads bytes and names of columns in `tests:`.

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

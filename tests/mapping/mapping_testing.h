// RedactableText for tests of mappings: load one index from its lines, show it cells, read its entries.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "mapping/index.h"
#include "mapping/mapping.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

/// The only index of a file made of "source: t", "indexes: x:" and the given lines. Aborts with the diagnostics' text
/// when there are errors.
std::shared_ptr<const Index> LoadIndex(const std::vector<std::string>& lines);

/// As LoadIndex; null when there are errors.
std::shared_ptr<const Index> TryLoadIndex(const std::vector<std::string>& lines);

/// The messages of deploy/examples/visitors.proto beside every mapping file, and named zones: Test/Half, half an
/// hour ahead of UTC, an hour from 2016 on; Test/Back, two hours ahead of UTC, an hour from 2016 on.
const Environment& TestEnvironment();

/// The records of deploy/examples/orders.avsc and tests/data/types/types.avsc.
std::shared_ptr<const AvroSchemas> OrderSchemas();

/// What Load says about such an index; empty: nothing.
std::string DiagnosticsOf(const std::vector<std::string>& lines);

/// A cell as "f1:from=b@5" (escaped, "@5" may be left out: timestamp 1).
struct TestCell {
  TestCell(const char* text);  // NOLINT: implicit by design
  std::string family, qualifier, value;
  int64_t timestamp = 1;
};

/// Entries of a row as "row family:qualifier=value", escaped, in the order of Derive; problems as "! reason".
std::vector<std::string> Entries(const Index& index, std::string_view row, const std::vector<TestCell>& cells);

/// Compiles "{row STEPS}", with the messages and zones of TestEnvironment; absent, and why, if it is none.
std::optional<Template> CompileSteps(const std::string& steps, std::string* diagnostics = nullptr);
/// Runs "{row STEPS}" on an input; "absent", or "unmappable: reason"; otherwise the escaped bytes.
std::string RunSteps(const std::string& steps, std::string_view input);

/// The tree's folder, with a file's path behind it.
std::string InTree(const std::string& path);
std::string ReadFile(const std::string& path);

}  // namespace fensi::mapping

// Samples of tables for tests of starter mappings.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "mapping/mapping.h"
#include "mapping/mapping_draft.h"

namespace fensi::mapping {

/// Cells as {"f:q", "value"}; families are those of the cells, in their order.
struct TestRow {
  std::string row;
  std::vector<std::pair<std::string, std::string>> cells;
};

inline TableSample SampleOf(const std::string& table, const std::vector<TestRow>& rows) {
  TableSample sample{table, {}, {}};
  for (const TestRow& row : rows) {
    sample.rows.push_back({row.row, {}});
    for (const auto& [column, value] : row.cells) {
      const ColumnName name = SplitColumn(column);
      const std::string family(name.family);
      const auto same = [&](const SampleFamily& known) { return known.name == family; };
      if (std::none_of(sample.families.begin(), sample.families.end(), same)) sample.families.push_back({family, {}});
      sample.rows.back().cells.push_back(
          {.family = family, .qualifier = std::string(name.qualifier), .timestamp = 5, .value = value});
    }
  }
  return sample;
}

/// The text with all proposals active.
inline std::string WithAllProposals(const std::string& text) {
  const std::string names = std::regex_replace(text, std::regex("\n  # ([A-Za-z0-9_-]+:)(?=\n)"), "\n  $1");
  return std::regex_replace(names, std::regex("\n  #   "), "\n    ");
}

/// What 'fensi check' would say.
inline std::string Complaints(const std::string& text) {
  Diagnostics diagnostics;
  Load({{"starter", text}}, &diagnostics);
  return diagnostics.Text();
}

}  // namespace fensi::mapping

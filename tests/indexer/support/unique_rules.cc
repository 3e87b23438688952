#include "tests/indexer/support/unique_rules.h"

#include <sstream>

namespace fensi::testing {
namespace {

const SourceModel::Column kKey{"f", "k"};

}  // namespace

Rule UniqueKeyRule() {
  return {"row", "    row: '{f:k}'\n    columns: { 'f:r': '{row}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = cells.find(kKey);
            if (key != cells.end()) (*out)[{key->second.value, "f:r"}] = row;
          }};
}

Rule UniqueColumnsRule(const std::string& name, const std::string& each) {
  return {name,
          "    each: " + each + "\n    row: '{value}'\n    columns: { 'f:{qualifier}': '{row}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              if (column.second != "x") (*out)[{value.value, "f:" + column.second}] = row;
            }
          }};
}

Rule UniqueListRule() {
  return {"list",
          "    each: '{f:k | split \",\"}'\n    row: '{item}'\n    columns: { 'f:r': '{row}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto list = cells.find(kKey);
            if (list == cells.end()) return;
            std::istringstream items(list->second.value);
            for (std::string item; std::getline(items, item, ',');) (*out)[{item, "f:r"}] = row;
          }};
}

Rule UniquePeriodRule() {
  Rule rule{"period", "    retention: 5d\n    row: '{f:k}'\n    columns: { 'f:r': '{row}' }\n    unique: true\n",
            [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
              const auto key = cells.find(kKey);
              if (key != cells.end()) (*out)[{"inverse01/" + key->second.value, "f:r"}] = row;
            }};
  rule.table = "'inverse{f:k@ts | time %d}'";
  rule.period_tables = {"inverse01"};
  return rule;
}

}  // namespace fensi::testing

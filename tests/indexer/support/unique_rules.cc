#include "tests/indexer/support/unique_rules.h"

#include <sstream>

namespace fensi::testing {
namespace {

const SourceModel::Column kKey{"f", "k"};

/// "inverse01" is of the first day.
std::string TableOfDay(int64_t timestamp) {
  const std::string day = std::to_string(timestamp / kDayMillis + 1);
  return "inverse" + std::string(2 - day.size(), '0') + day;
}

/// An entry for each column k….
void AddKeys(const std::string& shown, const SourceModel::VisibleRow& cells, Entries* out) {
  for (const auto& [column, value] : cells) {
    if (column.second.starts_with('k')) (*out)[{value.value, "f:" + column.second}] = shown;
  }
}

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

Rule UniquePeriodRule(int days) {
  Rule rule{"period", "    retention: 5d\n    row: '{f:k}'\n    columns: { 'f:r': '{row}' }\n    unique: true\n",
            [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
              const auto key = cells.find(kKey);
              if (key != cells.end())
                (*out)[{TableOfDay(key->second.timestamp) + "/" + key->second.value, "f:r"}] = row;
            }};
  rule.table = "'inverse{f:k@ts | time %d}'";
  for (int day = 0; day < days; ++day) rule.period_tables.push_back(TableOfDay(day * kDayMillis));
  return rule;
}

Rule UniqueWithValueRule() {
  return {"with-value",
          "    row: '{f:k}'\n    columns: { 'f:r': '{row}', 'f:v': '{f:v | default \"-\"}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = cells.find(kKey), value = cells.find({"f", "v"});
            if (key == cells.end()) return;
            (*out)[{key->second.value, "f:r"}] = row;
            (*out)[{key->second.value, "f:v"}] = value == cells.end() ? "-" : value->second.value;
          }};
}

Rule UniqueWhenRule() {
  return {"when", "    row: '{f:k}'\n    columns: { 'f:r': '{row}' }\n    when: ['{f:v} == a']\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = cells.find(kKey), value = cells.find({"f", "v"});
            if (key == cells.end() || value == cells.end() || value->second.value != "a") return;
            (*out)[{key->second.value, "f:r"}] = row;
          }};
}

Rule UniqueEachNamedRule() {
  return {"each-named",
          "    each: [f:k*]\n    row: '{value}'\n    columns: { 'f:{qualifier}': '{row}-{f:x}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto named = cells.find({"f", "x"});
            if (named == cells.end()) return;
            AddKeys(row + "-" + named->second.value, cells, out);
          }};
}

Rule UniqueEachWhenRule() {
  return {"each-when",
          "    each: [f:k*]\n    row: '{value}'\n    columns: { 'f:{qualifier}': '{row}' }\n    when: ['{f:x} == a']\n"
          "    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto named = cells.find({"f", "x"});
            if (named == cells.end() || named->second.value != "a") return;
            AddKeys(row, cells, out);
          }};
}

}  // namespace fensi::testing

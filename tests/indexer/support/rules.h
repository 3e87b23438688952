// The indexes that the properties are tried on: a mapping, and by hand the entries that a row must have.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "mapping/mapping.h"
#include "support/source_model.h"

namespace fensi::testing {

/// (index row, "family:qualifier") -> value.
using Entries = std::map<std::pair<std::string, std::string>, std::string>;

struct Rule {
  std::string name;
  std::string index;  // YAML of the index's body, indented by four
  std::function<void(const std::string& row, const SourceModel::VisibleRow&, Entries*)> expect;
};

inline std::optional<SourceModel::Value> At(const SourceModel::VisibleRow& row, const std::string& qualifier) {
  const auto found = row.find({"f", qualifier});
  if (found == row.end()) return std::nullopt;
  return found->second;
}

/// Key from one value, another value in the entry.
inline Rule ValueRule() {
  return {"value", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            const auto value = At(cells, "v");
            if (key) (*out)[{key->value, "f:" + row}] = value ? value->value : "none";
          }};
}

/// Key from two values, the timestamp of one of them in the entry.
inline Rule CompositeRule() {
  return {"composite",
          "    row: '{f:k | without -}-{f:m}'\n    columns: { 'f:{row}': '{f:m@ts | decimal}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            const auto more = At(cells, "m");
            if (key && more) (*out)[{key->value + "-" + more->value, "f:" + row}] = std::to_string(more->timestamp);
          }};
}

/// An entry that depends on a column it does not show.
inline Rule ConditionRule() {
  return {"condition", "    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n    when: ['{f:m | default b} != a']\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            const auto state = At(cells, "m");
            if (key && (!state || state->value != "a")) (*out)[{key->value, "f:" + row}] = "";
          }};
}

/// One entry per column, key from the qualifier.
inline Rule QualifierRule() {
  return {"qualifier", "    each: f:*\n    row: '{qualifier}'\n    columns: { 'f:{row}': '{ts | decimal}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              (*out)[{column.second, "f:" + row}] = std::to_string(value.timestamp);
            }
          }};
}

/// One entry per column, key from the value.
inline Rule FanOutRule() {
  return {"fan-out",
          "    each: f:*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '{ts | decimal}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              (*out)[{value.value, "f:" + row + "." + column.second}] = std::to_string(value.timestamp);
            }
          }};
}

/// Key from the row key alone.
inline Rule RowRule() {
  return {"row", "    row: '{row | reverse}'\n    columns: { 'f:k': '{f:k}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            if (key) (*out)[{std::string(row.rbegin(), row.rend()), "f:k"}] = key->value;
          }};
}

inline std::vector<Rule> AllRules() {
  return {ValueRule(), CompositeRule(), ConditionRule(), QualifierRule(), FanOutRule(), RowRule()};
}

/// Table "source" with one index "inverse" by the rule; `options` are more lines of its body.
inline std::shared_ptr<const mapping::Index> CompileRule(const Rule& rule, const std::string& options = "") {
  mapping::Diagnostics diagnostics;
  const std::string text = "source: source\nindexes:\n  inverse:\n    table: inverse\n" + rule.index + options;
  std::vector<mapping::Mapping> mappings = mapping::Load({{"rule.yaml", text}}, &diagnostics);
  if (mappings.empty()) throw std::logic_error(diagnostics.Text());
  return mappings.front().indexes.front();
}

inline Entries Expected(const Rule& rule, const SourceModel& source) {
  Entries entries;
  for (const std::string& row : source.Rows()) {
    const SourceModel::VisibleRow visible = source.Visible(row);
    if (!visible.empty()) rule.expect(row, visible, &entries);
  }
  return entries;
}

}  // namespace fensi::testing

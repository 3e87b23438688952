#include "support/rules.h"

#include <optional>
#include <stdexcept>
#include <vector>

namespace fensi::testing {
namespace {

std::optional<SourceModel::Value> At(const SourceModel::VisibleRow& row, const std::string& qualifier) {
  const auto found = row.find({"f", qualifier});
  if (found == row.end()) return std::nullopt;
  return found->second;
}

}  // namespace

Rule ValueRule() {
  return {"value", "    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            const auto value = At(cells, "v");
            if (key) (*out)[{key->value, "f:" + row}] = value ? value->value : "none";
          }};
}

Rule CompositeRule() {
  return {"composite",
          "    row: '{f:k | without -}-{f:m}'\n    columns: { 'f:{row}': '{f:m@ts | decimal}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            const auto more = At(cells, "m");
            if (key && more) (*out)[{key->value + "-" + more->value, "f:" + row}] = std::to_string(more->timestamp);
          }};
}

Rule ConditionRule() {
  return {"condition", "    row: '{f:k}'\n    columns: { 'f:{row}': '' }\n    when: ['{f:m | default b} != a']\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            const auto state = At(cells, "m");
            if (key && (!state || state->value != "a")) (*out)[{key->value, "f:" + row}] = "";
          }};
}

Rule QualifierRule() {
  return {"qualifier", "    each: f:*\n    row: '{qualifier}'\n    columns: { 'f:{row}': '{ts | decimal}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              (*out)[{column.second, "f:" + row}] = std::to_string(value.timestamp);
            }
          }};
}

Rule FanOutRule() {
  return {"fan-out",
          "    each: f:*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '{ts | decimal}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              (*out)[{value.value, "f:" + row + "." + column.second}] = std::to_string(value.timestamp);
            }
          }};
}

Rule RowRule() {
  return {"row", "    row: '{row | reverse}'\n    columns: { 'f:k': '{f:k}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            if (key) (*out)[{std::string(row.rbegin(), row.rend()), "f:k"}] = key->value;
          }};
}

std::vector<Rule> AllRules() {
  return {ValueRule(), CompositeRule(), ConditionRule(), QualifierRule(), FanOutRule(), RowRule()};
}

std::string RuleName(const ::testing::TestParamInfo<Rule>& rule) {
  std::string name = rule.param.name;
  std::erase(name, '-');
  return name;
}

std::shared_ptr<const mapping::Index> CompileText(const std::string& text) {
  mapping::Diagnostics diagnostics;
  std::vector<mapping::Mapping> mappings = mapping::Load({{"rule.yaml", text}}, &diagnostics);
  if (mappings.empty()) throw std::logic_error(diagnostics.Text());
  return mappings.front().indexes.front();
}

std::shared_ptr<const mapping::Index> CompileRule(const Rule& rule, const std::string& options) {
  return CompileText("source: source\nindexes:\n  inverse:\n    table: inverse\n" + rule.index + options);
}

Entries Expected(const Rule& rule, const SourceModel& source) {
  Entries entries;
  for (const std::string& row : source.Rows()) {
    const SourceModel::VisibleRow visible = source.Visible(row);
    if (!visible.empty()) rule.expect(row, visible, &entries);
  }
  return entries;
}

}  // namespace fensi::testing

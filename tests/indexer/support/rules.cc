#include "tests/indexer/support/rules.h"

#include <optional>
#include <sstream>
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

Rule TwoPartRule() {
  return {"two-part", "    row: '{f:k | fixed 1}-{f:m | default none}'\n    columns: { 'f:{row}': '' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k"), more = At(cells, "m");
            if (key) (*out)[{key->value + "-" + (more ? more->value : "none"), "f:" + row}] = "";
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

Rule ListRule() {
  return {"list",
          "    each: '{f:k | split \",\"}'\n    row: '{item}'\n"
          "    columns: { 'f:{row}': '{f:v | default none}' }\n    when: ['{f:m | default b} != a']\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto list = At(cells, "k"), value = At(cells, "v"), state = At(cells, "m");
            if (!list || (state && state->value == "a")) return;
            std::istringstream items(list->value);
            for (std::string item; std::getline(items, item, ',');) {
              (*out)[{item, "f:" + row}] = value ? value->value : "none";
            }
          }};
}

Rule EachConditionRule() {
  return {"each-condition",
          "    each: f:*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '{f:v}' }\n"
          "    when: ['{f:m} != a']\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto state = At(cells, "m"), shown = At(cells, "v");
            if (!state || state->value == "a" || !shown) return;
            for (const auto& [column, value] : cells) {
              (*out)[{value.value, "f:" + row + "." + column.second}] = shown->value;
            }
          }};
}

Rule TwoColumnsRule() {
  return {"two-columns",
          "    row: '{f:k}'\n"
          "    columns: { 'f:a{row}': '{f:v | default none}', 'f:b{row}': '{f:m | default none}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k"), one = At(cells, "v"), other = At(cells, "m");
            if (!key) return;
            (*out)[{key->value, "f:a" + row}] = one ? one->value : "none";
            (*out)[{key->value, "f:b" + row}] = other ? other->value : "none";
          }};
}

Rule SharedRule() {
  return {"shared", "    row: '{f:k}'\n    columns: { 'f:': '{f:k}' }\n    shared: true\n",
          [](const std::string&, const SourceModel::VisibleRow& cells, Entries* out) {
            if (const auto key = At(cells, "k")) (*out)[{key->value, "f:"}] = key->value;
          }};
}

Rule UniqueRule() {
  return {"unique", "    row: '{f:k}'\n    columns: { 'f:{f:v}': '{row}' }\n    unique: true\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k"), column = At(cells, "v");
            if (key && column) (*out)[{key->value, "f:" + column->value}] = row;
          }};
}

Rule PeriodRule() {
  Rule rule{"period", "    retention: 5d\n    row: '{f:k}'\n    columns: { 'f:{row}': '{f:v | default none}' }\n",
            [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
              const auto key = At(cells, "k"), value = At(cells, "v");
              if (!key) return;
              const std::string table = "inverse0" + std::to_string(1 + key->timestamp / kDayMillis);
              (*out)[{table + "/" + key->value, "f:" + row}] = value ? value->value : "none";
            }};
  rule.table = "'inverse{f:k@ts | time %d}'";
  for (int day = 1; day <= 9; ++day) rule.period_tables.push_back("inverse0" + std::to_string(day));
  return rule;
}

Rule RowRule() {
  return {"row", "    row: '{row | reverse}'\n    columns: { 'f:k': '{f:k}' }\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            if (key) (*out)[{std::string(row.rbegin(), row.rend()), "f:k"}] = key->value;
          }};
}

Rule AsMirror(const char* name, Rule rule) {
  rule.name = name;
  rule.index += "    mode: stateless\n";
  return rule;
}

Rule MirrorValueRule() { return AsMirror("mirror-value", RowRule()); }

Rule MirrorTimeRule() {
  return {"mirror-time",
          "    row: '{row | reverse}'\n    columns: { 'f:k': '{f:k@ts | decimal}' }\n    mode: stateless\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            if (key) (*out)[{std::string(row.rbegin(), row.rend()), "f:k"}] = std::to_string(key->timestamp);
          }};
}

Rule MirrorWhenRule() {
  return {"mirror-when",
          "    row: '{row | reverse}'\n    columns: { 'f:{row}': '' }\n    when: ['{f:k} != a']\n"
          "    mode: stateless\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k");
            if (key && key->value != "a") (*out)[{std::string(row.rbegin(), row.rend()), "f:" + row}] = "";
          }};
}

Rule MirrorColumnsRule() {
  return {"mirror-columns",
          "    row: '{row | reverse}'\n"
          "    columns: { 'f:one': '{f:k}', 'f:two': 'at {f:v@ts | decimal}', 'f:three': '{f:k@ts | decimal}' }\n"
          "    mode: stateless\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            const auto key = At(cells, "k"), value = At(cells, "v");
            const std::string turned(row.rbegin(), row.rend());
            if (key) (*out)[{turned, "f:one"}] = key->value;
            if (value) (*out)[{turned, "f:two"}] = "at " + std::to_string(value->timestamp);
            if (key) (*out)[{turned, "f:three"}] = std::to_string(key->timestamp);
          }};
}

Rule MirrorEachTimeRule() { return AsMirror("mirror-each-time", QualifierRule()); }

Rule MirrorEachValueRule() {
  return {"mirror-each-value",
          "    each: f:*\n    row: '{qualifier}'\n    columns: { 'f:a{row}': '{value}', 'f:b{row}': '' }\n"
          "    mode: stateless\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              (*out)[{column.second, "f:a" + row}] = value.value;
              (*out)[{column.second, "f:b" + row}] = "";
            }
          }};
}

Rule MirrorEachWhenRule() {
  return {"mirror-each-when",
          "    each: f:*\n    row: '{row}'\n    columns: { 'f:{qualifier}': '{ts | decimal}' }\n"
          "    when: ['{value} != a']\n    mode: stateless\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              if (value.value != "a") (*out)[{row, "f:" + column.second}] = std::to_string(value.timestamp);
            }
          }};
}

std::vector<Rule> MirrorRules() {
  return {MirrorValueRule(),    MirrorTimeRule(),      MirrorWhenRule(),    MirrorColumnsRule(),
          MirrorEachTimeRule(), MirrorEachValueRule(), MirrorEachWhenRule()};
}

std::vector<Rule> RulesWithSource() {
  std::vector<Rule> rules = AllRules();
  for (Rule& rule : MirrorRules()) rules.push_back(std::move(rule));
  return rules;
}

std::vector<Rule> AllRules() {
  return {ValueRule(), CompositeRule(),     ConditionRule(),  QualifierRule(), FanOutRule(),
          ListRule(),  EachConditionRule(), TwoColumnsRule(), RowRule()};
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
  return CompileText("source: source\nindexes:\n  inverse:\n    table: " + rule.table + "\n" + rule.index + options);
}

Entries Expected(const Rule& rule, const SourceModel& source, int64_t now) {
  Entries entries;
  for (const std::string& row : source.Rows()) {
    const SourceModel::VisibleRow visible = source.Visible(row, now);
    if (!visible.empty()) rule.expect(row, visible, &entries);
  }
  return entries;
}

}  // namespace fensi::testing

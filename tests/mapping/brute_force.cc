#include "tests/mapping/brute_force.h"

#include <algorithm>
#include <set>

#include "mapping/definition/readers.h"
#include "mapping/functions/regex.h"
#include "mapping/yaml/parse.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::mapping {
namespace {

IndexDefinition DefinitionOf(const std::string& text) {
  Diagnostics diagnostics;
  const MappingText file{"test.yaml", text};
  Reporter reporter(file, &diagnostics);
  const std::optional<Node> root = ParseYaml(&reporter);
  NameRegistry names;
  const Outside outside{&TestEnvironment(), VisitorSchemas(), nullptr, OrderSchemas()};
  std::optional<IndexDefinition> definition =
      ReadIndex(root->Find("indexes")->fields[0], "t", "t", outside, &names, &reporter);
  if (!definition) std::abort();
  return *std::move(definition);
}

// What a maker's references stand for; the views live as long as this.
class Sight {
 public:
  Sight(const IndexDefinition& definition, const Maker& maker) : cells_(maker.row->View()) {
    for (const Slot& slot : definition.slots) {
      const auto cell = std::find_if(cells_.begin(), cells_.end(), [&](const VisibleCell& one) {
        return one.family == slot.family && one.qualifier == slot.qualifier;
      });
      slots_.push_back(cell == cells_.end() ? nullptr : &*cell);
    }
    inputs_.row = maker.row->row;
    inputs_.slots = slots_;
    inputs_.bound = maker.bound ? &cells_[*maker.bound] : nullptr;
    inputs_.item = maker.item;
  }
  Sight(const Sight&) = delete;
  Sight& operator=(const Sight&) = delete;

  const Inputs& inputs() const { return inputs_; }
  bool Has(size_t slot) const { return slots_[slot] != nullptr; }

 private:
  const std::vector<VisibleCell> cells_;
  std::vector<const VisibleCell*> slots_;
  Inputs inputs_;
};

std::string Trimmed(std::string text) {
  constexpr const char* kSpace = " \t\r\n\f\v";
  text.erase(0, text.find_first_not_of(kSpace));
  text.erase(text.find_last_not_of(kSpace) + 1);
  return text;
}

std::optional<std::string> TextOf(const Template& program, const Inputs& inputs) {
  Scratch scratch;
  std::string_view out;
  if (RunTemplate(program, inputs, &scratch, &out) != Outcome::kValue) return std::nullopt;
  return std::string(out);
}

bool Refused(const Template& program, const Inputs& inputs) {
  Scratch scratch;
  std::string_view out;
  return RunTemplate(program, inputs, &scratch, &out) == Outcome::kUnmappable;
}

bool Holds(const Condition& condition, const Inputs& inputs) {
  Scratch scratch;
  return RunCondition(condition, inputs, &scratch) == Verdict::kHolds;
}

}  // namespace

BruteForce::BruteForce(const std::string& file, std::vector<SourceRow> rows)
    : definition_(DefinitionOf(file)), rows_(std::move(rows)) {
  for (const SourceRow& row : rows_) AddMakers(row);
}

void BruteForce::AddMakers(const SourceRow& row) {
  const Maker whole{&row, std::nullopt, ""};
  if (definition_.exists && !Sight(definition_, whole).Has(*definition_.exists)) return;
  if (definition_.each.fanout == Fanout::kNone) makers_.push_back(whole);
  if (definition_.each.fanout == Fanout::kColumns) AddColumns(row);
  if (definition_.each.fanout == Fanout::kList) AddItems(row);
}

void BruteForce::AddColumns(const SourceRow& row) {
  for (size_t i = 0; i < row.cells.size(); ++i) {
    const SourceCell& cell = row.cells[i];
    const bool bound = std::any_of(definition_.each.columns.begin(), definition_.each.columns.end(), [&](auto& watch) {
      return watch.family == cell.family && cell.qualifier.starts_with(watch.qualifier);
    });
    if (bound) makers_.push_back({&row, i, ""});
  }
}

void BruteForce::AddItems(const SourceRow& row) {
  const Part& list = definition_.each.list->parts[0];
  const Sight sight(definition_, {&row, std::nullopt, ""});
  Scratch scratch;
  Value value;
  if (RunPart(list, sight.inputs(), &scratch, &value) != Outcome::kValue) return;
  std::set<std::string> items;
  for (std::string_view item : *value.list)
    items.insert(list.shape.exact_items ? std::string(item) : Trimmed(std::string(item)));
  items.erase("");
  for (const std::string& item : items) makers_.push_back({&row, std::nullopt, item});
}

std::vector<Shelf::Owned> BruteForce::CellsOf(const Maker& maker) const {
  const Sight sight(definition_, maker);
  for (const Condition& condition : definition_.when) {
    if (!Holds(condition, sight.inputs())) return {};
  }
  const std::optional<std::string> row = TextOf(definition_.row, sight.inputs());
  const std::optional<std::string> table =
      definition_.table_template ? TextOf(*definition_.table_template, sight.inputs()) : definition_.table;
  if (!row || row->empty() || !table) return {};
  std::vector<Shelf::Owned> cells;
  for (const ColumnRule& column : definition_.columns) {
    const std::optional<std::string> qualifier = TextOf(column.qualifier, sight.inputs());
    if (!qualifier || Refused(column.value, sight.inputs())) return {};
    const std::optional<std::string> value = TextOf(column.value, sight.inputs());
    if (value) cells.push_back({*table, *row, column.family, *qualifier, *value});
  }
  return cells;
}

std::optional<Value> BruteForce::Run(const Part& part, size_t steps, const Maker& maker, Scratch* scratch) const {
  const Sight sight(definition_, maker);
  Part begun = part;
  begun.steps.resize(steps);
  Value value;
  if (RunPart(begun, sight.inputs(), scratch, &value) != Outcome::kValue) return std::nullopt;
  value.bytes = scratch->Keep(value.bytes);
  return value;
}

std::optional<std::string> BruteForce::BytesOf(const Part& part, const Maker& maker) const {
  Scratch scratch;
  const std::optional<Value> value = Run(part, part.steps.size(), maker, &scratch);
  return value ? std::optional(std::string(value->bytes)) : std::nullopt;
}

}  // namespace fensi::mapping

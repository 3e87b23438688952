#include "tests/mapping/lookup_world.h"

#include <rapidcheck.h>

#include <algorithm>

#include "base/bytes.h"
#include "mapping/mapping.h"
#include "mapping/template/compile.h"
#include "tests/mapping/random_templates.h"

namespace fensi::mapping {
namespace {

constexpr int kRows = 8;

}  // namespace

World::World() {
  kind_ = *rc::gen::element(WorldKind::kPlain, WorldKind::kPlain, WorldKind::kColumns, WorldKind::kPeriods);
  const bool bound = kind_ == WorldKind::kColumns;
  const auto references = bound ? std::vector<std::string>{"row", "qualifier", "value", "ts"}
                                : std::vector<std::string>{"row", "f:a", "f:b", "f:a@ts"};
  text_ = RandomSalt() + RandomTemplate(references);
  value_ = *rc::gen::element<std::string>("", bound ? "{value}" : "{f:a}", bound ? "{qualifier}" : "{f:b}");
  index_ = LoadText();
  RC_PRE(static_cast<bool>(index_));
  RC_LOG() << text_ << " value " << value_ << "\n";
  template_ = *CompileTemplate();
  shelf_.emplace(*index_);
  for (int i = 0; i < kRows; ++i) Add(RandomSource());
}

std::optional<Value> World::Run(const Part& part, size_t steps, const Source& source, Scratch* scratch) const {
  const std::vector<VisibleCell> cells = CellsOf(source);
  std::vector<const VisibleCell*> slots;
  for (const Slot& slot : slots_) {
    const auto cell = std::find_if(cells.begin(), cells.end(),
                                   [&](const VisibleCell& one) { return one.qualifier == slot.qualifier; });
    slots.push_back(cell == cells.end() ? nullptr : &*cell);
  }
  Inputs inputs;
  inputs.row = source.row;
  inputs.slots = slots;
  inputs.bound = &cells[0];
  Part begun = part;
  begun.steps.resize(steps);
  Value value;
  if (RunPart(begun, inputs, scratch, &value) != Outcome::kValue) return std::nullopt;
  value.bytes = scratch->Keep(value.bytes);
  return value;
}

std::optional<std::string> World::BytesOf(const Part& part, const Source& source) const {
  Scratch scratch;
  const std::optional<Value> value = Run(part, part.steps.size(), source, &scratch);
  return value ? std::optional(std::string(value->bytes)) : std::nullopt;
}

const Source* World::Of(const Shelf::Owned& entry) const {
  const auto found = makers_.find(entry);
  return found == makers_.end() || found->second >= sources_.size() ? nullptr : &sources_[found->second];
}

std::string World::RandomSalt() const {
  if (*rc::gen::inRange(0, 4) != 0) return "";
  const std::string of = kind_ == WorldKind::kColumns ? "qualifier" : *rc::gen::element<std::string>("row", "f:a");
  return "{" + of +
         *rc::gen::element<std::string>(
             " | md5 | first 4 | u32 | mod 5 | to_be 1}", " | xxh64 | first 2 | u16 | mod 8 | div 4 | decimal 2}",
             " | crc32 | u32 | mod 5000 | decimal 4}", " | murmur3 | u32 | mod 3 | decimal 1 | default z}");
}

std::shared_ptr<const Index> World::LoadText() const {
  std::string lines = "    row: '" + text_ + "'\n    columns: { 'f:{row}': '" + value_ + "' }\n";
  if (kind_ == WorldKind::kColumns) lines += "    each: 'f:*'\n    shared: true\n";
  if (kind_ != WorldKind::kColumns)
    lines += "    requires: f:b\n" + std::string(*rc::gen::arbitrary<bool>() ? "    shared: true\n" : "");
  lines += periods() ? "    table: 'p_{f:a@ts | time %Y%m%d}'\n    retention: 9999d\n" : "    table: x_table\n";
  Diagnostics diagnostics;
  const auto mappings = Load({{"test.yaml", "source: t\nindexes:\n  x:\n" + lines}}, &diagnostics);
  return mappings.empty() ? nullptr : mappings[0].indexes[0];
}

std::optional<Template> World::CompileTemplate() {
  Diagnostics diagnostics;
  const MappingText file{"test", ""};
  Reporter reporter(file, &diagnostics);
  TemplateCompiler compiler(&reporter);
  if (kind_ == WorldKind::kColumns) compiler.BindColumns({{"f", "", Watch::Kind::kFamily, true}});
  Node node;
  node.kind = Node::Kind::kText;
  node.quote = Quote::kSingle;
  node.text = text_;
  std::optional<Template> compiled = compiler.Compile(node);
  slots_ = compiler.slots();
  return compiled;
}

Source World::RandomSource() const {
  Source source{RandomValue() + "r", RandomValue(), RandomValue(), *rc::gen::inRange<int64_t>(0, 4'000'000'000'000)};
  if (sources_.empty() || *rc::gen::inRange(0, 3) == 0) return source;
  const Source& before = *rc::gen::elementOf(sources_);
  source.a = Neighbour(before.a);
  source.b = Neighbour(before.b);
  if (*rc::gen::arbitrary<bool>()) source.time = before.time + *rc::gen::inRange<int64_t>(-2000, 2000);
  if (*rc::gen::arbitrary<bool>()) source.row = Neighbour(before.row) + "r";
  source.has_a = *rc::gen::inRange(0, 8) != 0;
  return source;
}

std::string World::Neighbour(std::string value) {
  switch (*rc::gen::inRange(0, 5)) {
    case 0:
      return value + *rc::gen::element<std::string>("-", "a", "0", std::string(1, '\0'), "\xff");
    case 1:
      return value.substr(0, value.size() / 2);
    case 2:
      std::transform(value.begin(), value.end(), value.begin(), [](unsigned char c) { return c == 'a' ? 'A' : c; });
      return value;
    case 3:
      return RandomValue();
    default:
      return value;
  }
}

std::vector<VisibleCell> World::CellsOf(const Source& source) const {
  if (kind_ == WorldKind::kColumns) return {{"f", source.a, source.time, source.b}};
  if (!source.has_a) return {{"f", "b", 1, source.b}};
  return {{"f", "a", source.time, source.a}, {"f", "b", 1, source.b}};
}

void World::Add(const Source& source) {
  if (std::any_of(sources_.begin(), sources_.end(), [&](const Source& other) { return other.row == source.row; }))
    return;
  sources_.push_back(source);
  const std::vector<VisibleCell> cells = CellsOf(source);
  shelf_->Put({source.row, cells});
  Shelf alone(*index_);
  alone.Put({source.row, cells});
  for (const Shelf::Owned& entry : alone.entries()) makers_[entry] = sources_.size() - 1;
}

}  // namespace fensi::mapping

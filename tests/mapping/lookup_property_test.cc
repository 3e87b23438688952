// `lookup` of random indexes gives what a filter over all of their entries gives.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>

#include "base/bytes.h"
#include "mapping/functions/time_format.h"
#include "mapping/reading/key_parts.h"
#include "mapping/reading/steps.h"
#include "tests/mapping/lookup_testing.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/mapping/random_mapping.h"
#include "tests/mapping/random_templates.h"

namespace fensi::mapping {
namespace {

constexpr int kRows = 8;
constexpr int kLookups = 6;

/// A source row with the columns f:a and f:b, or with one column of qualifier `a` and value `b`.
struct Source {
  std::string row, a, b;
  int64_t time = 0;
  bool has_a = true;
};

enum class Kind { kPlain, kColumns, kPeriods };

/// One index, its source rows, and the row template once more: what it makes of each is the filter's word.
class World {
 public:
  World() {
    kind_ = *rc::gen::element(Kind::kPlain, Kind::kPlain, Kind::kColumns, Kind::kPeriods);
    const bool bound = kind_ == Kind::kColumns;
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

  const Index& index() const { return *index_; }
  const Shelf& shelf() const { return *shelf_; }
  const Template& row() const { return template_; }
  const std::vector<Source>& sources() const { return sources_; }
  bool periods() const { return kind_ == Kind::kPeriods; }
  /// The reference whose value stands in every entry as it is.
  std::string TellsExactly() const { return value_.empty() ? "" : value_.substr(1, value_.size() - 2); }
  /// The source of an entry; null: two sources could have made it.
  const Source* Of(const Shelf::Owned& entry) const {
    const auto found = makers_.find(entry);
    return found == makers_.end() || found->second >= sources_.size() ? nullptr : &sources_[found->second];
  }

  /// What some of a part's steps make of a source.
  std::optional<Value> Run(const Part& part, size_t steps, const Source& source, Scratch* scratch) const {
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
  std::optional<std::string> BytesOf(const Part& part, const Source& source) const {
    Scratch scratch;
    const std::optional<Value> value = Run(part, part.steps.size(), source, &scratch);
    return value ? std::optional(std::string(value->bytes)) : std::nullopt;
  }

 private:
  std::string RandomSalt() const {
    if (*rc::gen::inRange(0, 4) != 0) return "";
    const std::string of = kind_ == Kind::kColumns ? "qualifier" : *rc::gen::element<std::string>("row", "f:a");
    return "{" + of +
           *rc::gen::element<std::string>(
               " | md5 | first 4 | u32 | mod 5 | to_be 1}", " | xxh64 | first 2 | u16 | mod 8 | div 4 | decimal 2}",
               " | crc32 | u32 | mod 5000 | decimal 4}", " | murmur3 | u32 | mod 3 | decimal 1 | default z}");
  }

  std::shared_ptr<const Index> LoadText() const {
    std::string lines = "    row: '" + text_ + "'\n    columns: { 'f:{row}': '" + value_ + "' }\n";
    if (kind_ == Kind::kColumns) lines += "    each: 'f:*'\n    shared: true\n";
    if (kind_ != Kind::kColumns) lines += "    exists: f:b\n" + std::string(Shared() ? "    shared: true\n" : "");
    lines += periods() ? "    table: 'p_{f:a@ts | time %Y%m%d}'\n    keep: 9999d\n" : "    table: x_table\n";
    Diagnostics diagnostics;
    const auto mappings = Load({{"test.yaml", "source: t\nindexes:\n  x:\n" + lines}}, &diagnostics);
    return mappings.empty() ? nullptr : mappings[0].indexes[0];
  }
  static bool Shared() { return *rc::gen::arbitrary<bool>(); }

  std::optional<Template> CompileTemplate() {
    Diagnostics diagnostics;
    const MappingText file{"test", ""};
    Reporter reporter(file, &diagnostics);
    TemplateCompiler compiler(&reporter);
    if (kind_ == Kind::kColumns) compiler.BindColumns({{"f", "", Watch::Kind::kFamily, true}});
    Node node;
    node.kind = Node::Kind::kText;
    node.quote = Quote::kSingle;
    node.text = text_;
    std::optional<Template> compiled = compiler.Compile(node);
    slots_ = compiler.slots();
    return compiled;
  }

  /// New values, or those of a row before, changed a little: longer, shorter, in other letters.
  Source RandomSource() const {
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
  static std::string Neighbour(std::string value) {
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

  std::vector<VisibleCell> CellsOf(const Source& source) const {
    if (kind_ == Kind::kColumns) return {{"f", source.a, source.time, source.b}};
    if (!source.has_a) return {{"f", "b", 1, source.b}};
    return {{"f", "a", source.time, source.a}, {"f", "b", 1, source.b}};
  }

  void Add(const Source& source) {
    if (std::any_of(sources_.begin(), sources_.end(), [&](const Source& other) { return other.row == source.row; }))
      return;
    sources_.push_back(source);
    const std::vector<VisibleCell> cells = CellsOf(source);
    shelf_->Put({source.row, cells});
    Shelf alone(*index_);
    alone.Put({source.row, cells});
    for (const Shelf::Owned& entry : alone.entries()) makers_[entry] = sources_.size() - 1;
  }

  Kind kind_;
  std::string text_, value_;
  std::shared_ptr<const Index> index_;
  Template template_;
  std::vector<Slot> slots_;
  std::vector<Source> sources_;
  std::optional<Shelf> shelf_;
  std::map<Shelf::Owned, size_t> makers_;
};

bool Finds(const std::vector<Shelf::Owned>& found, const Shelf::Owned& entry) {
  return std::find(found.begin(), found.end(), entry) != found.end();
}

std::string TextOf(const Value& value, Type type) {
  return type == Type::kBytes ? std::string(value.bytes) : std::to_string(value.number);
}

/// What a reader types to ask for a source; nothing: it has no such value.
std::optional<std::vector<std::string>> PartsOf(const World& world, const Source& source, size_t count) {
  const std::vector<KeyPart> parts = KeyParts(world.row());
  std::vector<std::string> texts;
  Scratch scratch;
  for (size_t i = 0; i < count; ++i) {
    const std::optional<Value> value = world.Run(*parts[i].first, parts[i].steps, source, &scratch);
    if (!value) return std::nullopt;
    texts.push_back(TextOf(*value, TypeAt(*parts[i].first, parts[i].steps)));
  }
  return texts;
}

/// Do the first parts of two sources give the same bytes, wherever they stand in the key?
bool SameParts(const World& world, const Source& one, const Source& other, size_t count) {
  const std::vector<KeyPart> parts = KeyParts(world.row());
  for (const Part& part : world.row().parts) {
    const auto decides = [&](const KeyPart& given) { return given.Decides(part); };
    if (std::none_of(parts.begin(), parts.begin() + static_cast<std::ptrdiff_t>(count), decides)) continue;
    if (world.BytesOf(part, one) != world.BytesOf(part, other)) return false;
  }
  return true;
}

RC_GTEST_PROP(Lookup, OfPartsIsAFilterOfAllEntries, ()) {
  const World world;
  const size_t most = KeyParts(world.row()).size();
  for (int i = 0; i < kLookups; ++i) {
    const Source& asked = *rc::gen::elementOf(world.sources());
    const size_t count = *rc::gen::inRange<size_t>(0, most + 1);
    const auto texts = PartsOf(world, asked, count);
    if (!texts) continue;
    const auto lookup = world.index().Plan({*texts, "", ""});
    RC_LOG() << "asked for row " << Escape(asked.row) << " with " << count << " parts\n";
    if (!lookup.ok()) continue;
    const std::vector<Shelf::Owned> found = world.shelf().Find(**lookup);
    for (const Shelf::Owned& entry : world.shelf().entries()) {
      const Source* source = world.Of(entry);
      if (source == nullptr) continue;
      RC_LOG() << Escape(entry.row) << "\n";
      RC_ASSERT(Finds(found, entry) == SameParts(world, asked, *source, count));
    }
  }
}

/// A bounded part as the filter sees it: the value behind some steps of a part of the key.
struct Bounded {
  Part part;
  size_t steps = 0;
  Type type = Type::kBytes;
  std::string reference;
};

/// Nothing: parts of one reference are read in several ways.
std::optional<Bounded> BoundedPart(const World& world, size_t part, bool instants) {
  const KeyPart key_part = KeyParts(world.row())[part];
  const size_t number_at = FirstNumber(*key_part.first, key_part.steps);
  for (const Part& other : world.row().parts) {
    if (!key_part.Decides(other)) continue;
    if (FirstNumber(other, key_part.steps) != number_at) return std::nullopt;
    if (number_at != kNoStep && !BeginAlike(other, *key_part.first, number_at)) return std::nullopt;
  }
  Bounded bounded{*key_part.first, key_part.steps, Type::kBytes, key_part.first->reference->name};
  if (number_at == kNoStep) return instants ? std::nullopt : std::optional(bounded);
  bounded.steps = number_at;
  while (instants && bounded.steps < bounded.part.steps.size() && TypeAt(bounded.part, bounded.steps) != Type::kTime) {
    ++bounded.steps;
  }
  bounded.type = TypeAt(bounded.part, bounded.steps);
  return instants && bounded.type != Type::kTime ? std::nullopt : std::optional(bounded);
}

std::string InstantText(int64_t millis) {
  constexpr std::string_view kFormat = "%Y-%m-%dT%H:%M:%S.%L";
  std::string text(TimeWidth(kFormat), ' ');
  return FormatTime(kFormat, millis, text.data()) ? text : "";
}

bool Inside(const Value& value, const Bounded& bounded, const std::optional<Value>& from,
            const std::optional<Value>& to) {
  if (bounded.type == Type::kBytes) return (!from || value.bytes >= from->bytes) && (!to || value.bytes < to->bytes);
  return (!from || value.number >= from->number) && (!to || value.number < to->number);
}

/// A value of a source, or one beside it.
std::optional<Value> RandomBound(const World& world, const Bounded& bounded, Scratch* scratch) {
  if (*rc::gen::inRange(0, 4) == 0) return std::nullopt;
  std::optional<Value> value = world.Run(bounded.part, bounded.steps, *rc::gen::elementOf(world.sources()), scratch);
  if (!value) return std::nullopt;
  if (bounded.type != Type::kBytes) {
    value->number += *rc::gen::element<int64_t>(0, 1, -1, 60'000, -3'600'000, 86'400'000);
  } else if (*rc::gen::arbitrary<bool>()) {
    value->bytes = scratch->Keep(std::string(value->bytes) + *rc::gen::element<std::string>("-", "a", "0"));
  }
  if (bounded.type == Type::kBytes && value->bytes.empty()) return std::nullopt;
  return value;
}

std::string BoundText(const std::optional<Value>& value, const Bounded& bounded, bool instants) {
  if (!value) return "";
  return instants ? InstantText(value->number) : TextOf(*value, bounded.type);
}

std::optional<std::string> BytesBehind(const Bounded& bounded, Value value) {
  Scratch scratch;
  Part part = bounded.part;
  std::erase_if(part.steps, [](const Step& step) { return IsStep(step, "fixed") || IsStep(step, "without"); });
  const size_t skipped = bounded.part.steps.size() - part.steps.size();
  if (RunSteps(part, bounded.steps - std::min(bounded.steps, skipped), part.steps.size(), &scratch, &value) !=
      Outcome::kValue) {
    return std::nullopt;
  }
  return std::string(value.bytes);
}

/// Does some value inside give the same bytes? As order is kept, it is enough to ask the two ends.
bool SharesBytes(const std::string& bytes, const Bounded& bounded, const std::optional<Value>& from,
                 std::optional<Value> to) {
  if (from && BytesBehind(bounded, *from) == bytes) return true;
  if (!to) return false;
  if (bounded.type == Type::kBytes) {
    const std::optional<std::string> end = BytesBehind(bounded, *to);
    to->bytes.remove_suffix(1);
    return end == bytes && BytesBehind(bounded, *to) == bytes;
  }
  --to->number;
  return BytesBehind(bounded, *to) == bytes;
}

/// In one of the parts that a reference is in at least.
bool SharesAny(const World& world, const Source& source, Bounded bounded, const std::optional<Value>& from,
               const std::optional<Value>& to) {
  for (const Part& part : world.row().parts) {
    if (part.IsLiteral() || part.reference->name != bounded.reference) continue;
    bounded.part = part;
    const std::optional<std::string> bytes = world.BytesOf(part, source);
    if (bytes && SharesBytes(*bytes, bounded, from, to)) return true;
  }
  return false;
}

RC_GTEST_PROP(Lookup, BetweenBoundsIsAFilterOfAllEntries, ()) {
  const World world;
  const size_t most = KeyParts(world.row()).size();
  for (int i = 0; i < kLookups; ++i) {
    const Source& asked = *rc::gen::elementOf(world.sources());
    const size_t count = *rc::gen::inRange<size_t>(0, most);
    const bool instants = *rc::gen::arbitrary<bool>();
    const auto texts = PartsOf(world, asked, count);
    const auto bounded = BoundedPart(world, count, instants);
    if (!texts || !bounded || world.periods()) continue;
    Scratch scratch;
    const std::optional<Value> from = RandomBound(world, *bounded, &scratch),
                               to = RandomBound(world, *bounded, &scratch);
    const LookupRequest request{*texts, BoundText(from, *bounded, instants), BoundText(to, *bounded, instants)};
    if ((request.from.empty() && from) || (request.to.empty() && to) || (!from && !to)) continue;
    RC_LOG() << count << " parts of row " << Escape(asked.row) << ", from " << Escape(request.from) << " to "
             << Escape(request.to) << "\n";
    const auto lookup = world.index().Plan(request);
    if (!lookup.ok()) continue;
    const std::vector<Shelf::Owned> found = world.shelf().Find(**lookup);
    for (const Shelf::Owned& entry : world.shelf().entries()) {
      const Source* source = world.Of(entry);
      const auto value = source == nullptr ? std::nullopt : world.Run(bounded->part, bounded->steps, *source, &scratch);
      if (!value) continue;
      RC_LOG() << Escape(entry.row) << "\n";
      const bool fits = SameParts(world, asked, *source, count);
      const bool inside = Inside(*value, *bounded, from, to);
      if (fits && inside) RC_ASSERT(Finds(found, entry));
      if (!Finds(found, entry)) continue;
      RC_ASSERT(fits);
      const bool told = world.TellsExactly() == bounded->reference && source->has_a;
      if (told) RC_ASSERT(inside);
      RC_ASSERT((inside || SharesAny(world, *source, *bounded, from, to)));
    }
  }
}

RC_GTEST_PROP(Lookup, OfATimeSpanReadsEveryPeriodTableOfIt, ()) {
  const World world;
  RC_PRE(world.periods());
  for (int i = 0; i < kLookups; ++i) {
    const Source& first = *rc::gen::elementOf(world.sources());
    const int64_t from = first.time + *rc::gen::element<int64_t>(0, 1, -86'400'000);
    const int64_t to = from + *rc::gen::inRange<int64_t>(0, 40LL * 86'400'000);
    if (from < 0) continue;
    const bool numbers = *rc::gen::arbitrary<bool>();
    const auto text = [&](int64_t time) { return numbers ? std::to_string(time) : InstantText(time); };
    const auto lookup = world.index().Plan({{}, text(from), text(to)});
    RC_LOG() << "from " << text(from) << " to " << text(to) << "\n";
    if (!lookup.ok()) continue;
    const std::vector<Shelf::Owned> found =
        (*lookup)->tables().empty() ? std::vector<Shelf::Owned>() : world.shelf().Find(**lookup);
    for (const Shelf::Owned& entry : world.shelf().entries()) {
      const Source* source = world.Of(entry);
      if (source == nullptr || !source->has_a) continue;
      const auto day = [](int64_t time) { return InstantText(time).substr(0, 10); };
      const bool inside = source->time >= from && source->time < to;
      RC_LOG() << Escape(entry.row) << "\n";
      if (inside) RC_ASSERT(Finds(found, entry));
      if (Finds(found, entry)) {
        RC_ASSERT((from < to && day(source->time) >= day(from) && day(source->time) <= day(to - 1)));
      }
    }
  }
}

/// What a reader types who knows a source row; nothing: the row has several such values, or none.
std::optional<std::string> TextFrom(const SourceRow& row, const std::string& part) {
  if (part == "row") return row.row;
  const bool time = part.ends_with("@ts");
  const std::string column = time ? part.substr(0, part.size() - 3) : part;
  if (column.find(':') == std::string::npos || column.find(" | ") != std::string::npos) return std::nullopt;
  const ColumnName name = SplitColumn(column);
  const SourceCell* const cell = row.Find(name.family, name.qualifier);
  if (cell == nullptr) return std::nullopt;
  return time ? std::to_string(cell->timestamp) : cell->value;
}

/// The first parts of all entries of a row, as many as it decides.
std::vector<std::string> TextsFrom(const SourceRow& row, const std::vector<std::string>& parts) {
  std::vector<std::string> texts;
  for (const std::string& part : parts) {
    std::optional<std::string> text = TextFrom(row, part);
    if (!text) break;
    texts.push_back(std::move(*text));
  }
  return texts;
}

std::string Missed(const Index& index, const std::vector<SourceRow>& rows) {
  Shelf shelf(index);
  for (const SourceRow& row : rows) shelf.Put({row.row, row.View()});
  for (const SourceRow& row : rows) {
    std::vector<std::string> texts = TextsFrom(row, index.key_parts());
    Shelf own(index);
    own.Put({row.row, row.View()});
    for (; !texts.empty(); texts.pop_back()) {
      const auto lookup = index.Plan({texts, "", ""});
      if (!lookup.ok()) continue;
      const std::vector<Shelf::Owned> found = shelf.Find(**lookup);
      for (const Shelf::Owned& entry : own.entries()) {
        const bool there = std::find(shelf.entries().begin(), shelf.entries().end(), entry) != shelf.entries().end();
        if (there && !Finds(found, entry)) return Escape(row.row) + ": " + Escape(entry.row) + " is not found";
      }
    }
  }
  return "";
}

TEST(Lookup, OfWhatARowHoldsFindsItsEntriesInEveryKindOfIndex) {
  int accepted = 0;
  for (int seed = 1; seed <= Runs(4000); ++seed) {
    Dice dice(static_cast<uint64_t>(seed));
    const std::string file = RandomMapping(&dice);
    const auto index = LoadText(file);
    if (index == nullptr) continue;
    ++accepted;
    ASSERT_EQ(Missed(*index, RandomRows(&dice, kRows)), "") << "seed " << seed << "\n" << file;
  }
  EXPECT_GT(accepted, Runs(4000) / 20);
}

/// The first parts of an entry as they are shown, up to one that is not.
std::vector<std::string> ShownParts(const Index& index, const Entry& entry) {
  const std::vector<KnownPart> known = index.Decode(entry);
  std::vector<std::string> texts;
  for (const std::string& name : index.key_parts()) {
    const auto part =
        std::find_if(known.begin(), known.end(), [&](const KnownPart& each) { return each.name == name; });
    if (part == known.end()) break;
    texts.push_back(part->value);
  }
  return texts;
}

std::string NotFoundByWhatIsShown(const Index& index, const std::vector<SourceRow>& rows, int* typed) {
  Shelf shelf(index);
  for (const SourceRow& row : rows) shelf.Put({row.row, row.View()});
  for (const Shelf::Owned& entry : shelf.entries()) {
    std::vector<std::string> texts = ShownParts(index, entry.View());
    for (; !texts.empty(); texts.pop_back()) {
      const auto lookup = index.Plan({texts, "", ""});
      if (!lookup.ok()) continue;
      ++*typed;
      if (!Finds(shelf.Find(**lookup), entry)) return Escape(entry.row) + " is not found by " + Escape(texts.back());
    }
  }
  return "";
}

TEST(Lookup, OfWhatIsShownFindsTheEntryThatShowsIt) {
  int typed = 0;
  for (int seed = 1; seed <= Runs(4000); ++seed) {
    Dice dice(static_cast<uint64_t>(seed));
    const std::string file = RandomMapping(&dice);
    const auto index = LoadText(file);
    if (index == nullptr) continue;
    ASSERT_EQ(NotFoundByWhatIsShown(*index, RandomRows(&dice, kRows), &typed), "") << "seed " << seed << "\n" << file;
  }
  EXPECT_GT(typed, Runs(4000));
}

}  // namespace
}  // namespace fensi::mapping

#include "mapping/lookup/planned_lookup.h"

#include <algorithm>
#include <set>
#include <utility>

#include "mapping/definition/analysis.h"
#include "mapping/lookup/bounds.h"
#include "mapping/lookup/inverse.h"
#include "mapping/lookup/key_encoding.h"
#include "mapping/lookup/numbers.h"
#include "mapping/lookup/period_tables.h"

namespace fensi::mapping {
namespace {

bool BehindHash(const Part& part, size_t end) {
  return std::any_of(part.steps.begin(), part.steps.begin() + static_cast<std::ptrdiff_t>(end), [](const Step& step) {
    return step.function != nullptr && step.function->category == Category::kHashes;
  });
}

/// Null: not exactly known.
const std::string* SourceRow(const std::vector<KnownPart>& known) {
  for (const KnownPart& part : known) {
    if (part.exact && part.name == "row") return &part.value;
  }
  return nullptr;
}

}  // namespace

bool BoundsReadAlike(const Part& a, const Part& b, size_t typed_at) {
  const size_t number_at = FirstNumber(a, typed_at);
  const size_t decimal_at = FirstDecimal(a, typed_at);
  if (number_at != FirstNumber(b, typed_at) || decimal_at != FirstDecimal(b, typed_at)) return false;
  const size_t text_at = FirstText(a, typed_at);
  if (std::min(number_at, decimal_at) == kNoStep && text_at != FirstText(b, typed_at)) return false;
  const size_t read_at = std::min({number_at, decimal_at, text_at});
  return read_at == kNoStep || BeginAlike(a, b, read_at);
}

const Part& BoundReaderOf(const Template& row, const KeyPart& part) {
  for (const Part& candidate : row.parts) {
    if (!part.Decides(candidate)) continue;
    const size_t number_at = std::min(FirstNumber(candidate, part.steps), FirstDecimal(candidate, part.steps));
    if (number_at != kNoStep && !BehindHash(candidate, number_at)) return candidate;
  }
  return *part.first;
}

Status PlannedLookup::Plan() {
  if (request_.parts.size() > parts_.size()) {
    return TooManyParts(definition_.name, request_.parts.size(), parts_.size());
  }
  FENSI_ASSIGN_OR_RETURN(key_, EncodeParts(row_, parts_, request_.parts));
  Status status = request_.area ? ReadArea() : Bounded() ? ReadBounds() : Status();
  if (status.ok()) status = CheckPieces();
  if (status.ok()) status = ChooseTables();
  if (!status.ok()) return status;
  if (!asked_ || !asked_->Empty()) ranges_ = RangesOf(row_, key_, scanned_);
  ranges_suffice_ = Suffice();
  return Status();
}

// The bounds of a period table are those of its time, whether the row key holds it or not; of others those of the part
// behind the given ones.
Status PlannedLookup::ReadBounds() {
  if (!definition_.table_template) {
    if (request_.parts.size() < parts_.size()) return BoundPart(parts_[request_.parts.size()]);
    return InvalidArgument(
        "all parts of the row key are given, so --from and --to have no part to limit: remove the last part, or remove "
        "--from and --to");
  }
  for (const KeyPart& part : parts_) {
    const bool same = part.steps == 0 && part.first->reference->Same(*definition_.period.reference);
    if (same && BoundPart(part).ok()) return Status();
  }
  typed_at_ = 0;
  asked_of_ = &definition_.period;
  return AskBounds();
}

Result<PartBounds> PlannedLookup::BoundsOf(size_t part, size_t typed_at) const {
  const Part& of = row_.parts[part];
  FENSI_ASSIGN_OR_RETURN(Bounds bounds,
                         Bounds::Read(of, typed_at, request_.from, request_.to, UnitOf(definition_, of, typed_at)));
  return PartBounds::Make(of, std::move(bounds));
}

// A part that is read otherwise than the bounds is of use, too, where it tells the very value.
Status PlannedLookup::BoundPart(const KeyPart& part) {
  typed_at_ = part.steps;
  const Part* const time_reader = TimeReader(part);
  asked_of_ = time_reader != nullptr ? time_reader : &BoundReaderOf(row_, part);
  Status refused = InvalidArgument("the part " + part.first->text +
                                   " neither keeps the order of its values nor can be read back: remove --from and "
                                   "--to, and give the value of the part");
  bool told = false;
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (!part.Decides(row_.parts[i])) continue;
    const bool alike = time_reader == nullptr && BoundsReadAlike(*asked_of_, row_.parts[i], part.steps);
    Result<PartBounds> bounds = BoundsOf(i, part.steps);
    if (alike && !bounds.ok()) return bounds.status();
    if (alike ? !bounds->Tell() : Invertible(row_.parts[i], part.steps) != Inverse::kExact) continue;
    if (!IsReadable(row_, i)) refused = NoBorders(row_.parts[i]);
    told = told || IsReadable(row_, i);
    if (alike) JudgeBy(i, std::move(*bounds));
  }
  if (!told) return refused;
  return AskBounds();
}

const Part* PlannedLookup::TimeReader(const KeyPart& part) const {
  const Part& own = BoundReaderOf(row_, part);
  if (part.steps > 0 || std::min(FirstNumber(own, 0), FirstDecimal(own, 0)) != kNoStep) return nullptr;
  const auto reads_time = [&](const Part& other) {
    if (other.IsLiteral() || !other.reference->Same(*own.reference)) return false;
    bool time = UnitOf(definition_, other, 0).has_value();
    for (size_t i = 0; i <= other.steps.size(); ++i) time = time || TypeAt(other, i) == Type::kTime;
    return time;
  };
  if (definition_.table_template && reads_time(definition_.period)) return &definition_.period;
  for (const ColumnRule& column : definition_.columns) {
    for (const Template* program : {&column.qualifier, &column.value}) {
      const auto found = std::find_if(program->parts.begin(), program->parts.end(), reads_time);
      if (found != program->parts.end()) return &*found;
    }
  }
  return nullptr;
}

void PlannedLookup::JudgeBy(size_t part, PartBounds bounds) {
  if (part == key_.open) scanned_ = bounds.intervals();
  const bool better = !judge_ || (bounds.TellExactly() && !judge_->TellExactly());
  if (!IsReadable(row_, part) || !better) return;
  judged_ = part;
  judge_ = std::move(bounds);
}

Status PlannedLookup::ReadArea() {
  if (Bounded())
    return InvalidArgument(
        "--near and --box take the place of --from and --to: remove --from and --to, or remove --near and --box");
  if (definition_.table_template) {
    return InvalidArgument("--near and --box cannot select period tables of index " + definition_.name +
                           ": remove --near and --box, and give --from and --to");
  }
  const auto is_geohash = [](const Part& part) {
    return !part.IsLiteral() && !part.steps.empty() && part.steps.back().function != nullptr &&
           part.steps.back().function->category == Category::kPlaces;
  };
  if (key_.open == row_.parts.size() || !is_geohash(row_.parts[key_.open])) {
    return InvalidArgument("--near and --box need a geohash after the given parts, and the row key is '" + row_.text +
                           "': give the parts before the geohash, or remove --near and --box");
  }
  asked_of_ = &row_.parts[key_.open];
  if (!IsReadable(row_, key_.open)) return NoBorders(*asked_of_);
  typed_at_ = AskedPart().steps;
  scanned_.emplace();
  for (Area::Range& range : request_.area->Cover(static_cast<int>(asked_of_->shape.max_width))) {
    scanned_->push_back({std::move(range.first), std::move(range.second)});
  }
  holds_position_ = HoldsPosition();
  return Status();
}

// Row key, qualifiers or values hold what the geohash is made of, so that every entry tells it.
bool PlannedLookup::HoldsPosition() const {
  const bool defaults = std::any_of(asked_of_->steps.begin(), asked_of_->steps.end(),
                                    [](const Step& step) { return step.function == nullptr; });
  if (defaults) return false;  // an entry without the column does not tell that its position is the default
  if (!TellsOfOthers()) {
    return std::all_of(definition_.columns.begin(), definition_.columns.end(), [this](const ColumnRule& column) {
      return HeldBy({&row_, &column.qualifier, &column.value});
    });
  }
  if (KnownBits(definition_, Origin::kRow) != kExactly) return false;
  std::vector<const Template*> templates = {&row_};
  for (const ColumnRule& column : definition_.columns) {
    templates.push_back(&column.qualifier);
    templates.push_back(&column.value);
  }
  return HeldBy(templates);
}

// What one cell of a row tells of columns is true of its others if their source row is known. Items and bound cells are
// others for each entry.
bool PlannedLookup::TellsOfOthers() const {
  using Kind = Reference::Kind;
  return !AnyReference(
      *asked_of_, [](const Reference& reference) { return !reference.IsColumn() && reference.kind != Kind::kRow; });
}

bool PlannedLookup::HeldBy(const std::vector<const Template*>& templates) const {
  const auto held = [&](const Reference& reference, size_t steps) {
    return std::any_of(templates.begin(), templates.end(), [&](const Template* program) {
      for (size_t i = 0; i < program->parts.size(); ++i) {
        const Part& part = program->parts[i];
        if (part.IsLiteral() || !part.reference->Same(reference) || !BeginAlike(part, *asked_of_, steps)) continue;
        if (IsReadable(*program, i) && Invertible(part, steps) == Inverse::kExact) return true;
      }
      return false;
    });
  };
  if (held(*asked_of_->reference, typed_at_)) return true;
  if (asked_of_->reference->joined == nullptr) return false;
  return !AnyReference(*asked_of_, [&](const Reference& reference) { return !held(reference, 0); });
}

Status PlannedLookup::AskBounds() {
  if (judged_) asked_of_ = &row_.parts[*judged_];
  Result<Bounds> bounds =
      Bounds::Read(*asked_of_, typed_at_, request_.from, request_.to, UnitOf(definition_, *asked_of_, typed_at_));
  if (!bounds.ok()) return bounds.status();
  asked_ = std::move(*bounds);
  return Status();
}

Status PlannedLookup::NoBorders(const Part& part) const {
  return InvalidArgument(
      "the row keys '" + row_.text + "' do not show where " + part.text +
      " begins and ends, so the lookup would also find other values. Read the rows with 'fensi scan TABLE'");
}

// Compared values must be readable from the keys.
Status PlannedLookup::CheckPieces() const {
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (row_.parts[i].IsLiteral() || !key_.pieces[i] || IsReadable(row_, i)) continue;
    return NoBorders(row_.parts[i]);
  }
  return Status();
}

Status PlannedLookup::ChooseTables() {
  if (!definition_.table_template) {
    tables_ = {definition_.table};
    return Status();
  }
  if (!Bounded()) return Status();
  const Part& period = definition_.period;
  FENSI_ASSIGN_OR_RETURN(const Bounds bounds,
                         Bounds::Read(period, 0, request_.from, request_.to, UnitOf(definition_, period, 0)));
  FENSI_ASSIGN_OR_RETURN(tables_, TablesBetween(definition_, bounds, request_));
  return Status();
}

// Every part in front of the open one is in the prefixes, and ends where the next begins.
bool PlannedLookup::Suffice() const {
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (row_.parts[i].IsLiteral() || !key_.pieces[i]) continue;
    if (i >= key_.open) return false;
    if (!EndsItself(row_, i) && key_.open < row_.parts.size()) return false;
  }
  if (request_.area) return false;
  if (!asked_) return true;
  const bool exact = judge_ && judge_->TellExactly() && !judge_->HoldOthers();
  return judged_ == key_.open && scanned_ && exact && RangeSuffices(row_, key_.open);
}

Placement PlannedLookup::Judge(std::string_view key) const {
  if (request_.parts.empty() && !asked_ && !request_.area) return Placement::kInside;
  const std::optional<Pieces> pieces = Cut(row_, key);
  if (!pieces) return Placement::kOutside;
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (!row_.parts[i].IsLiteral() && key_.pieces[i] && key_.pieces[i] != (*pieces)[i]) return Placement::kOutside;
  }
  if (request_.area) {
    return request_.area->Touches(*(*pieces)[key_.open]) ? Placement::kUnsure : Placement::kOutside;
  }
  if (!judge_) return asked_ ? Placement::kUnsure : Placement::kInside;
  return judge_->Judge(*(*pieces)[*judged_]);
}

// The value of the bounded reference, where it is exactly known.
std::optional<Value> PlannedLookup::ValueIn(const std::vector<KnownPart>& known) const {
  for (const KnownPart& part : known) {
    if (!part.exact || part.name != asked_of_->reference->name) continue;
    Value value;
    value.bytes = part.value;
    if (asked_of_->reference->IsTime()) value.number = std::stoll(part.value);
    Scratch scratch;
    if (RunSteps(*asked_of_, 0, typed_at_, &scratch, &value) != Outcome::kValue) return std::nullopt;
    return value;
  }
  return std::nullopt;
}

// Of joined parts each may be known by itself.
std::optional<Value> PlannedLookup::JoinedIn(const std::vector<KnownPart>& known, Scratch* scratch) const {
  if (asked_of_->reference->joined == nullptr) return std::nullopt;
  Inputs inputs;
  VisibleCell bound;
  std::vector<VisibleCell> cells(definition_.slots.size());
  std::vector<const VisibleCell*> slots(definition_.slots.size());
  std::set<std::string_view> given;
  for (const KnownPart& part : known) {
    if (!part.exact) continue;
    ForEachReference(*asked_of_, [&](const Reference& reference) {
      if (reference.name != part.name) return;
      given.insert(reference.name);
      VisibleCell& cell = reference.IsColumn() ? cells[reference.slot] : bound;
      if (reference.IsColumn()) slots[reference.slot] = &cell;
      if (reference.IsTime()) cell.timestamp = std::stoll(part.value);
      if (reference.kind == Reference::Kind::kRow) inputs.row = part.value;
      if (reference.kind == Reference::Kind::kItem) inputs.item = part.value;
      if (reference.kind == Reference::Kind::kBoundFamily) cell.family = part.value;
      if (reference.kind == Reference::Kind::kBoundQualifier) cell.qualifier = part.value;
      if (!reference.IsTime()) cell.value = part.value;
    });
  }
  if (AnyReference(*asked_of_, [&](const Reference& reference) { return !given.contains(reference.name); })) {
    return std::nullopt;
  }
  inputs.slots = slots;
  inputs.bound = &bound;
  Value value;
  const Outcome outcome = RunTemplate(*asked_of_->reference->joined, inputs, scratch, &value.bytes);
  return outcome == Outcome::kValue ? std::optional(value) : std::nullopt;
}

std::optional<Position> PlannedLookup::PositionIn(const std::vector<KnownPart>& known) const {
  Scratch scratch;
  std::optional<Value> value;
  const std::string& name = AskedPart().name;
  for (const KnownPart& part : known) {
    if (!part.exact || part.name != name) continue;
    value.emplace();
    value->bytes = part.value;
  }
  if (!value && typed_at_ == 0) value = JoinedIn(known, &scratch);
  if (!value) return std::nullopt;
  const size_t geohash = asked_of_->steps.size() - 1;
  if (RunSteps(*asked_of_, typed_at_, geohash, &scratch, &*value) != Outcome::kValue) return std::nullopt;
  std::string problem;
  return ParsePosition(value->bytes, &problem);
}

const KeyPart& PlannedLookup::AskedPart() const {
  return *std::find_if(parts_.begin(), parts_.end(), [this](const KeyPart& part) { return part.Decides(*asked_of_); });
}

std::optional<bool> PlannedLookup::Told(const std::vector<KnownPart>& known) const {
  if (request_.area) {
    const std::optional<Position> position = PositionIn(known);
    return position ? std::optional(request_.area->Contains(*position)) : std::nullopt;
  }
  const std::optional<Value> value = ValueIn(known);
  return value ? std::optional(asked_->Include(*value)) : std::nullopt;
}

// Several parts of one number may tell it together.
Placement PlannedLookup::JudgeNumber(const Entry& cell) const {
  const size_t number_at = FirstNumber(*asked_of_, typed_at_);
  if (number_at == kNoStep || FirstDecimal(*asked_of_, typed_at_) < number_at) return Placement::kUnsure;
  const std::optional<Numbers> numbers = DecodeNumber(definition_, *asked_of_, number_at, cell);
  return numbers ? asked_->Judge(*numbers, number_at) : Placement::kUnsure;
}

// Cells of one source row tell of each other, as far as columns go: what is bounded, by source row.
PlannedLookup::Values PlannedLookup::ValuesOfRows(std::span<const std::vector<KnownPart>> cells) const {
  Values values;
  if (!AnyReference(*asked_of_, [](const Reference& reference) { return reference.IsColumn(); })) return values;
  if (request_.area && !TellsOfOthers()) return values;
  std::map<std::string, std::vector<KnownPart>, std::less<>> of_row;
  for (const std::vector<KnownPart>& known : cells) {
    const std::string* row = SourceRow(known);
    if (row == nullptr) continue;
    // Several columns may hold a position together.
    std::vector<KnownPart>& all = request_.area ? of_row[*row] : (of_row[*row] = {});
    all.insert(all.end(), known.begin(), known.end());
    if (const std::optional<bool> told = Told(all)) values.emplace(*row, *told);
  }
  return values;
}

bool PlannedLookup::Includes(const Entry& cell, const std::vector<KnownPart>& known, const Values& values) const {
  if (const std::optional<bool> told = Told(known)) return *told;
  const Placement placement = request_.area ? Placement::kUnsure : JudgeNumber(cell);
  if (placement != Placement::kUnsure) return placement == Placement::kInside;
  const std::string* row = SourceRow(known);
  const auto of_row = row == nullptr ? values.end() : values.find(*row);
  return of_row == values.end() || of_row->second;
}

std::vector<Lookup::Hit> PlannedLookup::Hits(std::span<const Entry> row) const {
  std::vector<Lookup::Hit> hits;
  if (row.empty()) return hits;
  const Placement placement = Judge(row[0].row);
  if (placement == Placement::kOutside) return hits;
  std::vector<std::vector<KnownPart>> known;
  for (const Entry& cell : row) known.push_back(DecodeCell(definition_, parts_, cell, CellParts::kAll));
  const Values values = placement == Placement::kUnsure ? ValuesOfRows(known) : Values();
  for (size_t i = 0; i < row.size(); ++i) {
    if (placement == Placement::kInside || Includes(row[i], known[i], values)) hits.push_back({i, std::move(known[i])});
  }
  return hits;
}

}  // namespace fensi::mapping

// A lookup planned: what to scan, and which of it is meant.
#include "mapping/lookup.h"

#include <map>

#include "mapping/compiled_index.h"
#include "mapping/definition/analysis.h"
#include "mapping/reading/cut.h"
#include "mapping/reading/key_decoding.h"
#include "mapping/reading/key_encoding.h"
#include "mapping/reading/key_range.h"
#include "mapping/reading/part_bounds.h"
#include "mapping/reading/period_tables.h"
#include "mapping/reading/units.h"

namespace fensi::mapping {
namespace {

using Verdict = PartBounds::Verdict;

/// Are bounds of both compared with the same numbers, or with the same bytes?
bool ReadAlike(const Part& a, const Part& b, size_t typed_at) {
  const size_t number_at = FirstNumber(a, typed_at);
  if (number_at != FirstNumber(b, typed_at)) return false;
  return number_at == kNoStep || BeginAlike(a, b, number_at);
}

/// Null: not exactly known.
const std::string* SourceRow(const std::vector<KnownPart>& known) {
  for (const KnownPart& part : known) {
    if (part.exact && part.name == "row") return &part.value;
  }
  return nullptr;
}

/// Borrows the definition of the index.
class PlannedLookup final : public Lookup {
 public:
  PlannedLookup(const IndexDefinition& definition, LookupRequest request)
      : definition_(definition), row_(definition.row), parts_(KeyParts(row_)), request_(std::move(request)) {}

  Status Plan();

  const std::vector<std::string>& tables() const override { return tables_; }
  const std::vector<KeyRange>& ranges() const override { return ranges_; }
  bool ranges_suffice() const override { return ranges_suffice_; }
  std::vector<Hit> Hits(std::span<const Entry> row) const override;

 private:
  bool Bounded() const { return !request_.from.empty() || !request_.to.empty(); }
  Status ReadBounds();
  Status BoundPart(const KeyPart& part);
  Result<PartBounds> BoundsOf(size_t part, size_t typed_at) const;
  Status NoBorders(const Part& part) const;
  Status CheckPieces() const;
  Status ChooseTables();
  bool Suffice() const;
  Verdict Judge(std::string_view key) const;
  /// By source row: does its value lie between the bounds?
  using Values = std::map<std::string, bool, std::less<>>;
  Values ValuesOfRows(std::span<const std::vector<KnownPart>> cells) const;
  bool Includes(const std::vector<KnownPart>& known, const Values& values) const;
  std::optional<Value> ValueIn(const std::vector<KnownPart>& known) const;

  const IndexDefinition& definition_;
  const Template& row_;
  const std::vector<KeyPart> parts_;
  const LookupRequest request_;
  EncodedKey key_;
  std::optional<Bounds> asked_;     // of the reference below
  const Part* asked_of_ = nullptr;  // the reference that is bounded, and
  size_t typed_at_ = 0;             // the steps behind which its values stand
  std::optional<size_t> judged_;    // the part of the row template that tells most of them
  std::optional<PartBounds> judge_;
  std::optional<std::vector<Interval>> scanned_;  // of the part behind the prefixes
  std::vector<std::string> tables_;
  std::vector<KeyRange> ranges_;
  bool ranges_suffice_ = false;
};

Status PlannedLookup::Plan() {
  if (request_.parts.size() > parts_.size()) {
    return InvalidArgument(std::to_string(request_.parts.size()) + " parts were given, the row key of '" +
                           definition_.name + "' has " + std::to_string(parts_.size()));
  }
  Result<EncodedKey> key = EncodeParts(row_, parts_, request_.parts);
  if (!key.ok()) return key.status();
  key_ = std::move(*key);
  Status status = Bounded() ? ReadBounds() : Status();
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
    return InvalidArgument("all parts are given: nothing is left between --from and --to");
  }
  for (const KeyPart& part : parts_) {
    const bool same = part.steps == 0 && part.first->reference->Same(*definition_.period.reference);
    if (same && BoundPart(part).ok()) return Status();
  }
  typed_at_ = 0;
  asked_of_ = &definition_.period;
  Result<Bounds> bounds =
      Bounds::Read(*asked_of_, 0, request_.from, request_.to, UnitOf(definition_, *asked_of_, typed_at_));
  if (!bounds.ok()) return bounds.status();
  asked_ = std::move(*bounds);
  return Status();
}

Result<PartBounds> PlannedLookup::BoundsOf(size_t part, size_t typed_at) const {
  const Part& of = row_.parts[part];
  Result<Bounds> bounds = Bounds::Read(of, typed_at, request_.from, request_.to, UnitOf(definition_, of, typed_at));
  if (!bounds.ok()) return bounds.status();
  return PartBounds::Make(of, std::move(*bounds));
}

Status PlannedLookup::BoundPart(const KeyPart& part) {
  typed_at_ = part.steps;
  Status refused = InvalidArgument(part.first->text +
                                   " neither keeps the order of its values nor can be read back: --from and --to say "
                                   "nothing about it");
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (!part.Decides(row_.parts[i])) continue;
    Result<PartBounds> bounds = BoundsOf(i, part.steps);
    if (!bounds.ok()) return bounds.status();
    if (!bounds->Tell() || (judge_ && !ReadAlike(row_.parts[*judged_], row_.parts[i], part.steps))) continue;
    if (i == key_.open) scanned_ = bounds->intervals();
    if (!IsReadable(row_, i)) refused = NoBorders(row_.parts[i]);
    const bool better = !judge_ || (bounds->TellExactly() && !judge_->TellExactly());
    if (!IsReadable(row_, i) || !better) continue;
    judged_ = i;
    judge_ = std::move(*bounds);
  }
  if (!judge_) return refused;
  asked_ = judge_->bounds();
  asked_of_ = &row_.parts[*judged_];
  return Status();
}

Status PlannedLookup::NoBorders(const Part& part) const {
  return InvalidArgument("where " + part.text + " begins and ends cannot be told from the row keys '" + row_.text +
                         "', so that other values would be taken for it");
}

// What is to be compared must be found in the keys.
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
  const Result<Bounds> bounds = Bounds::Read(period, 0, request_.from, request_.to, UnitOf(definition_, period, 0));
  if (!bounds.ok()) return bounds.status();
  Result<std::vector<std::string>> tables = TablesBetween(definition_, *bounds, request_);
  if (!tables.ok()) return tables.status();
  tables_ = std::move(*tables);
  return Status();
}

// Every part in front of the open one is in the prefixes, and ends where the next begins.
bool PlannedLookup::Suffice() const {
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (row_.parts[i].IsLiteral() || !key_.pieces[i]) continue;
    if (i >= key_.open) return false;
    if (!EndsItself(row_, i) && key_.open < row_.parts.size()) return false;
  }
  if (!asked_) return true;
  return judged_ == key_.open && scanned_ && judge_->TellExactly() && RangeSuffices(row_, key_.open);
}

Verdict PlannedLookup::Judge(std::string_view key) const {
  if (request_.parts.empty() && !asked_) return Verdict::kInside;
  const std::optional<Pieces> pieces = Cut(row_, key);
  if (!pieces) return Verdict::kOutside;
  for (size_t i = 0; i < row_.parts.size(); ++i) {
    if (!row_.parts[i].IsLiteral() && key_.pieces[i] && key_.pieces[i] != (*pieces)[i]) return Verdict::kOutside;
  }
  if (!judge_) return asked_ ? Verdict::kUnsure : Verdict::kInside;
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

// Cells of one source row tell of each other, as far as columns go: what is bounded, by source row.
PlannedLookup::Values PlannedLookup::ValuesOfRows(std::span<const std::vector<KnownPart>> cells) const {
  Values values;
  if (!asked_of_->reference->IsColumn()) return values;
  for (const std::vector<KnownPart>& known : cells) {
    const std::string* row = SourceRow(known);
    const std::optional<Value> value = row == nullptr ? std::nullopt : ValueIn(known);
    if (value) values.emplace(*row, asked_->Include(*value));
  }
  return values;
}

bool PlannedLookup::Includes(const std::vector<KnownPart>& known, const Values& values) const {
  if (const std::optional<Value> value = ValueIn(known)) return asked_->Include(*value);
  const std::string* row = SourceRow(known);
  const auto of_row = row == nullptr ? values.end() : values.find(*row);
  return of_row == values.end() || of_row->second;
}

std::vector<Lookup::Hit> PlannedLookup::Hits(std::span<const Entry> row) const {
  std::vector<Hit> hits;
  if (row.empty()) return hits;
  const Verdict verdict = Judge(row[0].row);
  if (verdict == Verdict::kOutside) return hits;
  std::vector<std::vector<KnownPart>> known;
  for (const Entry& cell : row) known.push_back(DecodeCell(definition_, parts_, cell));
  const Values values = verdict == Verdict::kUnsure ? ValuesOfRows(known) : Values();
  for (size_t i = 0; i < row.size(); ++i) {
    if (verdict == Verdict::kInside || Includes(known[i], values)) hits.push_back({i, std::move(known[i])});
  }
  return hits;
}

}  // namespace

Result<std::shared_ptr<const Lookup>> CompiledIndex::Plan(LookupRequest request) const {
  auto lookup = std::make_shared<PlannedLookup>(definition_, std::move(request));
  const Status planned = lookup->Plan();
  if (!planned.ok()) return planned;
  return std::shared_ptr<const Lookup>(std::move(lookup));
}

}  // namespace fensi::mapping

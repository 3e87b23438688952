#include "store/embedded/row_reader.h"

#include <algorithm>

#include "base/bytes.h"
#include "store/check.h"
#include "store/embedded/open_database.h"

namespace fensi::store {
namespace {

rocksdb::ReadOptions OptionsFor(RowReader::Access access, const rocksdb::Slice& upper_bound) {
  rocksdb::ReadOptions options;
  options.iterate_upper_bound = &upper_bound;
  options.total_order_seek = access == RowReader::Access::kRange;
  options.prefix_same_as_start = access == RowReader::Access::kRows;
  return options;
}

ReadPlan::Family WholeFamily(const std::string& name, const FamilyRules& rules) {
  ReadPlan::Family family;
  family.name = name;
  family.rules = rules;
  return family;
}

/// Adds a column to the plan; whole families swallow their columns.
void AddColumn(const GetRequest::Column& column, const FamilyRules& rules, ReadPlan* plan) {
  auto family = std::find_if(plan->families.begin(), plan->families.end(),
                             [&](const ReadPlan::Family& f) { return f.name == column.family; });
  if (family == plan->families.end()) {
    plan->families.push_back(WholeFamily(column.family, rules));
    family = plan->families.end() - 1;
    family->whole = false;
  }
  if (column.qualifier) {
    family->qualifiers.push_back(*column.qualifier);
  } else {
    family->whole = true;
  }
}

void SortUnique(std::vector<std::string>* values) {
  std::sort(values->begin(), values->end());
  values->erase(std::unique(values->begin(), values->end()), values->end());
}

}  // namespace

Result<ReadPlan> PlanRead(const EmbeddedTable& table, const std::vector<GetRequest::Column>& columns, bool raw,
                          int32_t max_versions, int64_t now) {
  FENSI_RETURN_IF_ERROR(CheckFamilies(table.description, columns));
  ReadPlan plan;
  plan.mode = raw ? ReadMode::kRaw : ReadMode::kVisible;
  plan.max_versions = max_versions;
  plan.now = now;
  if (columns.empty()) {
    for (const auto& [name, rules] : table.rules) plan.families.push_back(WholeFamily(name, rules));
  }
  for (const GetRequest::Column& column : columns) AddColumn(column, table.rules.find(column.family)->second, &plan);
  for (ReadPlan::Family& family : plan.families) SortUnique(&family.qualifiers);
  std::sort(plan.families.begin(), plan.families.end(),
            [](const ReadPlan::Family& a, const ReadPlan::Family& b) { return a.name < b.name; });
  return plan;
}

RowReader::RowReader(rocksdb::DB* database, const EmbeddedTable& table, Access access)
    : table_(table),
      upper_bound_(PrefixEnd(table.prefix)),
      upper_bound_slice_(upper_bound_),
      iterator_(database->NewIterator(OptionsFor(access, upper_bound_slice_))) {}

void RowReader::ReadRow(const std::string& row, const ReadPlan& plan, std::vector<Cell>* cells) {
  row_prefix_ = table_.prefix;
  AppendText(row, &row_prefix_);
  iterator_->Seek(row_prefix_);
  Settle();
  ReadFamilies(plan, {}, cells);
}

void RowReader::SeekRow(const std::string& row) {
  target_ = row.empty() ? table_.prefix : RowPrefix(table_.prefix, row);
  iterator_->Seek(target_);
  Settle();
}

bool RowReader::AtRow(const std::string& stop_row, std::string* row) const {
  if (!valid_) return false;
  *row = key_.Row();
  return stop_row.empty() || *row < stop_row;
}

bool RowReader::ReadCurrentRow(const ReadPlan& plan, const RowPart& part, std::vector<Cell>* cells) {
  row_prefix_ = key_.row_prefix();
  const bool whole = ReadFamilies(plan, part, cells);
  if (InRow()) {
    target_ = PrefixEnd(row_prefix_);
    Advance(target_);
  }
  return whole;
}

void RowReader::CompactCurrentRow(int64_t now, const std::function<void(std::string_view key)>& drop) {
  row_prefix_ = key_.row_prefix();
  while (InRow()) {
    const std::string family(key_.family());
    FamilyFilter filter(ReadMode::kCompact, table_.rules.find(family)->second, 0, now);
    std::string dropped_column;
    for (; InRow() && key_.family() == family; Next()) {
      if (key_.column_prefix() != dropped_column) {
        const Verdict verdict = filter.Judge(key_, DecodeValue(iterator_->value().ToStringView()).ttl_millis);
        if (verdict == Verdict::kKeep) continue;
        if (verdict == Verdict::kNextColumn) dropped_column = key_.column_prefix();
      }
      drop(iterator_->key().ToStringView());
    }
  }
}

Status RowReader::status() const {
  if (damaged_)
    return Status(StatusCode::kInternal,
                  "embedded store: a key of table " + table_.description.name + " is damaged" + kRestoreStore);
  return FromRocksDb(iterator_->status(), "reading table " + table_.description.name);
}

void RowReader::Settle() {
  valid_ = iterator_->Valid();
  if (!valid_ || key_.Parse(iterator_->key().ToStringView())) return;
  valid_ = false;
  damaged_ = true;
}

void RowReader::Next() {
  iterator_->Next();
  Settle();
}

/// Moves to the first key at or above `target`, which is not below the current one: often a few steps away.
void RowReader::Advance(const std::string& target) {
  constexpr int kSteps = 8;
  if (!valid_) return;
  for (int i = 0; i < kSteps; ++i) {
    if (!iterator_->Valid() || iterator_->key().compare(target) >= 0) return Settle();
    iterator_->Next();
  }
  if (iterator_->Valid() && iterator_->key().compare(target) < 0) iterator_->Seek(target);
  Settle();
}

void RowReader::SkipColumn() {
  target_ = PrefixEnd(key_.column_prefix());
  Advance(target_);
}

/// False: part.max_cells ended the reading.
bool RowReader::ReadFamilies(const ReadPlan& plan, const RowPart& part, std::vector<Cell>* cells) {
  for (const ReadPlan::Family& family : plan.families) {
    if (!InRow()) return true;
    if (part.behind != nullptr && family.name < part.behind->family) continue;
    target_.assign(row_prefix_).append(family.name).push_back('\0');
    Advance(target_);
    if (!ReadFamily(family, plan, part, cells)) return false;
  }
  return true;
}

bool RowReader::ReadFamily(const ReadPlan::Family& family, const ReadPlan& plan, const RowPart& part,
                           std::vector<Cell>* cells) {
  const auto in_family = [&] { return InRow() && key_.family() == family.name; };
  const bool is_begun = part.behind != nullptr && part.behind->family == family.name;
  FamilyFilter filter(plan.mode, family.rules, plan.max_versions, plan.now, plan.times);
  if (is_begun || !family.whole) {
    // The empty qualifier always: it holds the markers of the family.
    const bool empty_wanted = family.whole || (!family.qualifiers.empty() && family.qualifiers.front().empty());
    const Take take = is_begun ? Take::kNothing : empty_wanted ? Take::kAll : Take::kFamilyMarkers;
    if (in_family() && key_.qualifier_is_empty()) {
      if (!is_begun && cells->size() >= part.max_cells) return false;
      ReadColumn(family, plan, take, &filter, cells);
    }
  }
  if (!family.whole) return ReadNamedColumns(family, plan, part, &filter, cells);
  if (is_begun && in_family() && AdvanceToColumn(family, part.behind->qualifier)) SkipColumn();
  while (in_family()) {
    if (cells->size() >= part.max_cells) return false;
    ReadColumn(family, plan, Take::kAll, &filter, cells);
  }
  return true;
}

bool RowReader::ReadNamedColumns(const ReadPlan::Family& family, const ReadPlan& plan, const RowPart& part,
                                 FamilyFilter* filter, std::vector<Cell>* cells) {
  const bool is_begun = part.behind != nullptr && part.behind->family == family.name;
  for (const std::string& qualifier : family.qualifiers) {
    if (qualifier.empty() || (is_begun && qualifier <= part.behind->qualifier)) continue;
    if (!InRow() || key_.family() != family.name) return true;
    if (!AdvanceToColumn(family, qualifier)) continue;
    if (cells->size() >= part.max_cells) return false;
    ReadColumn(family, plan, Take::kAll, filter, cells);
  }
  return true;
}

/// False: there is no such column.
bool RowReader::AdvanceToColumn(const ReadPlan::Family& family, const std::string& qualifier) {
  target_.assign(row_prefix_).append(family.name).push_back('\0');
  AppendText(qualifier, &target_);
  Advance(target_);
  return InRow() && key_.column_prefix() == target_;
}

/// Reads the column under the iterator and moves past it.
void RowReader::ReadColumn(const ReadPlan::Family& family, const ReadPlan& plan, Take take, FamilyFilter* filter,
                           std::vector<Cell>* cells) {
  const std::string column(key_.column_prefix());
  std::string qualifier;
  bool named = false;
  while (valid_ && key_.column_prefix() == column) {
    const StoredValue stored = DecodeValue(iterator_->value().ToStringView());
    const Verdict verdict = filter->Judge(key_, stored.ttl_millis);
    if (verdict == Verdict::kNextColumn) return SkipColumn();
    const bool taken = take == Take::kAll || (take == Take::kFamilyMarkers && IsFamilyMarker(key_.type()));
    if (verdict == Verdict::kKeep && taken) {
      if (!named) qualifier = key_.Qualifier();
      named = true;
      const std::string_view value = plan.keys_only ? std::string_view() : stored.value;
      cells->push_back({family.name, qualifier, key_.timestamp(), key_.type(), std::string(value), {}});
    }
    Next();
  }
}

}  // namespace fensi::store

#include "store/embedded/row_reader.h"

#include <algorithm>

#include "base/bytes.h"
#include "store/check.h"
#include "store/embedded/rocksdb_status.h"

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
  ReadFamilies(plan, cells);
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

void RowReader::ReadCurrentRow(const ReadPlan& plan, std::vector<Cell>* cells) {
  row_prefix_ = key_.row_prefix();
  ReadFamilies(plan, cells);
  if (InRow()) {
    target_ = PrefixEnd(row_prefix_);
    Advance(target_);
  }
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
  if (damaged_) return Status(StatusCode::kInternal, "embedded store: a key is damaged");
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

void RowReader::ReadFamilies(const ReadPlan& plan, std::vector<Cell>* cells) {
  for (const ReadPlan::Family& family : plan.families) {
    if (!InRow()) return;
    target_.assign(row_prefix_).append(family.name).push_back('\0');
    Advance(target_);
    FamilyFilter filter(plan.mode, family.rules, plan.max_versions, plan.now);
    if (!family.whole) {
      ReadNamedColumns(family, &filter, cells);
      continue;
    }
    while (InRow() && key_.family() == family.name) ReadColumn(family, true, &filter, cells);
  }
}

void RowReader::ReadNamedColumns(const ReadPlan::Family& family, FamilyFilter* filter, std::vector<Cell>* cells) {
  const bool empty_wanted = !family.qualifiers.empty() && family.qualifiers.front().empty();
  // The empty qualifier always: it holds the markers of the family.
  if (InRow() && key_.family() == family.name && key_.qualifier_is_empty()) {
    ReadColumn(family, empty_wanted, filter, cells);
  }
  for (const std::string& qualifier : family.qualifiers) {
    if (qualifier.empty()) continue;
    if (!InRow() || key_.family() != family.name) return;
    std::string column = row_prefix_ + family.name;
    column.push_back('\0');
    AppendText(qualifier, &column);
    Advance(column);
    if (InRow() && key_.column_prefix() == column) ReadColumn(family, true, filter, cells);
  }
}

/// Reads the column under the iterator and moves behind it; not wanted: only for its markers.
void RowReader::ReadColumn(const ReadPlan::Family& family, bool wanted, FamilyFilter* filter,
                           std::vector<Cell>* cells) {
  const std::string column(key_.column_prefix());
  std::string qualifier;
  bool named = false;
  while (valid_ && key_.column_prefix() == column) {
    const StoredValue stored = DecodeValue(iterator_->value().ToStringView());
    const Verdict verdict = filter->Judge(key_, stored.ttl_millis);
    if (verdict == Verdict::kNextColumn) return SkipColumn();
    if (verdict == Verdict::kKeep && wanted) {
      if (!named) qualifier = key_.Qualifier();
      named = true;
      cells->push_back({family.name, qualifier, key_.timestamp(), key_.type(), std::string(stored.value), {}});
    }
    Next();
  }
}

}  // namespace fensi::store

#include "mapping/engine/expiry.h"

#include <algorithm>
#include <utility>

#include "mapping/definition/analysis.h"

namespace fensi::mapping {
namespace {

void AddSlots(const Template& program, std::vector<size_t>* slots) {
  for (const Part& part : program.parts) {
    ForEachReference(part, [slots](const Reference& reference) {
      if (reference.IsColumn()) slots->push_back(reference.slot);
    });
  }
}

}  // namespace

Expiry::Expiry(const IndexDefinition& definition) : create_(definition.create), exact_(definition.expire_exactly) {
  const bool expires = std::any_of(definition.columns.begin(), definition.columns.end(),
                                   [&](const ColumnRule& column) { return TtlMillis(create_, column.family) > 0; });
  if (!exact_ && !expires) return;
  for (const ColumnRule& column : definition.columns) {
    Column expiry{TtlMillis(create_, column.family), {}};
    if (definition.exists) expiry.slots.push_back(*definition.exists);
    AddSlots(definition.row, &expiry.slots);
    if (definition.table_template) AddSlots(*definition.table_template, &expiry.slots);
    // Where one qualifier is absent, there is no entry, so none of its cells either.
    for (const ColumnRule& any : definition.columns) AddSlots(any.qualifier, &expiry.slots);
    AddSlots(column.value, &expiry.slots);
    if (definition.each.list) AddSlots(*definition.each.list, &expiry.slots);
    for (const Condition& condition : definition.when) {
      ForEachTest(condition, [&expiry](const Test& test) {
        AddSlots(test.left, &expiry.slots);
        AddSlots(test.right, &expiry.slots);
      });
    }
    columns_.push_back(std::move(expiry));
  }
}

int64_t Expiry::EndOf(const VisibleCell& cell, const Column& column) const {
  const int64_t declared = TtlMillis(create_, cell.family);
  int64_t end = 0;
  const int64_t ttl = declared > 0 ? declared : column.ttl_ms;
  if (__builtin_add_overflow(cell.timestamp, ttl, &end)) end = INT64_MAX;
  return std::min(end, cell.expires_at);
}

template <typename Use>
void Expiry::ForEachCell(const Column& column, const Work& work, const Use& use) {
  if (work.inputs.bound != nullptr) use(*work.inputs.bound);
  for (size_t slot : column.slots) {
    if (work.slots[slot] != nullptr) use(*work.slots[slot]);
  }
}

void Expiry::Tell(size_t column, const Work& work, Entry* entry) const {
  if (columns_.empty()) return;
  const Column& from = columns_[column];
  if (exact_) {
    ForEachCell(from, work,
                [&](const VisibleCell& cell) { entry->expires_at = std::min(entry->expires_at, EndOf(cell, from)); });
  } else if (from.ttl_ms > 0) {
    ForEachCell(from, work, [&](const VisibleCell& cell) { entry->newest = std::max(entry->newest, cell.timestamp); });
  }
}

namespace {

const FamilySpec* FindFamily(const CreateSpec& create, std::string_view name) {
  const auto found = std::find_if(create.families.begin(), create.families.end(),
                                  [&](const FamilySpec& family) { return family.name == name; });
  return found == create.families.end() ? nullptr : &*found;
}

/// One entry is made of several cells of its row, or every event of the row writes it again.
bool MayOutliveCells(const IndexDefinition& definition, bool between_bound) {
  if (definition.shared) return true;
  if (ScopeOf(definition) == StateScope::kColumn) return false;
  const bool bound = definition.each.fanout == Fanout::kColumns;
  return bound ? between_bound || !definition.slots.empty() : definition.slots.size() > 1;
}

}  // namespace

int64_t TtlMillis(const CreateSpec& create, std::string_view family) {
  const FamilySpec* spec = FindFamily(create, family);
  return spec == nullptr ? 0 : spec->TtlMillis();
}

CellEnds::CellEnds(const IndexDefinition& definition)
    : create_(definition.create),
      between_bound_(BoundColumnsCompete(definition)),
      matter_(!definition.expire_exactly && MayOutliveCells(definition, between_bound_)) {
  for (const FamilySpec& family : create_.families) {
    const int64_t ttl = family.TtlMillis();
    longest_ttl_ = std::max(longest_ttl_, ttl);
    all_entries_expire_ = all_entries_expire_ && ttl > 0;
  }
  if (!all_entries_expire_) longest_ttl_ = 0;
}

int64_t CellEnds::Of(const VisibleCell& cell) const {
  const FamilySpec* named = FindFamily(create_, cell.family);
  const int64_t ttl = named == nullptr ? longest_ttl_ : named->TtlMillis();
  int64_t end = INT64_MAX;
  if (ttl > 0 && __builtin_add_overflow(cell.timestamp, ttl, &end)) end = INT64_MAX;
  return std::min(end, cell.expires_at);
}

}  // namespace fensi::mapping

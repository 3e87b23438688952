#include "mapping/compiled_index.h"

#include <algorithm>
#include <tuple>

#include "mapping/definition/analysis.h"
#include "mapping/derive_work.h"

namespace fensi::mapping {
namespace {

bool Covers(const Watch& watch, std::string_view family, std::string_view qualifier) {
  if (watch.family != family) return false;
  switch (watch.kind) {
    case Watch::Kind::kColumn:
      return watch.qualifier == qualifier;
    case Watch::Kind::kPrefix:
      return qualifier.starts_with(watch.qualifier);
    case Watch::Kind::kFamily:
      return true;
  }
  return false;
}

void AddSlots(const Template& program, std::vector<size_t>* slots) {
  for (const Part& part : program.parts) {
    if (!part.IsLiteral() && part.reference->IsColumn()) slots->push_back(part.reference->slot);
  }
}

int64_t TtlMillis(const CreateSpec& create, std::string_view family) {
  for (const FamilySpec& spec : create.families) {
    if (spec.name == family && spec.ttl_seconds) return int64_t{*spec.ttl_seconds} * 1000;
  }
  return 0;
}

}  // namespace

CompiledIndex::CompiledIndex(IndexDefinition definition)
    : definition_(std::move(definition)),
      class_(Classify(definition_)),
      unit_(UnitOf(definition_)),
      text_(Canonical(definition_)),
      fingerprint_(Digest(text_)),
      watches_(definition_.each.columns) {
  for (const Slot& slot : definition_.slots)
    watches_.push_back({slot.family, slot.qualifier, Watch::Kind::kColumn, false});
  const bool one_cell = definition_.columns.size() == 1 && definition_.each.fanout == Fanout::kNone;
  cells_may_repeat_ = !one_cell && !(unit_ == StateUnit::kColumn && definition_.columns.size() == 1);
  if (!definition_.expire_exactly) return;
  for (const ColumnRule& column : definition_.columns) {
    Expiry expiry{TtlMillis(definition_.create, column.family), {}};
    if (definition_.exists) expiry.slots.push_back(*definition_.exists);
    AddSlots(definition_.row, &expiry.slots);
    if (definition_.table_template) AddSlots(*definition_.table_template, &expiry.slots);
    AddSlots(column.qualifier, &expiry.slots);
    AddSlots(column.value, &expiry.slots);
    if (definition_.each.list) AddSlots(*definition_.each.list, &expiry.slots);
    for (const Condition& condition : definition_.when) {
      ForEachTest(condition, [&expiry](const Test& test) {
        AddSlots(test.left, &expiry.slots);
        AddSlots(test.right, &expiry.slots);
      });
    }
    expiries_.push_back(std::move(expiry));
  }
}

std::vector<std::string> CompiledIndex::conditions() const {
  std::vector<std::string> texts;
  for (const Condition& condition : definition_.when) texts.push_back(condition.text);
  return texts;
}

bool CompiledIndex::Watches(std::string_view family, std::string_view qualifier) const {
  return std::any_of(watches_.begin(), watches_.end(),
                     [&](const Watch& watch) { return Covers(watch, family, qualifier); });
}

bool CompiledIndex::WatchesFamily(std::string_view family) const {
  return std::any_of(watches_.begin(), watches_.end(), [&](const Watch& watch) { return watch.family == family; });
}

void CompiledIndex::BindCells(const RowView& row, Work* work) const {
  work->slots.assign(definition_.slots.size(), nullptr);
  for (const VisibleCell& cell : row.cells) {
    for (size_t i = 0; i < definition_.slots.size(); ++i) {
      const Slot& slot = definition_.slots[i];
      if (slot.qualifier == cell.qualifier && slot.family == cell.family) work->slots[i] = &cell;
    }
    for (const Watch& watch : definition_.each.columns) {
      if (!Covers(watch, cell.family, cell.qualifier)) continue;
      work->bound.push_back(&cell);
      break;
    }
  }
  if (work->bound.size() < 2) return;
  std::sort(work->bound.begin(), work->bound.end(), [](const VisibleCell* a, const VisibleCell* b) {
    return std::tie(a->family, a->qualifier) < std::tie(b->family, b->qualifier);
  });
}

int64_t CompiledIndex::EndOf(const VisibleCell& cell, const Expiry& expiry) const {
  const int64_t declared = TtlMillis(definition_.create, cell.family);
  int64_t end = 0;
  const int64_t ttl = declared > 0 ? declared : expiry.ttl_ms;
  if (__builtin_add_overflow(cell.timestamp, ttl, &end)) end = INT64_MAX;
  return std::min(end, cell.expires_at);
}

int64_t CompiledIndex::ExpiryOf(size_t column, const Work& work) const {
  if (expiries_.empty()) return INT64_MAX;
  const Expiry& expiry = expiries_[column];
  int64_t end = work.inputs.bound != nullptr ? EndOf(*work.inputs.bound, expiry) : INT64_MAX;
  for (size_t slot : expiry.slots) {
    if (work.slots[slot] != nullptr) end = std::min(end, EndOf(*work.slots[slot], expiry));
  }
  return end;
}

}  // namespace fensi::mapping

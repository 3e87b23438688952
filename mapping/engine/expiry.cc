#include "mapping/engine/expiry.h"

#include <algorithm>
#include <string_view>
#include <utility>

namespace fensi::mapping {
namespace {

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

Expiry::Expiry(const IndexDefinition& definition) : create_(definition.create) {
  if (!definition.expire_exactly) return;
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

int64_t Expiry::Of(size_t column, const Work& work) const {
  if (columns_.empty()) return INT64_MAX;
  const Column& from = columns_[column];
  int64_t end = work.inputs.bound != nullptr ? EndOf(*work.inputs.bound, from) : INT64_MAX;
  for (size_t slot : from.slots) {
    if (work.slots[slot] != nullptr) end = std::min(end, EndOf(*work.slots[slot], from));
  }
  return end;
}

}  // namespace fensi::mapping

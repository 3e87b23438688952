#include "mapping/lookup.h"

#include <map>
#include <utility>

#include "base/bytes.h"
#include "mapping/lookup/key_encoding.h"
#include "mapping/lookup/key_parts.h"
#include "mapping/lookup/period_tables.h"
#include "mapping/lookup/planned_lookup.h"

namespace fensi::mapping {

std::vector<std::string> KeyPartNames(const Index& index) {
  std::vector<std::string> names;
  for (const KeyPart& part : KeyParts(index.compiled().row)) names.push_back(part.name);
  return names;
}

Result<std::string> PartBytes(const Index& index, size_t part, std::string_view typed) {
  const std::vector<KeyPart> parts = KeyParts(index.compiled().row);
  return part < parts.size() ? BytesOfPart(index.compiled(), parts[part], typed)
                             : Result<std::string>(std::string(typed));
}

Result<std::string> TypedPart(const Index& index, size_t part, const std::string& word) {
  Result<std::string> bytes = Unescape(word);
  const std::vector<KeyPart> parts = KeyParts(index.compiled().row);
  if (!bytes.ok() || part >= parts.size()) return bytes;
  const bool is_value = *bytes == word || ReadsText(parts[part]);
  return is_value ? BytesOfPart(index.compiled(), parts[part], *bytes) : bytes;
}

std::optional<int64_t> PartNumber(const Index& index, const KnownPart& part) {
  return NumberOfPart(index.compiled(), part.name, part.value);
}

std::optional<std::string> PartValueText(const Index& index, const KnownPart& part) {
  return TextOfPart(index.compiled(), part.name, part.value);
}

std::optional<int64_t> PartTime(const Index& index, const KnownPart& part) {
  return TimeOfPart(index.compiled(), part.name, part.value);
}

Result<KeyPrefix> EncodeKey(const Index& index, std::span<const std::string> parts) {
  const Template& row = index.compiled().row;
  const std::vector<KeyPart> known = KeyParts(row);
  if (parts.size() > known.size()) {
    return TooManyParts(index.name(), parts.size(), known.size());
  }
  FENSI_ASSIGN_OR_RETURN(EncodedKey key, EncodeParts(row, known, parts));
  return KeyPrefix{std::move(key.prefixes), key.open == row.parts.size()};
}

Result<std::shared_ptr<const Lookup>> PlanLookup(const Index& index, LookupRequest request) {
  auto plan = std::make_unique<PlannedLookup>(index.compiled(), std::move(request));
  const Status planned = plan->Plan();
  if (!planned.ok()) return planned;
  return std::make_shared<const Lookup>(std::move(plan));
}

Lookup::Lookup(std::unique_ptr<const PlannedLookup> plan) : plan_(std::move(plan)) {}
Lookup::~Lookup() = default;
const std::vector<std::string>& Lookup::tables() const { return plan_->tables(); }
const std::vector<KeyRange>& Lookup::ranges() const { return plan_->ranges(); }
bool Lookup::ranges_suffice() const { return plan_->ranges_suffice(); }
bool Lookup::whole_cells() const { return plan_->whole_cells(); }
std::vector<Lookup::Hit> Lookup::Hits(std::span<const Entry> row) const { return plan_->Hits(row); }

std::vector<KnownPart> Decode(const Index& index, const Entry& cell) {
  const IndexDefinition& definition = index.compiled();
  return DecodeCell(definition, KeyParts(definition.row), cell, CellParts::kAll);
}

std::vector<std::string> FirstKeyParts(const Index& index, const std::vector<std::string>& names,
                                       const EntryList& entries) {
  std::map<std::string_view, std::string> known;  // by row key
  for (size_t i = 0; i < entries.size() && !names.empty(); ++i) {
    const Entry entry = entries[i];
    if (known.contains(entry.row)) continue;
    for (KnownPart& part : Decode(index, entry)) {
      if (part.name == names.front()) known.emplace(entry.row, std::move(part.value));
    }
  }
  std::vector<std::string> first;
  for (size_t i = 0; i < entries.size(); ++i) {
    const auto at = known.find(entries[i].row);
    first.push_back(at == known.end() ? std::string(entries[i].row) : at->second);
  }
  return first;
}

std::vector<KnownPart> DecodeKey(const Index& index, const Entry& cell) {
  const IndexDefinition& definition = index.compiled();
  return DecodeCell(definition, KeyParts(definition.row), cell, CellParts::kKey);
}

bool CouldBePeriodTable(const Index& index, std::string_view name) {
  const auto& definition = index.compiled();
  return definition.table_template ? MayBeMade(*definition.table_template, name) : name == index.table();
}

Result<std::vector<std::string>> PeriodTables(const Index& index, int64_t from_millis, int64_t to_millis) {
  return TablesFrom(index.compiled(), from_millis, to_millis);
}

Result<std::vector<EndedPeriod>> EndedPeriods(const Index& index, const std::vector<std::string>& tables,
                                              int64_t from_millis, int64_t to_millis) {
  return PeriodsBefore(index.compiled(), tables, from_millis, to_millis);
}

}  // namespace fensi::mapping

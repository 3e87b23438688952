#include "indexer/entry_versions.h"

#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "indexer/meta_row.h"
#include "indexer/mirror/floors.h"
#include "indexer/state/registers.h"
#include "indexer/state/row_work.h"
#include "indexer/state/state_table.h"

namespace fensi::indexer {
namespace {

constexpr size_t kAnswerBytes = size_t{8} << 20;

/// The stored cells of a unit: in a row of its own, or also in a bucket.
struct Asked {
  size_t unit = 0;
  store::GetRequest request;
};

/// The name means all column units of its row.
bool IsWholeRow(const mapping::Index& index, const EntryUnit& unit) {
  return unit.family.empty() && index.state_scope() != mapping::StateScope::kRow;
}

std::vector<Asked> RequestsOf(const mapping::Index& index, std::span<const EntryUnit> units,
                              const StateLayout& layout) {
  std::vector<Asked> asked;
  for (size_t i = 0; i < units.size(); ++i) {
    const EntryUnit& unit = units[i];
    std::optional<std::string> key = UnitKey(unit.family, unit.qualifier);
    if (IsWholeRow(index, unit)) key.reset();
    asked.push_back({i, {.row = unit.row, .columns = {{kStateFamily, key}, {kDoubtFamily, std::nullopt}}}});
    if (!layout.buckets()) continue;
    asked.push_back({i, {.row = BucketOf(unit.row, *layout.bucket_bits), .columns = {{kStateFamily, unit.row}}}});
  }
  return asked;
}

bool IsOf(const mapping::Index& index, const EntryUnit& unit, const Cell& cell) {
  if (cell.family != kDoubtFamily || IsWholeRow(index, unit)) return true;
  const Result<DoubtName> name = ParseDoubtName(cell.qualifier);
  return name.ok() && name->unit == UnitKey(unit.family, unit.qualifier);
}

}  // namespace

Result<std::vector<int64_t>> EntryVersions::Newest(std::span<const EntryUnit> units) const {
  std::vector<int64_t> unknown(units.size(), INT64_MAX);
  const Result<meta::VersionedMetaRow::Cells> cells = MetaRow(index_, store_).Read({"definition", "scheme", "buckets"});
  if (cells.status().code() == StatusCode::kNotFound) return unknown;
  FENSI_RETURN_IF_ERROR(cells.status());
  if (!cells->contains("definition")) return unknown;
  const auto said = [&](const char* column) {
    const auto at = cells->find(column);
    return at == cells->end() ? std::nullopt : std::optional(at->second);
  };
  const std::optional<KnownScheme> scheme = ParseScheme(SchemeText(said("scheme")));
  if (!scheme || scheme->moving) return unknown;
  if (scheme->scheme == mapping::Scheme::kStateless) {
    FENSI_ASSIGN_OR_RETURN(const int64_t floor, OfFloors());
    return std::vector<int64_t>(units.size(), floor);
  }
  FENSI_ASSIGN_OR_RETURN(const StateLayout layout, LayoutOf(*index_, *scheme, said("buckets")));
  return OfStates(units, layout);
}

Result<std::vector<int64_t>> EntryVersions::OfStates(std::span<const EntryUnit> units,
                                                     const StateLayout& layout) const {
  std::vector<int64_t> newest(units.size(), kNoTime);
  const std::vector<Asked> asked = RequestsOf(*index_, units, layout);
  std::vector<store::GetRequest> requests;
  for (const Asked& each : asked) requests.push_back(each.request);
  for (size_t next = 0; next < requests.size();) {
    const Result<std::vector<store::Row>> rows =
        store_->GetSome(index_->state_table(), std::span(requests).subspan(next), kAnswerBytes);
    FENSI_RETURN_IF_ERROR(rows.status());
    for (const store::Row& row : *rows) {
      const size_t unit = asked[next++].unit;
      for (const Cell& cell : row.cells) {
        if (IsOf(*index_, units[unit], cell)) newest[unit] = std::max(newest[unit], cell.timestamp);
      }
    }
  }
  return newest;
}

/// H4: what is above the floor is put at the time of its mother, and no newer.
Result<int64_t> EntryVersions::OfFloors() const {
  int64_t highest = kNoTime;
  store::ScanRequest request{.start_row = std::string(kFloorRows), .stop_row = PrefixEnd(kFloorRows)};
  request.columns.push_back({kIndexFamily, std::nullopt});
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store_->Scan(index_->state_table(), request));
    for (const store::Row& row : page) {
      for (const Cell& cell : row.cells) {
        const bool floor = cell.qualifier == kFloorColumn || cell.qualifier.starts_with(kFarPrefix);
        if (floor) highest = std::max(highest, cell.timestamp);
      }
    }
    if (!store::ToNextPage(page, &request)) return highest;
  }
}

}  // namespace fensi::indexer

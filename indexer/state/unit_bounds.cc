#include "indexer/state/unit_bounds.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::indexer {
namespace {

/// A unit above the bound is cut so far below it that its next events need not cut again.
constexpr size_t kFits = kMaxUnitBytes / 4 * 3;
constexpr size_t kRegisterBytes = 64;  // encoded numbers of a column or a put

size_t EncodedBytes(const ColumnState& column) {
  size_t bytes = kRegisterBytes + column.family.size() + column.qualifier.size() + column.newest.value.size();
  for (const PutRegister& put : column.kept) bytes += kRegisterBytes + put.value.size();
  return bytes + 10 * column.deleted_versions.size();
}

bool IsDeleted(const ColumnState& column) { return column.newest.timestamp <= column.marker; }

std::string Name(const ColumnState& column) { return "column " + ColumnText(column.family, column.qualifier); }

/// Forgets columns, those with the oldest registers first, until the unit fits.
template <typename MayGo, typename Told>
void ForgetColumns(MayGo may_go, Told told, size_t* bytes, Unit* unit) {
  std::vector<const ColumnState*> oldest;
  for (const ColumnState& column : unit->columns) {
    if (may_go(column)) oldest.push_back(&column);
  }
  std::sort(oldest.begin(), oldest.end(), [](const auto* a, const auto* b) { return a->Newest() < b->Newest(); });
  size_t gone = 0;
  while (gone < oldest.size() && *bytes > kFits) {
    told(*oldest[gone]);
    *bytes -= EncodedBytes(*oldest[gone++]);
  }
  if (gone == 0) return;
  const int64_t last = oldest[gone - 1]->Newest();
  unit->forgotten = std::max(unit->forgotten, last);
  oldest.resize(gone);
  std::sort(oldest.begin(), oldest.end());
  std::erase_if(unit->columns,
                [&](const ColumnState& column) { return std::binary_search(oldest.begin(), oldest.end(), &column); });
}

void ForgetVersions(size_t* bytes, Unit* unit) {
  for (ColumnState& column : unit->columns) {
    if (*bytes <= kFits) return;
    *bytes -= EncodedBytes(column);
    column.ForgetKept();
    *bytes += EncodedBytes(column);
  }
}

void DropValues(size_t* bytes, std::vector<std::string>* lost, Unit* unit) {
  while (*bytes > kMaxUnitBytes) {
    const auto largest = std::max_element(unit->columns.begin(), unit->columns.end(), [](const auto& a, const auto& b) {
      return a.newest.value.size() < b.newest.value.size();
    });
    if (largest == unit->columns.end() || largest->newest.value.size() < kRegisterBytes) return;
    const size_t size = largest->newest.value.size();
    lost->push_back(Name(*largest) + ": its value of " + std::to_string(size) +
                    " bytes is too much beside the others of the row (together at most " +
                    std::to_string(kMaxUnitBytes) + "); the row has no entry");
    std::string().swap(largest->newest.value);
    largest->newest.dropped = true;
    *bytes -= size;
  }
}

}  // namespace

size_t StateBytes(const Unit& unit) {
  size_t bytes = kRegisterBytes;
  for (const ColumnState& column : unit.columns) bytes += EncodedBytes(column);
  return bytes;
}

void Prune(const FamilyStates& families, Unit* unit) {
  const auto ends = [](const PutRegister& put) { return put.expires_at != INT64_MAX; };
  std::erase_if(unit->columns, [&](const ColumnState& column) {
    const FamilyState* family = families.Find(column.family);
    const bool hidden = family != nullptr && column.Newest() <= family->marker;
    return hidden && !ends(column.newest) && std::none_of(column.kept.begin(), column.kept.end(), ends);
  });
}

std::vector<std::string> Fit(Unit* unit) {
  std::vector<std::string> lost;
  size_t bytes = StateBytes(*unit);
  if (bytes <= kMaxUnitBytes) return lost;
  ForgetColumns(
      IsDeleted, [](const ColumnState&) {}, &bytes, unit);
  ForgetVersions(&bytes, unit);
  DropValues(&bytes, &lost, unit);
  if (bytes <= kMaxUnitBytes) return lost;
  const auto any = [](const ColumnState&) { return true; };
  const auto tell = [&](const ColumnState& column) {
    lost.push_back(Name(column) + ": the row has more columns than its state keeps (" + std::to_string(kMaxUnitBytes) +
                   " bytes); it is left out");
  };
  ForgetColumns(any, tell, &bytes, unit);
  return lost;
}

}  // namespace fensi::indexer

#include "indexer/state/unit_bounds.h"

#include <algorithm>

#include "base/bytes.h"

namespace fensi::indexer {
namespace {

/// A unit above the bound is cut so far below it that its next events need not cut again.
constexpr size_t kFits = kMaxUnitBytes / 4 * 3;
constexpr size_t kRegisterBytes = 64;  // encoded numbers of a column or a put

size_t BytesOf(const ColumnRegisters& column) {
  size_t bytes = kRegisterBytes + column.family.size() + column.qualifier.size() + column.newest.value.size();
  for (const PutRegister& put : column.kept) bytes += kRegisterBytes + put.value.size();
  return bytes + 10 * column.deleted_versions.size();
}

bool IsDeleted(const ColumnRegisters& column) { return column.newest.timestamp <= column.marker; }

std::string Name(const ColumnRegisters& column) { return "column " + ColumnText(column.family, column.qualifier); }

/// Forgets columns, those with the oldest registers first, until the unit fits.
template <typename MayGo, typename Told>
void ForgetColumns(MayGo may_go, Told told, size_t* bytes, Unit* unit) {
  std::vector<const ColumnRegisters*> oldest;
  for (const ColumnRegisters& column : unit->columns) {
    if (may_go(column)) oldest.push_back(&column);
  }
  std::sort(oldest.begin(), oldest.end(), [](const auto* a, const auto* b) { return a->Newest() < b->Newest(); });
  size_t gone = 0;
  while (gone < oldest.size() && *bytes > kFits) {
    told(*oldest[gone]);
    *bytes -= BytesOf(*oldest[gone++]);
  }
  if (gone == 0) return;
  const int64_t last = oldest[gone - 1]->Newest();
  unit->forgotten = std::max(unit->forgotten, last);
  oldest.resize(gone);
  std::sort(oldest.begin(), oldest.end());
  std::erase_if(unit->columns, [&](const ColumnRegisters& column) {
    return std::binary_search(oldest.begin(), oldest.end(), &column);
  });
}

void ForgetVersions(size_t* bytes, Unit* unit) {
  for (ColumnRegisters& column : unit->columns) {
    if (*bytes <= kFits) return;
    *bytes -= BytesOf(column);
    column.ForgetKept();
    *bytes += BytesOf(column);
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
  for (const ColumnRegisters& column : unit.columns) bytes += BytesOf(column);
  return bytes;
}

void Prune(const FamilySet& families, Unit* unit) {
  std::erase_if(unit->columns, [&](const ColumnRegisters& column) {
    const FamilyRegisters* family = families.Find(column.family);
    return family != nullptr && column.Newest() <= family->marker;
  });
}

std::vector<std::string> Fit(Unit* unit) {
  std::vector<std::string> lost;
  size_t bytes = StateBytes(*unit);
  if (bytes <= kMaxUnitBytes) return lost;
  ForgetColumns(
      IsDeleted, [](const ColumnRegisters&) {}, &bytes, unit);
  ForgetVersions(&bytes, unit);
  DropValues(&bytes, &lost, unit);
  if (bytes <= kMaxUnitBytes) return lost;
  const auto any = [](const ColumnRegisters&) { return true; };
  const auto tell = [&](const ColumnRegisters& column) {
    lost.push_back(Name(column) + ": the row has more columns than its state keeps (" + std::to_string(kMaxUnitBytes) +
                   " bytes); it is left out");
  };
  ForgetColumns(any, tell, &bytes, unit);
  return lost;
}

}  // namespace fensi::indexer

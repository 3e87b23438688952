#include "cli/repair/orphan_removal.h"

#include <algorithm>
#include <utility>

namespace fensi::cli {
namespace {

using Versions = sweep::OrphanProof::Versions;

// Each proves what shows anew; more versions than these bring to light nobody wrote.
constexpr int kRounds = 5;
constexpr size_t kMostRows = 1'000;  // of one call

std::vector<sweep::IndexCell> CellsOf(const std::vector<Versions>& versions) {
  std::vector<sweep::IndexCell> cells;
  for (const Versions& cell : versions) cells.push_back(cell.cell);
  return cells;
}

store::RowMutation RemovalOf(const Versions& versions) {
  store::RowMutation mutation{versions.cell.row, {}};
  for (const int64_t timestamp : versions.timestamps) {
    mutation.cells.push_back({.family = versions.cell.family,
                              .qualifier = versions.cell.qualifier,
                              .timestamp = timestamp,
                              .type = CellType::kDelete});
  }
  return mutation;
}

}  // namespace

Status OrphanRemoval::Remove(std::vector<sweep::IndexCell> cells) {
  std::vector<sweep::IndexCell> touched;
  for (int round = 0; round < kRounds && !cells.empty(); ++round) {
    Result<std::vector<Versions>> proven = proof_->Prove(cells);
    FENSI_RETURN_IF_ERROR(proven.status());
    if (proven->empty()) break;
    FENSI_RETURN_IF_ERROR(RemoveVersions(*proven));
    cells = CellsOf(*proven);
    if (round == 0) touched = cells;
  }
  if (touched.empty()) return Status();
  Result<std::vector<sweep::SourceUnit>> givers = proof_->Givers(touched);
  FENSI_RETURN_IF_ERROR(givers.status());
  givers_ = std::move(*givers);
  return Status();
}

Status OrphanRemoval::RemoveVersions(const std::vector<Versions>& cells) {
  for (size_t begin = 0; begin < cells.size();) {
    const std::string& table = cells[begin].cell.table;
    std::vector<store::RowMutation> mutations;
    for (; begin < cells.size() && mutations.size() < kMostRows && cells[begin].cell.table == table; ++begin) {
      mutations.push_back(RemovalOf(cells[begin]));
      removed_ += static_cast<int64_t>(cells[begin].timestamps.size());
    }
    const Result<std::vector<store::RejectedRow>> written = store_->Delete(table, mutations);
    FENSI_RETURN_IF_ERROR(written.status());
    if (!written->empty()) return written->front().reason;
  }
  return Status();
}

}  // namespace fensi::cli

#include "operations/repair/orphan_removal.h"

namespace fensi::operations {
namespace {

using Versions = sweep::OrphanVerifier::Versions;

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
    FENSI_ASSIGN_OR_RETURN(std::vector<Versions> proven, proof_->Prove(cells));
    if (proven.empty()) break;
    FENSI_RETURN_IF_ERROR(RemoveVersions(proven));
    cells = CellsOf(proven);
    if (round == 0) touched = cells;
  }
  if (touched.empty()) return Status();
  // M19: a row that came to give a removed cell meanwhile is repaired.
  FENSI_ASSIGN_OR_RETURN(givers_, proof_->ProducingRows(touched));
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
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::RejectedRow> written, store_->Delete(table, mutations));
    if (!written.empty()) return written.front().reason;
  }
  return Status();
}

}  // namespace fensi::operations

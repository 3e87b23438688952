#include "sweep/orphan_proof.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sweep/cell_reader.h"

namespace fensi::sweep {
namespace {

// More of one cell are found when these have gone.
constexpr int32_t kMostVersions = 100;

std::vector<int64_t> InBoth(const std::vector<int64_t>& before, const std::vector<int64_t>& now) {
  std::vector<int64_t> both;
  std::copy_if(before.begin(), before.end(), std::back_inserter(both),
               [&](int64_t version) { return std::find(now.begin(), now.end(), version) != now.end(); });
  return both;
}

}  // namespace

OrphanProof::OrphanProof(const mapping::Index* index, store::Store* store, Clock* clock, OrphanProofOptions options)
    : index_(index), store_(store), clock_(clock), options_(std::move(options)) {}

Result<std::vector<OrphanProof::Versions>> OrphanProof::Prove(const std::vector<IndexCell>& cells) {
  const Result<std::vector<Versions>> before = Read(cells);
  FENSI_RETURN_IF_ERROR(before.status());
  Orphans orphans(options_.max_cells);
  std::vector<Versions> seen;
  for (const Versions& cell : *before) {
    if (cell.timestamps.empty()) continue;
    const auto place = static_cast<int64_t>(seen.size());
    if (!orphans.AddSuspect(cell.cell.View(), place)) {
      return Status(StatusCode::kRejected, "more than " + std::to_string(orphans.suspects()) +
                                               " cells of no known source row: too many to be proved at a time");
    }
    seen.push_back(cell);
  }
  if (seen.empty()) return seen;
  FENSI_RETURN_IF_ERROR(Derive([&](const SourceUnit&, const mapping::Entry& entry) { orphans.Strike(entry); }));
  FENSI_RETURN_IF_ERROR(AwaitIndex(options_.recheck, options_.followed, clock_, options_.go_on).status());
  std::vector<IndexCell> left;
  std::vector<size_t> places;
  for (const Orphans::Suspect& orphan : orphans.Left()) {
    left.push_back(orphan.cell);
    places.push_back(static_cast<size_t>(orphan.timestamp));
  }
  Result<std::vector<Versions>> now = Read(left);
  FENSI_RETURN_IF_ERROR(now.status());
  for (size_t i = 0; i < now->size(); ++i) {
    (*now)[i].timestamps = InBoth(seen[places[i]].timestamps, (*now)[i].timestamps);
  }
  std::erase_if(*now, [](const Versions& cell) { return cell.timestamps.empty(); });
  return now;
}

Result<std::vector<SourceUnit>> OrphanProof::Givers(const std::vector<IndexCell>& cells) {
  Orphans wanted(options_.max_cells);
  for (const IndexCell& cell : cells) wanted.AddSuspect(cell.View(), 0);
  std::vector<SourceUnit> givers;
  FENSI_RETURN_IF_ERROR(Derive([&](const SourceUnit& unit, const mapping::Entry& entry) {
    if (wanted.Has(entry) && (givers.empty() || !(givers.back() == unit))) givers.push_back(unit);
  }));
  return givers;
}

Status OrphanProof::Derive(const Forward::UseDerived& use) {
  Counts counts;
  JudgeOptions judged;
  judged.go_on = options_.go_on;
  Judge judge(index_, store_, clock_, judged, nullptr, &counts);  // without suspects
  WalkOptions walk;
  walk.rows_per_second = options_.rows_per_second;
  walk.go_on = options_.go_on;
  Walker walker(store_, clock_, walk, &judge);
  TableList tables(index_, store_);
  Sweep sweep{index_, store_, clock_, nullptr, &counts, &judge, &walker, &tables, {}};
  return Forward(&sweep).Derive(use);
}

Result<std::vector<OrphanProof::Versions>> OrphanProof::Read(const std::vector<IndexCell>& cells) const {
  std::vector<Versions> versions;
  for (const IndexCell& cell : cells) versions.push_back({cell, {}});
  for (size_t begin = 0; begin < cells.size();) {
    size_t end = begin;
    while (end < cells.size() && cells[end].table == cells[begin].table) ++end;
    FENSI_RETURN_IF_ERROR(ReadTable(cells, begin, end, &versions));
    begin = end;
  }
  return versions;
}

Status OrphanProof::ReadTable(const std::vector<IndexCell>& cells, size_t begin, size_t end,
                              std::vector<Versions>* versions) const {
  std::vector<store::GetRequest> requests;
  for (size_t i = begin; i < end; ++i) {
    store::GetRequest request{.row = cells[i].row, .columns = {{cells[i].family, cells[i].qualifier}}};
    request.max_versions = kMostVersions;
    requests.push_back(std::move(request));
  }
  const Status read = GetEach(store_, cells[begin].table, requests, [&](size_t request, const store::Row& row) {
    for (const Cell& cell : row.cells) (*versions)[begin + request].timestamps.push_back(cell.timestamp);
    return Status();
  });
  const bool gone = read.code() == StatusCode::kNotFound && index_->table_is_template();
  return gone ? Status() : read;
}

}  // namespace fensi::sweep

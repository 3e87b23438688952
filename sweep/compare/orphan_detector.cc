#include "sweep/compare/orphan_detector.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sweep/scan/page_reader.h"

namespace fensi::sweep {
namespace {

constexpr size_t kMostSuspectBytes = size_t{512} << 20;
constexpr size_t kAroundSuspect = 64;

}  // namespace

Status TooManyUnknownCells(size_t count) {
  return Status(StatusCode::kRejected,
                "more than " + std::to_string(count) +
                    " cells of the index may belong to no source row, and do not name their row: too many for one "
                    "comparison. Repair part by part: 'fensi repair MAPPING INDEX … --from_report FILE "
                    "--partial_report --execute', then verify again. Or build a second index beside this index "
                    "('fensi help redefinition')");
}

OrphanDetector::OrphanDetector(size_t max_suspects) : max_suspects_(max_suspects) {}

bool OrphanDetector::AddSuspect(const mapping::Entry& cell, int64_t timestamp) {
  Suspect suspect{IndexCell::Of(cell), timestamp};
  held_bytes_ += kAroundSuspect + suspect.cell.HeldBytes();
  if (suspects_.size() >= max_suspects_ || held_bytes_ > kMostSuspectBytes) return false;
  suspects_.emplace(CellHash(cell).low, std::move(suspect));
  return true;
}

bool OrphanDetector::Has(const mapping::Entry& cell) const {
  const auto [first, last] = suspects_.equal_range(CellHash(cell).low);
  return std::any_of(first, last, [&](const auto& suspect) { return SameCell(suspect.second.cell.View(), cell); });
}

void OrphanDetector::Strike(const mapping::Entry& entry) {
  const auto [first, last] = suspects_.equal_range(CellHash(entry).low);
  for (auto suspect = first; suspect != last;) {
    suspect = SameCell(suspect->second.cell.View(), entry) ? suspects_.erase(suspect) : std::next(suspect);
  }
}

std::vector<OrphanDetector::Suspect> OrphanDetector::Left() const {
  std::vector<Suspect> left;
  for (const auto& [hash, suspect] : suspects_) left.push_back(suspect);
  return left;
}

namespace {

// If a cell has more versions, the next round finds them after these are removed.
constexpr int32_t kMostVersions = 100;

std::vector<int64_t> InBoth(const std::vector<int64_t>& before, const std::vector<int64_t>& now) {
  std::vector<int64_t> both;
  std::copy_if(before.begin(), before.end(), std::back_inserter(both),
               [&](int64_t version) { return std::find(now.begin(), now.end(), version) != now.end(); });
  return both;
}

}  // namespace

OrphanVerifier::OrphanVerifier(const mapping::Index* index, store::Store* store, Clock* clock,
                               OrphanProofOptions options)
    : index_(index), store_(store), clock_(clock), options_(std::move(options)) {}

Result<std::vector<OrphanVerifier::Versions>> OrphanVerifier::Prove(const std::vector<IndexCell>& cells) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<Versions> before, Read(cells));
  OrphanDetector orphans(options_.max_cells);
  std::vector<Versions> seen;
  for (const Versions& cell : before) {
    if (cell.timestamps.empty()) continue;
    const auto place = static_cast<int64_t>(seen.size());
    if (!orphans.AddSuspect(cell.cell.View(), place)) {
      return TooManyUnknownCells(orphans.suspects());
    }
    seen.push_back(cell);
  }
  if (seen.empty()) return seen;
  // M19: a row that gives a cell keeps the cell.
  FENSI_RETURN_IF_ERROR(Derive([&](const SourceUnit&, const mapping::Entry& entry) { orphans.Strike(entry); }));
  FENSI_RETURN_IF_ERROR(AwaitIndex(options_.recheck, options_.followed, clock_, options_.go_on).status());
  std::vector<IndexCell> left;
  std::vector<size_t> places;
  for (const OrphanDetector::Suspect& orphan : orphans.Left()) {
    left.push_back(orphan.cell);
    places.push_back(static_cast<size_t>(orphan.timestamp));
  }
  Result<std::vector<Versions>> now = Read(left);
  FENSI_RETURN_IF_ERROR(now.status());
  for (size_t i = 0; i < now->size(); ++i) {
    // M19: versions that were put since are not proved.
    (*now)[i].timestamps = InBoth(seen[places[i]].timestamps, (*now)[i].timestamps);
  }
  std::erase_if(*now, [](const Versions& cell) { return cell.timestamps.empty(); });
  return now;
}

Result<std::vector<SourceUnit>> OrphanVerifier::ProducingRows(const std::vector<IndexCell>& cells) {
  OrphanDetector wanted(options_.max_cells);
  for (const IndexCell& cell : cells) wanted.AddSuspect(cell.View(), 0);
  std::vector<SourceUnit> givers;
  FENSI_RETURN_IF_ERROR(Derive([&](const SourceUnit& unit, const mapping::Entry& entry) {
    if (wanted.Has(entry) && (givers.empty() || !(givers.back() == unit))) givers.push_back(unit);
  }));
  return givers;
}

Status OrphanVerifier::Derive(const Forward::UseDerived& use) {
  Counts counts;
  JudgeOptions judged;
  judged.go_on = options_.go_on;
  Judge judge(index_, store_, clock_, judged, nullptr, &counts);  // without suspects
  TableScanOptions walk;
  walk.rows_per_second = options_.rows_per_second;
  walk.go_on = options_.go_on;
  TableScanner walker(store_, clock_, walk, &judge);
  TableList tables(index_, store_);
  Sweep sweep{index_, store_, clock_, nullptr, &counts, &judge, &walker, &tables, {}};
  return Forward(&sweep).Derive(use);
}

Result<std::vector<OrphanVerifier::Versions>> OrphanVerifier::Read(const std::vector<IndexCell>& cells) const {
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

Status OrphanVerifier::ReadTable(const std::vector<IndexCell>& cells, size_t begin, size_t end,
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

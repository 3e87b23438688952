#include "operations/repair/repair.h"

#include <algorithm>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "sweep/compare/orphan_detector.h"

namespace fensi::operations {
namespace {

using sweep::CheckedUnit;
using sweep::Finding;
using sweep::IndexCell;
using sweep::Judge;
using sweep::MismatchedCell;
using sweep::RepairTarget;

constexpr std::chrono::milliseconds kLook{200};
constexpr size_t kMostUnknown = 1'000'000;

}  // namespace

Repair::Repair(const mapping::Index* index, store::Store* store, Clock* clock, RepairOptions options,
               TargetList* targets, RowOwners* owners)
    : index_(index),
      store_(store),
      clock_(clock),
      options_(std::move(options)),
      targets_(targets),
      owners_(owners),
      check_(index, store, clock, options_.judge.newest_put),
      pace_(options_.rows_per_second, clock),
      proof_(index, store, clock, ProofOptions()),
      removal_(store, &proof_) {}

sweep::OrphanProofOptions Repair::ProofOptions() const {
  sweep::OrphanProofOptions proof;
  proof.recheck = options_.judge.recheck;
  proof.followed = options_.judge.followed;
  proof.go_on = options_.judge.go_on;
  return proof;
}

Status Repair::CollectUnknown() {
  FENSI_RETURN_IF_ERROR(targets_->ForEach([this](const Target& target) {
    if (!target.unit.row.empty() || !target.cell) return Status();
    if (unknown_.size() >= kMostUnknown) {
      return sweep::TooManyUnknownCells(kMostUnknown);
    }
    unknown_.push_back(*target.cell);
    return Status();
  }));
  const auto name = [](const IndexCell& cell) { return std::tie(cell.table, cell.row, cell.family, cell.qualifier); };
  std::sort(unknown_.begin(), unknown_.end(),
            [&](const IndexCell& a, const IndexCell& b) { return name(a) < name(b); });
  const auto same = [&](const IndexCell& a, const IndexCell& b) { return name(a) == name(b); };
  unknown_.erase(std::unique(unknown_.begin(), unknown_.end(), same), unknown_.end());
  for (const IndexCell& cell : unknown_) {
    options_.tell("remove\t" + cell.table + "\t" + Escape(cell.row) + "\t" + ColumnText(cell.family, cell.qualifier) +
                  "\tunless a source row gives it\n");
  }
  return Status();
}

Status Repair::Ask() {
  FENSI_RETURN_IF_ERROR(CollectUnknown());
  if (owners_ != nullptr) FENSI_RETURN_IF_ERROR(removal_.Remove(unknown_));
  const auto ask = [this](std::span<const RepairTarget> units) {
    const Status asked =
        check_.Look(units, [this](const CheckedUnit& unit) { return AskOf(unit, unit.named->cells.empty()); });
    return asked.ok() ? AskRow() : asked;
  };
  FENSI_RETURN_IF_ERROR(ForEachBatch(targets_, ask));
  return AskGivers();
}

Status Repair::AskGivers() {
  for (const sweep::SourceUnit& unit : removal_.givers()) givers_.push_back({unit, {}});
  FENSI_RETURN_IF_ERROR(check_.Look(givers_, [this](const CheckedUnit& unit) { return AskOf(unit, false); }));
  return AskRow();
}

/// Units of a row come one after the other.
Status Repair::AskOf(const CheckedUnit& unit, bool always) {
  // M14: the unit is right by now.
  if (unit.wrong.empty() && unit.whole && !always) {
    ++right_;
    return Status();
  }
  const std::string& row = unit.named->unit.row;
  if (request_ != nullptr && request_->row() != row) FENSI_RETURN_IF_ERROR(AskRow());
  if (request_ == nullptr) {
    request_ = std::make_unique<RowRequest>(index_->source_table(), options_.incarnation, row);
  }
  request_->Add(unit);
  return Status();
}

Status Repair::AskRow() {
  const std::unique_ptr<RowRequest> row = std::move(request_);
  if (row == nullptr) return Status();
  ++rows_;
  options_.tell("recheck\t" + Escape(row->row()) + "\t" + row->Text() + "\n");
  if (owners_ == nullptr) return Status();
  for (consumer::Request& request : row->Requests(owners_->most_bytes()))
    FENSI_RETURN_IF_ERROR(owners_->Ask(std::move(request)));
  return sweep::WaitUntil(clock_->MonotonicNow() + pace_.Took(1), clock_, options_.judge.go_on);
}

Result<bool> Repair::Await() {
  FENSI_RETURN_IF_ERROR(owners_->Flush());
  const auto deadline = clock_->MonotonicNow() + options_.wait;
  while (true) {
    const Result<bool> done = owners_->AllDone();
    if (!done.ok() || *done) return done;
    const auto now = clock_->MonotonicNow();
    if (now >= deadline) return false;
    FENSI_RETURN_IF_ERROR(sweep::WaitUntil(std::min(deadline, now + kLook), clock_, options_.judge.go_on));
  }
}

Status Repair::JudgeAgain(sweep::FindingSink* left) {
  Judge judge(index_, store_, clock_, options_.judge, left, &left_);
  FENSI_RETURN_IF_ERROR(ForEachBatch(targets_, [&](std::span<const RepairTarget> units) {
    return check_.Look(units, [&](const CheckedUnit& unit) { return Suspect(unit, &judge, left); });
  }));
  const auto suspect = [&](const CheckedUnit& unit) { return Suspect(unit, &judge, left); };
  FENSI_RETURN_IF_ERROR(check_.Look(givers_, suspect));
  FENSI_RETURN_IF_ERROR(judge.Wait(true));
  return TellOrphansLeft(left);
}

/// Those that no source row gives still.
Status Repair::TellOrphansLeft(sweep::FindingSink* left) {
  const int64_t seen = clock_->WallMillis();
  const auto orphans = proof_.Prove(unknown_);
  FENSI_RETURN_IF_ERROR(orphans.status());
  for (const sweep::OrphanVerifier::Versions& orphan : *orphans) {
    Finding finding;
    finding.kind = Finding::Kind::kOrphan;
    finding.cell = orphan.cell;
    finding.timestamp = orphan.timestamps.front();
    finding.seen = seen;
    finding.confirmed = clock_->WallMillis();
    sweep::Count(finding.kind, &left_);
    FENSI_RETURN_IF_ERROR(left->Add(finding));
  }
  return Status();
}

Status Repair::Suspect(const CheckedUnit& unit, Judge* judge, sweep::FindingSink* left) {
  if (!unit.whole) {
    Finding finding;
    finding.kind = Finding::Kind::kUndecided;
    finding.source = unit.named->unit;
    finding.reason = sweep::kRowTooLarge;
    sweep::Count(finding.kind, &left_);
    return left->Add(finding);
  }
  for (const MismatchedCell& wrong : unit.wrong) {
    const bool orphan = wrong.kind == Finding::Kind::kOrphan;
    if (judge->full()) FENSI_RETURN_IF_ERROR(judge->Wait(false));
    judge->Add(orphan ? Judge::From::kIndex : Judge::From::kSource, unit.named->unit, wrong.cell.View());
  }
  return Status();
}

}  // namespace fensi::operations

#include "operations/verify/verify_run.h"

#include <utility>
#include <vector>

#include "base/clock.h"
#include "base/text.h"
#include "indexer/index_meta.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/tables/table_plan.h"
#include "operations/tables/taken_names.h"
#include "operations/verify/incarnation.h"
#include "operations/verify/verification.h"
#include "operations/verify/verified.h"

namespace fensi::operations {
namespace {

using mapping::Index;

/// The source, and the table of jobs, which an embedded store gets as `fensi backfill` makes it.
Status RequireJobTables(const Index& index, const StoreOptions& options, store::Store* store) {
  FENSI_RETURN_IF_ERROR(RequireTable(options, store, index.source_table()).status());
  if (!StoreIsEmbedded(options.url)) {
    return RequireTable(options, store, options.meta_table).status();
  }
  FENSI_ASSIGN_OR_RETURN(PlannedTable meta, PlanMetaTable(options.meta_table, store));
  return CreateTables({std::move(meta)}, store);
}

}  // namespace

Result<std::shared_ptr<store::Store>> OpenTablesToVerify(const Index& index, const VerifyRunOptions& options) {
  const StoreOptions named = WithSource(options.store, {index.source_table()});
  Result<std::unique_ptr<store::Store>> store =
      options.distributed ? OpenStoreToWrite(named) : OpenStoreToRead(named, index.source_table());
  FENSI_RETURN_IF_ERROR(store.status());
  FENSI_RETURN_IF_ERROR(RequireOwnName(index, store->get(), named.meta_table));
  if (options.distributed) FENSI_RETURN_IF_ERROR(RequireJobTables(index, named, store->get()));
  if (!index.table_is_template()) FENSI_RETURN_IF_ERROR(RequireTable(named, store->get(), index.table()).status());
  FENSI_RETURN_IF_ERROR(indexer::IndexMeta(&index, store->get()).CheckSourceStore());
  return std::shared_ptr<store::Store>(std::move(*store));
}

Result<int> VerifyRun::Run() {
  FENSI_ASSIGN_OR_RETURN(incarnation_, IncarnationOf(index_, store_.get()));
  if (run_.steer) return Steer(*run_.steer);
  FENSI_ASSIGN_OR_RETURN(ReportFile file, ReportFile::Open(run_.report, run_.overwrite));
  VerifyReport report(&index_, std::move(file), run_.json, SystemClock());
  TellOfPhase(index_, incarnation_, store_.get(), run_.store.meta_table);
  return run_.distributed ? CompareTogether(&report) : Compare(&report);
}

Result<int> VerifyRun::Compare(VerifyReport* report) {
  FENSI_ASSIGN_OR_RETURN(const sweep::CompareOptions options, Options());
  const TableProof proof(index_, "verify", store_.get());
  FENSI_RETURN_IF_ERROR(report->Begin(options, {incarnation_, proof.table()}));
  const int64_t began = SystemClock()->WallMillis();
  Verification verification(&index_, incarnation_, store_, options, run_.marks, report);
  Status end = verification.Run();
  if (end.ok()) end = CheckStillThe(index_, incarnation_, store_.get());
  const sweep::Comparison& comparison = verification.comparison();
  const sweep::Counts& counts = comparison.counts();
  FENSI_RETURN_IF_ERROR(report->End(counts, end));
  if (!end.ok() && !comparison.too_many()) return end;
  if (!end.ok()) {
    Say("verify: " + end.message());
    return kExitNotComparable;
  }
  FENSI_ASSIGN_OR_RETURN(const bool nothing, ComparedNothing(counts));
  if (nothing) return kExitNotComparable;
  // An embedded store is open to read: whoever runs the index has it.
  if (!Embedded()) NoteResult(options, counts, began);
  NoteTable(proof, proof.table(), options, counts);
  return CodeOf(counts);
}

Result<int> VerifyRun::CompareTogether(VerifyReport* report) {
  FENSI_ASSIGN_OR_RETURN(const sweep::CompareOptions options, Options());
  const JobWish wish = Job(options);
  const TableProof proof(index_, "verify", store_.get());
  bool made = false;
  FENSI_ASSIGN_OR_RETURN(const sweep::Job job, Join(wish, options, &made));
  // Other processes may have compared another table before.
  const std::optional<store::TableIdentity> table = made ? proof.table() : std::nullopt;
  FENSI_RETURN_IF_ERROR(report->Begin(options, {incarnation_, table, job.made_at}));
  SharedVerification together({&index_, incarnation_, store_, options, run_.marks, JobRow(), job.name,
                               wish.alone ? 1 : run_.workers, wish.alone});
  Status end = together.Run();
  if (end.ok()) end = CheckStillThe(index_, incarnation_, store_.get());
  sweep::Counts counts;
  const Status told = together.Tell(end.ok(), report, &counts);
  FENSI_RETURN_IF_ERROR(report->End(counts, end.ok() ? told : end));
  if (end.code() == StatusCode::kRejected) {
    Say("verify: " + end.message());
    return kExitNotComparable;
  }
  FENSI_RETURN_IF_ERROR(end);
  FENSI_RETURN_IF_ERROR(told);
  FENSI_ASSIGN_OR_RETURN(const bool nothing, ComparedNothing(counts));
  if (nothing) return kExitNotComparable;
  // One that was over before is noted already, and proves nothing of now.
  if (job.ended_at == 0) NoteResult(options, counts, job.made_at);
  NoteTable(proof, table, options, counts);
  return CodeOf(counts);
}

Result<int> VerifyRun::Steer(sweep::Wish what) const {
  FENSI_RETURN_IF_ERROR(SteerJob(JobRow(), Job(run_.compare), index_.name(), what));
  Say("verify: the comparison of index " + index_.name() + " is " + SteeredText(what) +
      "; workers follow within seconds");
  return kExitDone;
}

Result<sweep::CompareOptions> VerifyRun::Options() const {
  sweep::CompareOptions options = run_.compare;
  FENSI_ASSIGN_OR_RETURN(options.as_of,
                         AskedAsOf(run_.as_of, index_, incarnation_, store_.get(), run_.store.meta_table));
  return options;
}

meta::VersionedMetaRow VerifyRun::JobRow() const {
  return meta::VersionedMetaRow(store_.get(), run_.store.meta_table, meta::JobRow(index_.name(), "verify"));
}

JobWish VerifyRun::Job(const sweep::CompareOptions& options) const {
  JobWish wish{.kind = "verify", .anew = "--restart", .index = index_.name(), .incarnation = incarnation_};
  wish.arguments = "index " + incarnation_ + ", " + ComparedText(options);
  wish.pace.rows_per_second = run_.compare.walk.rows_per_second;
  wish.paced = run_.paced;
  wish.again = run_.again;
  wish.alone = Embedded();
  return wish;
}

Result<sweep::Job> VerifyRun::Join(const JobWish& wish, const sweep::CompareOptions& options, bool* made) const {
  FENSI_ASSIGN_OR_RETURN(const std::vector<sweep::RowRange> ranges, RangesToCompare(index_, options, store_.get()));
  const int64_t now = SystemClock()->WallMillis();
  Result<sweep::Job> job = JoinJob(JobRow(), wish, ranges, now);
  FENSI_RETURN_IF_ERROR(job.status());
  *made = job->ended_at == 0 && job->made_at == now;
  if (job->ended_at != 0) {
    Say("verify: the comparison of index " + index_.name() + " is done since " + TimeText(job->ended_at) +
        ". To compare once more, add --restart");
  } else if (job->made_at != now) {
    Say("verify: index " + index_.name() + ": resumes the comparison created at " + TimeText(job->made_at));
  }
  return job;
}

int VerifyRun::CodeOf(const sweep::Counts& counts) const {
  if (counts.differences() > 0) return kExitDifference;
  // A slip of the pen in --as_of must not pass for an index that is right.
  if (counts.younger > 0 && counts.entries + counts.cells == 0) return kExitNotComparable;
  // Nor one in the rows.
  if (SomeRows() && counts.rows + counts.cells == 0) {
    Say("verify: index " + index_.name() +
        ": nothing lies in the rows that were named, so fensi compared nothing. Correct --prefix, --start_row or "
        "--stop_row");
    return kExitNotComparable;
  }
  return counts.undecided > 0 || counts.unattributed > 0 ? kExitNotComparable : kExitDone;
}

Result<bool> VerifyRun::ComparedNothing(const sweep::Counts& counts) const {
  if (SomeRows() || !run_.compare.forward || counts.rows + counts.cells + counts.younger > 0) return false;
  store::ScanRequest request;
  request.keys_only = true;
  request.max_rows = 1;
  request.max_cells = 1;
  FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> any, store_->Scan(index_.source_table(), request));
  if (any.empty()) return false;
  Say("verify: index " + index_.name() + " is empty, and no row of table " + index_.source_table() +
      " has a cell that the index watches (" + Joined(WatchTexts(index_.watches())) +
      "). So fensi compared nothing. Correct families and columns of the mapping file: 'fensi check MAPPING --online "
      "--store URL' compares them with rows of the table");
  return true;
}

void VerifyRun::NoteTable(const TableProof& proof, const std::optional<store::TableIdentity>& table,
                          const sweep::CompareOptions& options, const sweep::Counts& counts) const {
  if (CodeOf(counts) != kExitDone || !sweep::ComparesAll(options)) return;
  if (!Embedded() || run_.distributed) return proof.Note(table, store_.get());
  if (!proof.mismatch()) return;
  Say("verify: nothing differs. But 'fensi verify' only reads an embedded store, so index " + index_.name() +
      " stays 'mismatch'. To end that state, run 'fensi repair MAPPING " + index_.name() +
      " --verify_first --execute'");
}

void VerifyRun::NoteResult(const sweep::CompareOptions& options, const sweep::Counts& counts, int64_t began) const {
  NoteVerified(index_, incarnation_, store_.get(), run_.store.meta_table, ResultOf(counts, options, began));
}

}  // namespace fensi::operations

#include "operations/backfill/backfilling.h"

#include "base/text.h"
#include "indexer/index_descriptor.h"
#include "indexer/partition_progress.h"
#include "indexer/remedies.h"
#include "operations/access/position.h"
#include "operations/access/store_place.h"
#include "operations/backfill/backfill_run.h"
#include "operations/backfill/begin_wait.h"
#include "operations/backfill/plan.h"
#include "operations/backfill/self_as_owner.h"
#include "operations/backfill/stream_owners.h"
#include "operations/console/console.h"
#include "operations/json/json_line.h"
#include "operations/verify/incarnation.h"
#include "operations/verify/table_proof.h"

namespace fensi::operations {
namespace {

constexpr size_t kMostRanges = 10'000;

}  // namespace

Result<int> Backfilling::Steer(sweep::Wish wish) {
  FENSI_RETURN_IF_ERROR(SteerJob(row_, wish_.OfJob(""), index_->name(), wish));
  const char* const next = !owner_itself()             ? "; workers follow within seconds"
                           : wish == sweep::Wish::kRun ? ". To continue, run this command with --execute in place of "
                                                         "--resume"
                                                       : "";
  Say("backfill: the backfill of index " + index_->name() + " is " + SteeredText(wish) + next);
  return kExitDone;
}

Status Backfilling::Prepare() {
  FENSI_RETURN_IF_ERROR(owner_itself() ? BeOwner() : MeetOwners());
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> starts,
                         RegionStartsOf(store_.get(), index_->source_table(), SystemClock()));
  regions_ = static_cast<int64_t>(starts.size());
  ranges_ = sweep::RangesOf(starts, wish_.rows, kMostRanges);
  const Status known = ReadKnown();
  if (known.code() == StatusCode::kNotFound && owner_itself()) return Status();  // it makes its tables
  FENSI_RETURN_IF_ERROR(known);
  return AwaitMark();
}

void Backfilling::PrintPlan() const {
  const BackfillPlan plan{
      index_.get(), owners_ == nullptr ? "this process" : owners_->Text(), ranges_.size(), regions_, state_, board_};
  Print(options_.json ? JsonLine(PlanJson(plan)) : PlanText(plan));
  if (!TableProof(*index_, "backfill", store_.get()).mismatch()) return;
  if (index_->scheme() == mapping::Scheme::kStateless) {
    return Say(
        "backfill: the index is stateless, so a backfill restores the entries of the rows that it scans. Run the "
        "backfill, then " +
        indexer::RepairRemedy(*index_));
  }
  Say("backfill: a backfill brings back no entry that the row states name. Bring these entries back with " +
      indexer::RepairRemedy(*index_));
}

Status Backfilling::RequireProof() const {
  if (wish_.skip_watermark_check || state_.complete) return Status();
  return Status(
      StatusCode::kConfiguration,
      "index " + index_->name() + " has no watermark, so nothing shows that changes of table " +
          index_->source_table() +
          " reach the index. Read the log of 'fensi capture' ('nothing arrives', 'watermark'), then the log of 'fensi "
          "run'. The logs name what is missing, for example the peer, replication markers or REPLICATION_SCOPE. Then "
          "run the same command again. If you know that topic " +
          index_->topic() +
          " has all changes since before now, add --skip_watermark_check. If the topic "
          "does not have them, the index then misses these changes");
}

Result<int> Backfilling::Execute() {
  // This process may have slept since it met its owners.
  FENSI_RETURN_IF_ERROR(CheckStillThe(*index_, owners_->incarnation(), store_.get()));
  FENSI_RETURN_IF_ERROR(record_.Register(indexer::FactsOf(*index_, owners_->incarnation())));
  const int64_t now = SystemClock()->WallMillis();
  FENSI_ASSIGN_OR_RETURN(const sweep::Job job,
                         JoinJob(row_, wish_, owners_->incarnation(), ranges_, now, owners_->Losses()));
  owners_->NoteLosses(job.losses);
  if (job.ended_at != 0) {
    Say("backfill: the backfill of index " + index_->name() + " is done since " + TimeText(job.ended_at) +
        ". To scan once more, add --restart");
    return kExitDone;
  }
  if (job.made_at != now) NoteJoined(job);
  if (job.pace.wish == sweep::Wish::kPause)
    Say("backfill: the backfill of index " + index_->name() +
        " is paused, and this process waits. To continue, run 'fensi backfill MAPPING " + index_->name() +
        " --resume' in another shell");
  // An owner in this process takes from one thread.
  const int workers = owner_itself() ? 1 : options_.workers;
  const std::optional<StorePlace> place =
      owner_itself() ? std::make_optional<StorePlace>(options_.store.url) : std::nullopt;
  const BackfillSettings settings{workers, options_.ahead_rows, options_.json, place ? &*place : nullptr};
  BackfillRun run(index_.get(), store_, owners_.get(), sweep::Board(row_, job.name), record_, wish_, settings);
  FENSI_RETURN_IF_ERROR(run.Run());
  const int64_t letters = owners_->dead_letters();
  if (letters > 0)
    Say("backfill: " + Counted(letters, "dead letter") + " in " + options_.letters_place(*index_) +
        ". See why with 'fensi dead-letters list MAPPING " + index_->name() + " --letters --rows'");
  Say("backfill: done; run fensi verify next");
  return letters > 0 ? kExitDifference : kExitDone;
}

Status Backfilling::AwaitMark() {
  BeginWait wait(begin_wait());
  while (!wish_.skip_watermark_check && !state_.complete &&
         wait.GoesOn("for the first watermark of index " + index_->name())) {
    FENSI_RETURN_IF_ERROR(ReadKnown());
  }
  return Status();
}

void Backfilling::NoteJoined(const sweep::Job& job) {
  owners_->NoteJoined();
  Say("backfill: index " + index_->name() + ": resumes the backfill created at " + TimeText(job.made_at) +
      (wish_.again ? ". --restart has no effect, because that backfill has not ended" : ""));
}

Status Backfilling::ReadKnown() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, record_.Read());
  if (state.has_value() && state->incarnation == incarnation_) state_ = *state;
  FENSI_ASSIGN_OR_RETURN(const std::optional<sweep::Job> job, sweep::Board::Find(row_));
  if (!job.has_value() || !job->arguments.starts_with("index " + incarnation_ + ",")) return Status();
  FENSI_ASSIGN_OR_RETURN(board_, sweep::Board(row_, job->name).Look());
  return Status();
}

Status Backfilling::MeetOwners() {
  FENSI_ASSIGN_OR_RETURN(owners_, StreamOwners::Find(index_.get(), store_.get(), {options_.kafka, begin_wait()}));
  incarnation_ = owners_->incarnation();
  return Status();
}

Status Backfilling::BeOwner() {
  const Result<indexer::PartitionProgress> progress = indexer::ReadPartitionProgress(*index_, store_.get());
  if (!options_.execute && progress.status().code() == StatusCode::kNotFound) return Status();
  FENSI_RETURN_IF_ERROR(progress.status());
  if (!progress->begun.empty()) {
    return Status(StatusCode::kConfiguration,
                  "index " + index_->name() + " follows topic " + index_->topic() +
                      ", and a backfill in an embedded store could skip changes that the topic still has. In an "
                      "embedded store, a backfill is only for indexes whose changes come from files "
                      "(--source=file:PATH), not from a topic. To bring in old rows, "
                      "stop 'fensi run' and run 'fensi repair MAPPING " +
                      index_->name() + " --verify_first --execute'");
  }
  incarnation_ = progress->incarnation;
  if (!options_.execute) return Status();
  const auto letters = options_.letters(*index_);
  FENSI_RETURN_IF_ERROR(letters.status());
  FENSI_ASSIGN_OR_RETURN(owners_, SelfAsOwner::Begin(index_, store_.get(), *letters));
  incarnation_ = owners_->incarnation();
  return Status();
}

}  // namespace fensi::operations

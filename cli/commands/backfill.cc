#include "base/counted.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/backfill/backfill_run.h"
#include "cli/backfill/begin_wait.h"
#include "cli/backfill/owners.h"
#include "cli/backfill/plan.h"
#include "cli/backfill/self_as_owner.h"
#include "cli/backfill/stores.h"
#include "cli/backfill/stream_owners.h"
#include "cli/backfill/wish.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/jobs/stop_limit.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/json_line.h"
#include "cli/program/output.h"
#include "cli/run/signals.h"
#include "cli/run/sources.h"
#include "cli/run/store_place.h"
#include "cli/run/unless_stopped.h"
#include "cli/verify/table_proof.h"
#include "indexer/index_facts.h"
#include "indexer/owner_progress.h"
#include "indexer/remedies.h"
#include "meta/meta_table.h"

namespace fensi::cli {
namespace {

using mapping::Index;
using meta::SharedRow;

constexpr size_t kMostRanges = 10'000;

/// One backfill of one index, as far as a command line goes.
class BackfillCommandLine {
 public:
  BackfillCommandLine(std::shared_ptr<const Index> index, std::shared_ptr<store::Store> store, BackfillWish wish)
      : index_(std::move(index)),
        store_(std::move(store)),
        wish_(std::move(wish)),
        row_(store_.get(), FLAGS_meta_table, meta::JobRow(index_->name(), "backfill")),
        record_(SharedRow(store_.get(), FLAGS_meta_table, meta::IndexRow(index_->name()))) {}

  /// --pause, --resume, --cancel.
  Result<int> Steer(sweep::Wish wish) {
    FENSI_RETURN_IF_ERROR(SteerJob(row_, wish_.OfJob(""), index_->name(), wish));
    Say(std::string("backfill: ") + SteeredText(wish) + (IsOwnerItself() ? "" : "; workers follow within seconds"));
    return kExitDone;
  }

  Status Prepare() {
    FENSI_RETURN_IF_ERROR(IsOwnerItself() ? BeOwner() : MeetOwners());
    const Result<std::vector<std::string>> starts = RegionStartsOf(store_.get(), index_->source_table(), SystemClock());
    FENSI_RETURN_IF_ERROR(starts.status());
    regions_ = static_cast<int64_t>(starts->size());
    ranges_ = sweep::RangesOf(*starts, wish_.rows, kMostRanges);
    const Status known = ReadKnown();
    if (known.code() == StatusCode::kNotFound && IsOwnerItself()) return Status();  // it makes its tables
    FENSI_RETURN_IF_ERROR(known);
    return AwaitMark();
  }

  void PrintPlan() const {
    const BackfillPlan plan{
        index_.get(), owners_ == nullptr ? "this process" : owners_->Text(), ranges_.size(), regions_, state_, board_};
    Print(FLAGS_json ? JsonLine(PlanJson(plan)) : PlanText(plan));
    if (!TableProof(*index_, "backfill", store_.get()).mismatch()) return;
    Say("backfill: it brings back no entry that the index still knows. Bring them back with " +
        indexer::RepairRemedy(*index_));
  }

  /// M16: only a mark shows that changes come from the source to the index.
  Status RequireProof() const {
    if (wish_.unproven || state_.complete) return Status();
    return Status(
        StatusCode::kConfiguration,
        "nothing shows that changes of table " + index_->source_table() + " reach index " + index_->name() +
            ": it has no mark. The logs of 'fensi run' and 'fensi capture', and 'fensi check --online', say what is "
            "missing. Without marks, what changes behind the scan and is not in topic " +
            index_->topic() +
            " would be missed. When you know that the stream has all changes since before now, say so: --unproven");
  }

  Result<int> Execute() {
    FENSI_RETURN_IF_ERROR(record_.Register(indexer::FactsOf(*index_, owners_->incarnation())));
    const int64_t now = SystemClock()->WallMillis();
    const Result<sweep::Job> job = JoinJob(row_, wish_, owners_->incarnation(), ranges_, now, owners_->Losses());
    FENSI_RETURN_IF_ERROR(job.status());
    owners_->NoteLosses(job->losses);
    if (job->ended_at != 0) {
      Say("backfill: done since " + TimeText(job->ended_at) + "; --again scans once more");
      return kExitDone;
    }
    if (job->made_at != now) NoteJoined(*job);
    if (job->pace.wish == sweep::Wish::kPause) Say("backfill: it is paused; this process waits for --resume");
    // An owner in this process takes from one thread.
    const int workers = IsOwnerItself() ? 1 : FLAGS_workers;
    const std::optional<StorePlace> place =
        IsOwnerItself() ? std::make_optional<StorePlace>(FLAGS_store) : std::nullopt;
    const BackfillSettings settings{workers, FLAGS_ahead_rows, FLAGS_json, place ? &*place : nullptr};
    BackfillRun run(index_.get(), store_, owners_.get(), sweep::Board(row_, job->name), record_, wish_, settings);
    FENSI_RETURN_IF_ERROR(run.Run());
    const int64_t letters = owners_->dead_letters();
    if (letters > 0) Say("backfill: " + Counted(letters, "dead letter") + " in " + DeadLetterSinks::PlaceText(*index_));
    Say("backfill: done; run fensi verify next");
    return letters > 0 ? kExitDifference : kExitDone;
  }

 private:
  /// Of a 'fensi run' that has just begun it comes within seconds.
  Status AwaitMark() {
    BeginWait wait;
    while (!wish_.unproven && !state_.complete && wait.GoesOn("for the first watermark of index " + index_->name())) {
      FENSI_RETURN_IF_ERROR(ReadKnown());
    }
    return Status();
  }

  void NoteJoined(const sweep::Job& job) {
    owners_->NoteJoined();
    Say("backfill: goes on with the one made at " + TimeText(job.made_at) +
        (wish_.again ? "; --again begins anew what is over, and this one is not" : ""));
  }

  /// What the meta table has of this index, not of one that had its name before.
  Status ReadKnown() {
    const Result<std::optional<meta::IndexState>> state = record_.Read();
    FENSI_RETURN_IF_ERROR(state.status());
    if (state->has_value() && (*state)->incarnation == incarnation_) state_ = **state;
    const Result<std::optional<sweep::Job>> job = sweep::Board::Find(row_);
    FENSI_RETURN_IF_ERROR(job.status());
    if (!job->has_value() || !(*job)->arguments.starts_with("index " + incarnation_ + ",")) return Status();
    Result<sweep::BoardView> board = sweep::Board(row_, (*job)->name).Look();
    FENSI_RETURN_IF_ERROR(board.status());
    board_ = std::move(*board);
    return Status();
  }

  Status MeetOwners() {
    Result<std::unique_ptr<StreamOwners>> owners = StreamOwners::Find(index_.get(), store_.get());
    FENSI_RETURN_IF_ERROR(owners.status());
    owners_ = std::move(*owners);
    incarnation_ = owners_->incarnation();
    return Status();
  }

  /// Of an embedded store, when it is to be executed: an owner goes on at once
  /// with what is left of the last time.
  Status BeOwner() {
    const Result<indexer::OwnerProgress> progress = indexer::ReadOwnerProgress(*index_, store_.get());
    if (!FLAGS_execute && progress.status().code() == StatusCode::kNotFound) return Status();
    FENSI_RETURN_IF_ERROR(progress.status());
    if (!progress->begun.empty()) {
      return Status(StatusCode::kConfiguration,
                    "index " + index_->name() + " follows topic " + index_->topic() +
                        ", so what it has not applied yet would be passed by; in an embedded store a backfill is for "
                        "indexes that follow recorded files");
    }
    incarnation_ = progress->incarnation;
    if (!FLAGS_execute) return Status();
    const auto letters = letters_.For(*index_);
    FENSI_RETURN_IF_ERROR(letters.status());
    Result<std::unique_ptr<SelfAsOwner>> self = SelfAsOwner::Begin(index_, store_.get(), *letters);
    FENSI_RETURN_IF_ERROR(self.status());
    owners_ = std::move(*self);
    incarnation_ = owners_->incarnation();
    return Status();
  }

  const std::shared_ptr<const Index> index_;
  const std::shared_ptr<store::Store> store_;
  const BackfillWish wish_;
  const SharedRow row_;
  const meta::IndexRecord record_;
  DeadLetterSinks letters_;
  std::unique_ptr<Owners> owners_;
  std::string incarnation_;  // empty: nobody has begun the index
  std::vector<sweep::RowRange> ranges_;
  int64_t regions_ = 0;
  meta::IndexState state_;
  std::optional<sweep::BoardView> board_;  // of its last backfill
};

/// What is for many processes and means nothing where one has the store.
Status CheckAlone() {
  for (const char* flag : {"workers", "ahead_rows"}) {
    if (!FlagIsTyped(flag)) continue;
    return Status(StatusCode::kInvalidArgument,
                  std::string("--") + flag +
                      " does not go with an embedded store: one thread scans, and another applies what it read");
  }
  if (!FLAGS_pause) return Status();
  return Status(StatusCode::kInvalidArgument,
                "--pause does not go with an embedded store: a backfill has it alone, so that nobody can tell it to "
                "wait, and nobody else could use the store meanwhile. Stop it with SIGTERM; the same line goes on");
}

Status CheckSource(bool steers) {
  if (IsOwnerItself() && !FLAGS_source.empty()) {
    return Status(StatusCode::kInvalidArgument,
                  "--source does not go with an embedded store: nobody but this process can own its rows meanwhile. "
                  "Let 'fensi run' come to the end of its file before");
  }
  if (steers || IsOwnerItself() || SourceIsKafka()) return Status();
  return Status(
      StatusCode::kInvalidArgument,
      "--source kafka://… names the stream that 'fensi run' of this index reads: who owns the rows is asked beside it");
}

Result<int> Backfill(const Arguments& arguments) {
  Result<BackfillWish> wish = AskedBackfill();
  FENSI_RETURN_IF_ERROR(wish.status());
  // An embedded store has no stream that goes on.
  wish->alone = IsOwnerItself();
  if (wish->alone) wish->unproven = true;
  if (wish->alone) FENSI_RETURN_IF_ERROR(CheckAlone());
  const std::optional<sweep::Wish> steer = AskedToSteer();
  FENSI_RETURN_IF_ERROR(CheckSource(steer.has_value()));
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  BlockStopSignals();
  const StopLimit limit("backfill");
  const std::string stopped = "backfill: stopped before anything was read";
  Result<std::shared_ptr<store::Store>> store =
      UnlessStopped([&] { return OpenForBackfill(**index, steer.has_value()); }, stopped);
  FENSI_RETURN_IF_ERROR(store.status());
  BackfillCommandLine backfill(*index, std::move(*store), *wish);
  if (steer) return backfill.Steer(*steer);
  FENSI_RETURN_IF_ERROR(UnlessStopped([&] { return backfill.Prepare(); }, stopped));
  backfill.PrintPlan();
  FENSI_RETURN_IF_ERROR(backfill.RequireProof());
  if (FLAGS_execute) return backfill.Execute();
  Say("backfill: nothing was done; --execute begins, or joins the one that goes on");
  return kExitDone;
}

}  // namespace

Command BackfillCommand() {
  Command command;
  command.name = "backfill";
  command.summary = "bring rows into an index that were there before its stream";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Scans the source table and asks the owners of its rows, the 'fensi run' of this index, to take what it shows; "
      "they do so beside the changes, in an order that stays right whatever is written meanwhile. 'fensi run' must "
      "run (it is waited for as long as --begin_wait_s says), and the stream must have all changes since before the "
      "scan. Without --execute it shows its plan. With it, it makes a backfill or joins the one that goes on: the "
      "same line on any number of machines, also again after a kill. It ends when all rows are scanned and applied. "
      "--start_row, --stop_row, --prefix and --from, --to (rows that have a cell of that time) choose rows. --pause, "
      "--resume and --cancel act on all machines within seconds; what was asked for before --cancel is applied all "
      "the same. With an embedded store, which one process has alone, the command itself owns the rows, and its exit "
      "code is 1 when some of them went to the dead letters. There is no --pause then: SIGTERM stops it, and the same "
      "line goes on; --resume (another pace) and --cancel (to begin another) are for between.";
  command.flags = {{"store", true},
                   {"source"},
                   {"start_row"},
                   {"stop_row"},
                   {"prefix"},
                   {"from"},
                   {"to"},
                   {"rows_per_second"},
                   {"bytes_per_second"},
                   {"ahead_rows"},
                   {"workers"},
                   {"unproven"},
                   {"begin_wait_s"},
                   {"execute"},
                   {"again"},
                   {"pause"},
                   {"resume"},
                   {"cancel"},
                   {"meta_table"},
                   {"json"},
                   {"dead_letters"},
                   {"kafka_property"},
                   {"kafka_property_file"},
                   {"connect_timeout_s"}};
  command.examples = {
      {"fensi backfill guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090", "the plan"},
      {"fensi backfill guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090 --execute "
       "--rows_per_second 20000",
       "makes it, or joins it; 20,000 rows a second on all machines together"},
      {"fensi backfill guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --pause", "on all machines, until --resume"}};
  command.run = Backfill;
  return command;
}

}  // namespace fensi::cli

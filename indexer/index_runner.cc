#include "indexer/index_runner.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <utility>
#include <vector>

#include "base/periodic_thread.h"
#include "consumer/dead_letters.h"
#include "indexer/index_descriptor.h"
#include "indexer/make_index_maintainer.h"
#include "indexer/marks/mark_rule.h"
#include "indexer/marks/source_replication.h"
#include "indexer/remedies.h"
#include "indexer/requests/position.h"
#include "indexer/requests/told_requests.h"
#include "store/retrying_store.h"

namespace fensi::indexer {
namespace {

std::optional<int64_t> FirstOf(const consumer::Batch& batch) {
  return batch.records.empty() ? std::nullopt : std::optional(batch.records.front().offset);
}

Status GivenUp() { return {StatusCode::kFenced, "this daemon has given the partition up"}; }

/// An exception that leaves a thread ends the process, and with it all other indexes.
template <typename Function>
Status Catching(Function work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kInternal, kOutOfMemoryText);
  } catch (const std::exception& error) {
    return InternalError(error);
  }
}

}  // namespace

struct IndexRunner::OpenPartition {
  std::shared_ptr<consumer::Assignment> assignment;
  std::unique_ptr<store::Store> store;
  std::unique_ptr<consumer::DeadLetterSink> dead_letters;
  std::unique_ptr<IndexMaintainer> keeper;
  std::unique_ptr<RequestsPosition> requests;  // null: it has none
  std::optional<MarkRule> marks;               // of the worker that has its batch in flight
  std::optional<MarkRule::Silent> silent;      // the runner's mu_ guards it
  std::atomic<bool> commit_noted{false};
};

IndexRunner::IndexRunner(std::shared_ptr<const mapping::Index> index, consumer::ChangeSource* source,
                         store::Store* store, consumer::DeadLetterSink* dead_letters, Clock* clock,
                         RunnerOptions options)
    : index_(std::move(index)),
      source_(source),
      store_(store),
      dead_letters_(dead_letters),
      clock_(clock),
      options_(options) {}

IndexRunner::~IndexRunner() = default;

Status IndexRunner::Run() {
  meta_store_ =
      WithRetry(store_->Guarded([this] { return CheckStopDeadline(); }), [this] { return CheckNotStopped(); });
  meta_ = std::make_unique<IndexMeta>(index_.get(), meta_store_.get(), clock_);
  Status opened = meta_->Open();
  if (opened.ok()) opened = LearnPause();
  if (opened.ok()) {
    light_store_ = store_->Guarded([this] { return CheckStopDeadline(); });
    LookAtTable();
    options_.opened(*meta_);
    RunWorkers();
  } else if (!stopping_) {
    Fail(opened);
  }
  const Status closed = source_->Close();
  NoteLastCommits();
  MutexLock lock(mu_);
  partitions_.clear();
  if (failure_.code() == StatusCode::kNotFound) return failure_.WithSuffix(". " + MissingRemedy(*index_));
  return failure_.ok() ? WithGapRemedy(closed, *index_) : failure_;
}

void IndexRunner::RunWorkers() {
  mark_writer_ = NewMarkWriter();
  reached_ = true;
  second_looks_ = std::make_unique<DelayedRereads>(clock_);
  {
    const PeriodicThread watch(options_.pause_period, [this] { LookAtRow(); });
    std::vector<std::thread> workers;
    for (int i = 0; i < std::max(1, options_.workers); ++i) workers.emplace_back([this] { Work(); });
    for (std::thread& worker : workers) worker.join();
  }
  second_looks_->Finish();
  if (mark_writer_ != nullptr) mark_writer_->Finish();
}

/// Before any work: an index that was paused while no daemon ran it begins paused.
Status IndexRunner::LearnPause() {
  FENSI_ASSIGN_OR_RETURN(const std::string paused, ReadPause(MetaRow(index_.get(), meta_store_.get(), clock_)));
  if (!paused.empty() && !options_.may_pause) {
    return Status(StatusCode::kConfiguration, PauseText(*index_, paused));
  }
  NotePause(paused);
  return Status();
}

/// Tables that were made again under a daemon may be those of another index.
void IndexRunner::LookAtRow() {
  const MetaRow row(index_.get(), light_store_.get(), clock_);
  const Result<std::string> paused = ReadPause(row);
  if (paused.ok()) NotePause(*paused);
  const Status still = meta_->CheckStillThis(row);
  // M21: an index that was dropped since must not be written any more.
  if (still.code() == StatusCode::kConfiguration && !stopping_) Fail(still);
  if (still.ok()) LookAtTable();
}

/// M25. A failed check is repeated at the next time: the index works without the answer.
void IndexRunner::LookAtTable() {
  if (options_.table_period.count() == 0) return;
  const Result<std::optional<NotedTable>> noted = SeenTable();
  if (noted.ok() && *noted) return NoteTable(**noted);
  const StatusCode code = noted.status().code();
  const bool passes = code == StatusCode::kUnavailable || code == StatusCode::kCancelled;
  // A table that is gone stops the index where it is needed.
  if (noted.ok() || passes || code == StatusCode::kNotFound || std::exchange(table_unknown_told_, true)) return;
  options_.table_news({TableNews::Kind::kUnknown, noted.status()});
}

/// Between two looks at the table only a proof by another process is looked for.
Result<std::optional<NotedTable>> IndexRunner::SeenTable() {
  const IndexTable table(index_.get(), light_store_.get(), clock_);
  const bool due = !table_seen_ || clock_->MonotonicNow() - *table_seen_ >= options_.table_period;
  if (!due) return mismatch_since() ? table.Noted() : Result<std::optional<NotedTable>>(std::optional<NotedTable>());
  Result<std::optional<NotedTable>> noted = table.LookAndNote();
  if (noted.status().code() != StatusCode::kUnavailable) table_seen_ = clock_->MonotonicNow();
  return noted;
}

void IndexRunner::NoteTable(const NotedTable& noted) {
  {
    const MutexLock lock(mu_);
    if (noted.mismatch_since == mismatch_since_) return;
    mismatch_since_ = noted.mismatch_since;
  }
  options_.table_news({noted.mismatch_since ? TableNews::Kind::kMismatch : TableNews::Kind::kProved, {}});
}

std::optional<int64_t> IndexRunner::mismatch_since() const {
  const MutexLock lock(mu_);
  return mismatch_since_;
}

void IndexRunner::NotePause(const std::string& paused) {
  {
    const MutexLock lock(mu_);
    if (paused == paused_) return;
    paused_ = paused;
  }
  source_->SetPaused(!paused.empty());
}

std::string IndexRunner::paused() const {
  const MutexLock lock(mu_);
  return paused_;
}

void IndexRunner::Stop() {
  if (!stopping_) stopped_at_ = clock_->MonotonicNow();
  stopping_ = true;
  source_->Stop();
}

void IndexRunner::Work() {
  for (bool more = true; more;) {
    const Status done = Catching([&] {
      more = WorkOnce();
      return Status();
    });
    if (!done.ok()) return Fail(done);
  }
}

bool IndexRunner::WorkOnce() {
  consumer::Work work = source_->Next();
  if (const auto* end = std::get_if<consumer::End>(&work)) {
    if (!end->status.ok()) Fail(WithGapRemedy(end->status, *index_));
    return false;
  }
  if (const auto* committed = std::get_if<consumer::Committed>(&work)) {
    NoteCommit(*committed);
  } else if (const auto* opening = std::get_if<consumer::Opening>(&work)) {
    Status done = Catching([&] { return Open(*opening); });
    // The commits that a former owner compares are old: its successor may have committed since.
    if (const Status owned = opening->assignment->Check(); !done.ok() && !owned.ok()) done = owned;
    if (!done.ok()) GiveUp(opening->assignment, done);
  } else if (auto* requests = std::get_if<consumer::RequestBatch>(&work)) {
    Take(std::make_shared<consumer::RequestBatch>(std::move(*requests)));
  } else {
    Take(std::make_shared<const consumer::Batch>(std::move(std::get<consumer::Batch>(work))));
  }
  return true;
}

void IndexRunner::Take(const std::shared_ptr<const consumer::Batch>& taken) {
  const consumer::Batch& batch = *taken;
  const std::shared_ptr<OpenPartition> partition = FindPartition(batch.assignment.get());
  if (partition == nullptr) return GiveUp(batch.assignment, GivenUp());
  const Status applied = Catching([&] { return partition->keeper->Apply(batch); });
  if (!applied.ok()) return GiveUp(batch.assignment, Explained(applied, *batch.assignment), FirstOf(batch));
  FinishOrReread(partition, taken);
}

void IndexRunner::RereadSource(const std::shared_ptr<OpenPartition>& partition, const BatchPtr& taken) {
  const Status looked = Catching([&] { return partition->keeper->RereadSource(*taken); });
  if (!looked.ok()) return GiveUp(taken->assignment, Explained(looked, *taken->assignment), FirstOf(*taken));
  FinishOrReread(partition, taken);
}

void IndexRunner::FinishOrReread(const std::shared_ptr<OpenPartition>& partition, const BatchPtr& taken) {
  const std::optional<std::chrono::milliseconds> again = partition->keeper->second_look();
  if (!again) return Finish(partition.get(), *taken);
  second_looks_->Add(*again, [this, partition, taken] { RereadSource(partition, taken); });
}

/// Before another worker can have the partition's next batch.
void IndexRunner::Finish(OpenPartition* partition, const consumer::Batch& batch) {
  for (const consumer::Mark& mark : batch.marks) partition->marks->Meet(mark);
  if (!batch.marks.empty()) NoteSilence(partition);
  const std::optional<int64_t> complete = partition->marks->complete_to();
  if (mark_writer_ != nullptr && !batch.marks.empty() && complete) {
    mark_writer_->Note(batch.assignment, *complete, BasisName(partition->marks->basis()), BulkLoadsText(batch.marks));
  }
  NoteDelays(batch);
  source_->Done(batch);
}

void IndexRunner::NoteDelays(const consumer::Batch& batch) const {
  if (options_.timings == nullptr) return;
  const int64_t now = clock_->WallMillis();
  const auto note = [now](int64_t then, Histogram* delays) {
    if (then > 0) delays->Observe(static_cast<double>(now - then) / 1000);
  };
  for (const consumer::Record& record : batch.records) {
    note(record.event.write_time, &options_.timings->since_write);
    note(record.message_time, &options_.timings->since_append);
  }
}

void IndexRunner::Take(const std::shared_ptr<consumer::RequestBatch>& taken) {
  const consumer::RequestBatch& batch = *taken;
  const std::shared_ptr<OpenPartition> partition = FindPartition(batch.assignment.get());
  if (partition == nullptr || partition->requests == nullptr) return GiveUp(batch.assignment, GivenUp());
  const auto told = std::make_shared<const ToldRequests>(Told(*index_, meta_->incarnation(), taken));
  const Status applied = Catching([&] { return ApplyNoted(partition.get(), batch, *told); });
  if (!applied.ok()) return GiveUp(batch.assignment, Explained(applied, *batch.assignment));
  const std::optional<std::chrono::milliseconds> again = partition->keeper->second_look();
  if (!again) return FinishRequests(partition, batch);
  second_looks_->Add(*again, [this, partition, taken, told] {
    const Status looked = Catching([&] { return partition->keeper->RereadSource(*told); });
    if (!looked.ok()) return GiveUp(taken->assignment, Explained(looked, *taken->assignment));
    FinishRequests(partition, *taken);
  });
}

Status IndexRunner::ApplyNoted(OpenPartition* partition, const consumer::RequestBatch& batch,
                               const ToldRequests& told) {
  // M21: a request is stale for an index that is made again, not for one that this process opened before.
  if (told.stale > 0) FENSI_RETURN_IF_ERROR(meta_->CheckStillThis());
  // M12: record the requests before their first write.
  FENSI_RETURN_IF_ERROR(partition->requests->Note(batch.next_offset));
  return partition->keeper->Apply(told);
}

void IndexRunner::FinishRequests(const std::shared_ptr<OpenPartition>& partition, const consumer::RequestBatch& batch) {
  const Status done = Catching([&] {
    FENSI_RETURN_IF_ERROR(ConfirmLogs(*batch.assignment));
    return partition->requests->Done(batch.next_offset);
  });
  if (!done.ok()) return GiveUp(batch.assignment, Explained(done, *batch.assignment));
  source_->Done(batch);
}

/// Confirms first, because clients that wait for requests trust the position that is recorded afterwards.
Status IndexRunner::ConfirmLogs(const consumer::Assignment& assignment) {
  constexpr std::chrono::milliseconds kPause(100);  // a broker may refuse at once
  for (;;) {
    const Status confirmed = source_->Confirm();
    FENSI_RETURN_IF_ERROR(assignment.Check());
    if (confirmed.code() != StatusCode::kUnavailable) return WithGapRemedy(confirmed, *index_);
    FENSI_RETURN_IF_ERROR(CheckStopDeadline());
    clock_->Sleep(kPause);
  }
}

void IndexRunner::GiveUp(const std::shared_ptr<consumer::Assignment>& assignment, const Status& why,
                         std::optional<int64_t> offset) {
  {
    MutexLock lock(mu_);
    partitions_.erase(assignment.get());
  }
  source_->Abandon(assignment);
  // Losing a partition, or a stop, is no failure: the next owner does the work again.
  const bool expected = why.code() == StatusCode::kFenced || why.code() == StatusCode::kCancelled;
  if (!expected) Fail(why, consumer::StreamPosition{assignment->topic(), assignment->partition(), offset});
}

Status IndexRunner::Explained(const Status& status, const consumer::Assignment& assignment) const {
  return status.WithContext("index " + index_->name() + ", " + consumer::PartitionText(assignment));
}

Status IndexRunner::Open(const consumer::Opening& opening) {
  FENSI_ASSIGN_OR_RETURN(Start start, meta_->Begin(opening));
  auto partition = std::make_shared<OpenPartition>();
  partition->assignment = opening.assignment;
  partition->marks.emplace(options_.clock_skew.count());
  const auto owned = [assignment = opening.assignment] { return assignment->Check(); };
  const auto go_on = [this, owned] {
    const Status status = owned();
    return status.ok() ? CheckNotStopped() : status;
  };
  partition->store = WithRetry(store_->Guarded(owned), go_on);
  const auto tell = [this](const std::string& text) { NoteTrouble(RedactableText(text)); };
  partition->dead_letters = std::make_unique<consumer::RetryingDeadLetters>(dead_letters_, clock_, go_on, tell);
  const auto partitions = static_cast<size_t>(std::max(1, opening.assignment->partition_count()));
  const StateMemoryShare memory = ShareOf(options_.cache_bytes, partitions, start.fresh);
  MaintainerOptions context{index_.get(),       partition->store.get(), partition->dead_letters.get(),
                            &counters_,         meta_->reads_source(),  memory.cache_bytes,
                            memory.filter_bytes};
  context.clock = clock_;
  context.timings = options_.timings;
  context.scheme = meta_->scheme();
  context.layout = meta_->layout();
  if (meta_->reads_source() && !index_->shared() && !options_.meta_table.empty()) {
    const meta::VersionedMetaRow row(partition->store.get(), options_.meta_table, meta::LoadsRow(index_->name()),
                                     clock_);
    context.note_load = LoadNote(row, meta_->incarnation(), clock_);
  }
  context.changelog = options_.changelog;
  context.go_on = go_on;
  context.tell = tell;
  context.version = options_.version;
  partition->keeper = MakeIndexMaintainer(context, opening.assignment, start.fresh);
  FENSI_RETURN_IF_ERROR(OpenRequests(opening, partition.get()));
  {
    MutexLock lock(mu_);
    // Partitions of lost assignments end here: only this map keeps them.
    std::erase_if(partitions_,
                  [](const auto& known) { return known.second->assignment->Check().code() == StatusCode::kFenced; });
    partitions_[opening.assignment.get()] = std::move(partition);
  }
  return source_->Begin(opening.assignment, start.offset);
}

Status IndexRunner::OpenRequests(const consumer::Opening& opening, OpenPartition* partition) {
  if (!opening.requests) return {};
  partition->requests = std::make_unique<RequestsPosition>(
      index_.get(), MetaRow(index_.get(), partition->store.get(), clock_), opening.assignment->partition());
  FENSI_ASSIGN_OR_RETURN(const consumer::RequestPosition start, partition->requests->Open(*opening.requests));
  return source_->BeginRequests(opening.assignment, start);
}

void IndexRunner::NoteCommit(const consumer::Committed& committed) {
  if (!committed.requests) return NoteCommit(*committed.assignment);
  const Status noted = NoteCommittedRequests(MetaRow(index_.get(), meta_store_.get(), clock_), *committed.assignment);
  if (!noted.ok() && !stopping_) Fail(noted);
}

void IndexRunner::NoteCommit(const consumer::Assignment& assignment) {
  if (const std::shared_ptr<OpenPartition> partition = FindPartition(&assignment)) partition->commit_noted = true;
  const Status noted = meta_->NoteCommit(assignment);
  if (!noted.ok() && !stopping_) Fail(noted);
}

/// The last commits came when no worker was there any more.
void IndexRunner::NoteLastCommits() {
  std::vector<std::shared_ptr<OpenPartition>> open;
  {
    MutexLock lock(mu_);
    for (const auto& [assignment, partition] : partitions_) open.push_back(partition);
  }
  for (const auto& partition : open) {
    if (partition->assignment->has_committed() && !partition->commit_noted) NoteCommit(*partition->assignment);
  }
}

std::shared_ptr<IndexRunner::OpenPartition> IndexRunner::FindPartition(const consumer::Assignment* assignment) {
  MutexLock lock(mu_);
  const auto found = partitions_.find(assignment);
  return found == partitions_.end() ? nullptr : found->second;
}

std::unique_ptr<store::Store> IndexRunner::WithRetry(std::unique_ptr<store::Store> behind,
                                                     std::function<Status()> should_go_on) {
  store::RetryOptions options{.clock = clock_, .should_go_on = std::move(should_go_on)};
  options.on_retry = [this](const store::RetryState& state) {
    NoteTrouble("the store has not answered for " + std::to_string(state.lasting.count() / 1000) + " s (" +
                state.last.words() + "); trying again");
    NoteStore(clock_->MonotonicNow() - state.lasting);
  };
  options.on_recovery = [this](const store::RetryState&) {
    NoteTrouble(RedactableText());
    NoteStore({});
  };
  return std::make_unique<store::RetryingStore>(std::move(behind), std::move(options));
}

/// A watermark that its store refuses now is written with the next one.
std::unique_ptr<MarkWriter> IndexRunner::NewMarkWriter() {
  if (options_.meta_table.empty()) return nullptr;
  const meta::VersionedMetaRow row(light_store_.get(), options_.meta_table, meta::IndexRow(index_->name()), clock_);
  const auto may_register = [this] { return meta_->CheckStillThis(MetaRow(index_.get(), light_store_.get(), clock_)); };
  const auto replication = std::make_shared<SourceReplication>(index_.get(), light_store_.get(), clock_);
  const auto confirm = [this, replication](const std::string& basis) {
    FENSI_RETURN_IF_ERROR(source_->Confirm());
    // M20: HBase writes markers for all tables of a cluster, whether the table is replicated or not.
    return basis == BasisName(MarkBasis::kMarkers) ? replication->Check() : Status();
  };
  return std::make_unique<MarkWriter>(
      meta::IndexRecord(row), FactsOf(*index_, meta_->incarnation()), options_.mark_period,
      [this](const RedactableText& words) {
        const MutexLock lock(mu_);
        trouble_of_marks_ = words;
      },
      may_register, confirm);
}

Status IndexRunner::CheckNotStopped() const {
  return stopping_ ? Status(StatusCode::kCancelled, "asked to stop") : Status();
}

Status IndexRunner::CheckStopDeadline() const {
  constexpr std::chrono::seconds kStopTimeout(3);
  const bool must_end = stopping_ && clock_->MonotonicNow() - stopped_at_.load() > kStopTimeout;
  return must_end ? CheckNotStopped() : Status();
}

void IndexRunner::Fail(const Status& status, std::optional<consumer::StreamPosition> at) {
  {
    MutexLock lock(mu_);
    if (failure_.ok()) failed_at_ = std::move(at);
    if (failure_.ok()) failure_ = status;
  }
  Stop();
}

std::optional<consumer::StreamPosition> IndexRunner::failed_at() const {
  MutexLock lock(mu_);
  return failed_at_;
}

void IndexRunner::NoteTrouble(const RedactableText& words) {
  MutexLock lock(mu_);
  trouble_ = words;
}

void IndexRunner::NoteStore(std::optional<std::chrono::milliseconds> away_since) {
  MutexLock lock(mu_);
  store_away_since_ = away_since;
}

std::optional<std::chrono::milliseconds> IndexRunner::store_away_since() const {
  MutexLock lock(mu_);
  return store_away_since_;
}

void IndexRunner::NoteSilence(OpenPartition* partition) {
  std::optional<MarkRule::Silent> silent = partition->marks->silent();
  MutexLock lock(mu_);
  partition->silent = std::move(silent);
}

/// Names the server that holds a partition of ours back most.
RedactableText IndexRunner::SilenceText() const {
  const MarkRule::Silent* silent = nullptr;
  for (const auto& [assignment, partition] : partitions_) {
    if (!partition->silent || !assignment->Check().ok()) continue;
    if (silent == nullptr || partition->silent->millis > silent->millis) silent = &*partition->silent;
  }
  return silent == nullptr ? RedactableText() : RedactableText(MarkRule::TextOf(*silent));
}

RedactableText IndexRunner::trouble() const {
  RedactableText of_marks;
  {
    MutexLock lock(mu_);
    if (!trouble_.empty()) return trouble_;
    of_marks = trouble_of_marks_.empty() ? SilenceText() : trouble_of_marks_;
  }
  RedactableText trouble(source_->progress().trouble);
  return trouble.empty() ? of_marks : trouble;
}

}  // namespace fensi::indexer

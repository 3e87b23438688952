#include "indexer/index_runner.h"

#include <algorithm>
#include <exception>
#include <new>
#include <thread>
#include <vector>

#include "consumer/patient_dead_letters.h"
#include "store/retrying_store.h"

namespace fensi::indexer {
namespace {

/// An exception that leaves a thread ends the process, and with it all other indexes.
template <typename Function>
Status Guarded(Function work) {
  try {
    return work();
  } catch (const std::bad_alloc&) {
    return Status(StatusCode::kInternal,
                  "out of memory; give the process more, or fewer indexes, workers or --state_cache_mb");
  } catch (const std::exception& error) {
    return Status(StatusCode::kInternal, std::string("unexpected error: ") + error.what());
  }
}

}  // namespace

struct IndexRunner::Lane {
  std::shared_ptr<consumer::Assignment> assignment;
  std::unique_ptr<store::Store> store;
  std::unique_ptr<consumer::DeadLetterSink> dead_letters;
  std::unique_ptr<Maintainer> maintainer;
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
  meta_store_ = Patient(store_->Asking([this] { return MayFinish(); }), [this] { return StillWanted(); });
  meta_ = std::make_unique<IndexMeta>(index_.get(), meta_store_.get());
  const Status opened = meta_->Open();
  if (opened.ok()) {
    reached_ = true;
    second_looks_ = std::make_unique<SecondLooks>(clock_);
    std::vector<std::thread> workers;
    for (int i = 0; i < std::max(1, options_.workers); ++i) workers.emplace_back([this] { Work(); });
    for (std::thread& worker : workers) worker.join();
    second_looks_->Finish();
  } else if (!stopping_) {
    Fail(opened);
  }
  const Status closed = source_->Close();
  NoteLastCommits();
  std::lock_guard lock(mu_);
  lanes_.clear();
  return failure_.ok() ? closed : failure_;
}

void IndexRunner::Stop() {
  if (!stopping_) stopped_at_ = clock_->SinceBoot();
  stopping_ = true;
  source_->Stop();
}

void IndexRunner::Work() {
  while (true) {
    bool more = true;
    const Status done = Guarded([&] {
      more = WorkOnce();
      return Status();
    });
    if (!done.ok()) return Fail(done);
    if (!more) return;
  }
}

bool IndexRunner::WorkOnce() {
  consumer::Work work = source_->Next();
  if (const auto* end = std::get_if<consumer::End>(&work)) {
    if (!end->status.ok()) Fail(end->status);
    return false;
  }
  if (const auto* committed = std::get_if<consumer::Committed>(&work)) {
    NoteCommit(*committed->assignment);
  } else if (const auto* opening = std::get_if<consumer::Opening>(&work)) {
    const Status done = Guarded([&] { return Open(*opening); });
    if (!done.ok()) GiveUp(opening->assignment, done);
  } else {
    Take(std::get<consumer::Batch>(work));
  }
  return true;
}

void IndexRunner::Take(const consumer::Batch& batch) {
  const std::shared_ptr<Lane> lane = FindLane(batch.assignment.get());
  if (lane == nullptr) {
    return GiveUp(batch.assignment, Status(StatusCode::kFenced, "a batch came of an assignment that was given up"));
  }
  const Status applied = Guarded([&] { return lane->maintainer->Apply(batch); });
  if (!applied.ok()) return GiveUp(batch.assignment, Explained(applied, *batch.assignment));
  const std::optional<std::chrono::milliseconds> again = lane->maintainer->second_look();
  if (!again) return source_->Done(batch);
  second_looks_->Add(*again, [this, lane, batch] { LookAgain(lane, batch); });
}

void IndexRunner::LookAgain(const std::shared_ptr<Lane>& lane, const consumer::Batch& batch) {
  const Status looked = Guarded([&] { return lane->maintainer->LookAgain(batch); });
  if (!looked.ok()) return GiveUp(batch.assignment, Explained(looked, *batch.assignment));
  source_->Done(batch);
}

void IndexRunner::GiveUp(const std::shared_ptr<consumer::Assignment>& assignment, const Status& why) {
  {
    std::lock_guard lock(mu_);
    lanes_.erase(assignment.get());
  }
  source_->Abandon(assignment);
  // Losing a partition, or being asked to stop, is no failure: whoever owns it next does the work again.
  const bool expected = why.code() == StatusCode::kFenced || why.code() == StatusCode::kCancelled;
  if (!expected) Fail(why);
}

Status IndexRunner::Explained(const Status& status, const consumer::Assignment& assignment) const {
  return status.WithContext("index " + index_->name() + ", topic " + assignment.topic() + " partition " +
                            std::to_string(assignment.partition()));
}

Status IndexRunner::Open(const consumer::Opening& opening) {
  Result<Start> start = meta_->Begin(opening);
  FENSI_RETURN_IF_ERROR(start.status());
  auto lane = std::make_shared<Lane>();
  lane->assignment = opening.assignment;
  const auto owned = [assignment = opening.assignment] { return assignment->Check(); };
  const auto go_on = [this, owned] {
    const Status status = owned();
    return status.ok() ? StillWanted() : status;
  };
  lane->store = Patient(store_->Asking(owned), go_on);
  lane->dead_letters = std::make_unique<consumer::PatientDeadLetters>(
      dead_letters_, clock_, go_on, [this](const std::string& text) { NoteTrouble(text); });
  const auto partitions = static_cast<size_t>(std::max(1, opening.assignment->partition_count()));
  const StateMemoryShare memory = ShareOf(options_.cache_bytes, partitions, start->fresh);
  MaintainerContext context{index_.get(),          lane->store.get(),  lane->dead_letters.get(), &counters_,
                            meta_->reads_source(), memory.cache_bytes, memory.filter_bytes};
  context.clock = clock_;
  lane->maintainer = std::make_unique<Maintainer>(context, opening.assignment, start->fresh);
  {
    std::lock_guard lock(mu_);
    // Lanes of lost assignments end here: only this map keeps them.
    std::erase_if(lanes_,
                  [](const auto& known) { return known.second->assignment->Check().code() == StatusCode::kFenced; });
    lanes_[opening.assignment.get()] = std::move(lane);
  }
  return source_->Begin(opening.assignment, start->offset);
}

void IndexRunner::NoteCommit(const consumer::Assignment& assignment) {
  if (const std::shared_ptr<Lane> lane = FindLane(&assignment)) lane->commit_noted = true;
  const Status noted = meta_->NoteCommit(assignment);
  if (!noted.ok() && !stopping_) Fail(noted);
}

/// The last commits came when no worker was there any more.
void IndexRunner::NoteLastCommits() {
  std::vector<std::shared_ptr<Lane>> lanes;
  {
    std::lock_guard lock(mu_);
    for (const auto& [assignment, lane] : lanes_) lanes.push_back(lane);
  }
  for (const auto& lane : lanes) {
    if (lane->assignment->has_committed() && !lane->commit_noted) NoteCommit(*lane->assignment);
  }
}

std::shared_ptr<IndexRunner::Lane> IndexRunner::FindLane(const consumer::Assignment* assignment) {
  std::lock_guard lock(mu_);
  const auto found = lanes_.find(assignment);
  return found == lanes_.end() ? nullptr : found->second;
}

std::unique_ptr<store::Store> IndexRunner::Patient(std::unique_ptr<store::Store> behind,
                                                   std::function<Status()> should_go_on) {
  store::RetryOptions options{.clock = clock_, .should_go_on = std::move(should_go_on)};
  options.on_trouble = [this](const store::Trouble& trouble) {
    NoteTrouble("the store has not answered for " + std::to_string(trouble.lasting.count() / 1000) + " s (" +
                trouble.last.message() + "); trying again");
  };
  options.on_recovery = [this](const store::Trouble&) { NoteTrouble(""); };
  if (behind != nullptr) return std::make_unique<store::RetryingStore>(std::move(behind), std::move(options));
  return std::make_unique<store::RetryingStore>(store_, std::move(options));
}

Status IndexRunner::StillWanted() const {
  return stopping_ ? Status(StatusCode::kCancelled, "asked to stop") : Status();
}

Status IndexRunner::MayFinish() const {
  constexpr std::chrono::seconds kStopPatience(3);
  const bool must_end = stopping_ && clock_->SinceBoot() - stopped_at_.load() > kStopPatience;
  return must_end ? StillWanted() : Status();
}

void IndexRunner::Fail(const Status& status) {
  {
    std::lock_guard lock(mu_);
    if (failure_.ok()) failure_ = status;
  }
  Stop();
}

void IndexRunner::NoteTrouble(const std::string& text) {
  std::lock_guard lock(mu_);
  trouble_ = text;
}

std::string IndexRunner::trouble() const {
  {
    std::lock_guard lock(mu_);
    if (!trouble_.empty()) return trouble_;
  }
  return source_->progress().trouble;
}

IndexRunner::Counts IndexRunner::counts() const {
  return {counters_.events,       counters_.skipped,     counters_.puts,         counters_.deletes,
          counters_.dead_letters, counters_.state_reads, counters_.source_reads, counters_.batches};
}

}  // namespace fensi::indexer

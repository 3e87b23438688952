#include "indexer/index_runner.h"

#include <algorithm>
#include <thread>
#include <vector>

#include "store/retrying_store.h"

namespace fensi::indexer {

struct IndexRunner::Lane {
  std::shared_ptr<consumer::Assignment> assignment;
  std::unique_ptr<store::Store> store;
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
  meta_store_ = Patient(nullptr, [this] { return StillWanted(); });
  meta_ = std::make_unique<IndexMeta>(index_.get(), meta_store_.get());
  const Status opened = meta_->Open();
  if (opened.ok()) {
    reached_ = true;
    std::vector<std::thread> workers;
    for (int i = 0; i < std::max(1, options_.workers); ++i) workers.emplace_back([this] { Work(); });
    for (std::thread& worker : workers) worker.join();
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
  stopping_ = true;
  source_->Stop();
}

void IndexRunner::Work() {
  while (true) {
    consumer::Work work = source_->Next();
    if (const auto* end = std::get_if<consumer::End>(&work)) {
      if (!end->status.ok()) Fail(end->status);
      return;
    }
    if (const auto* committed = std::get_if<consumer::Committed>(&work)) {
      NoteCommit(*committed->assignment);
      continue;
    }
    Status done;
    std::shared_ptr<consumer::Assignment> assignment;
    if (const auto* opening = std::get_if<consumer::Opening>(&work)) {
      assignment = opening->assignment;
      done = Open(*opening);
    } else {
      const auto& batch = std::get<consumer::Batch>(work);
      assignment = batch.assignment;
      done = Apply(batch);
      if (done.ok()) source_->Done(batch);
    }
    if (done.ok()) continue;
    {
      std::lock_guard lock(mu_);
      lanes_.erase(assignment.get());
    }
    source_->Abandon(assignment);
    // Losing a partition, or being asked to stop, is no failure: whoever owns it next does the work again.
    const bool expected = done.code() == StatusCode::kFenced || done.code() == StatusCode::kCancelled;
    if (!expected) Fail(done);
  }
}

Status IndexRunner::Open(const consumer::Opening& opening) {
  Result<Start> start = meta_->Begin(opening);
  FENSI_RETURN_IF_ERROR(start.status());
  auto lane = std::make_shared<Lane>();
  lane->assignment = opening.assignment;
  const auto owned = [assignment = opening.assignment] { return assignment->Check(); };
  lane->store = Patient(store_->Asking(owned), [this, owned] {
    const Status status = owned();
    return status.ok() ? StillWanted() : status;
  });
  const size_t lanes = static_cast<size_t>(std::max(1, opening.assignment->partition_count()));
  MaintainerContext context{index_.get(),          lane->store.get(),
                            dead_letters_,         &counters_,
                            meta_->reads_source(), std::max<size_t>(options_.cache_bytes / lanes, 1 << 20)};
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

Status IndexRunner::Apply(const consumer::Batch& batch) {
  const std::shared_ptr<Lane> lane = FindLane(batch.assignment.get());
  if (lane == nullptr) return Status(StatusCode::kFenced, "a batch came of an assignment that was given up");
  return lane->maintainer->Apply(batch).WithContext("index " + index_->name() + ", topic " + batch.assignment->topic() +
                                                    " partition " + std::to_string(batch.assignment->partition()));
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

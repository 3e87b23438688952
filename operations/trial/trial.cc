#include "operations/trial/trial.h"

#include <algorithm>
#include <exception>
#include <thread>

#include "indexer/index_runner.h"
#include "operations/tables/table_plan.h"
#include "operations/trial/frozen_wall_clock.h"
#include "operations/trial/list_source.h"
#include "operations/trial/observed_store.h"
#include "store/open_store.h"

namespace fensi::operations {
namespace {

Clock* TrialClock() {
  static FrozenWallClock epoch;
  return &epoch;
}

}  // namespace

/// The wall shows the newest timestamp that came.
class Trial::NewestChange final : public FrozenWallClock {
 public:
  void Saw(const std::vector<ChangeEvent>& events) {
    for (const ChangeEvent& event : events) {
      for (const Cell& cell : event.cells) Set(std::max(WallMillis(), cell.timestamp));
    }
  }
};

/// The run of the indexer that everything goes through.
class Trial::Stream {
 public:
  Stream(const std::shared_ptr<const mapping::Index>& index, store::Store* store, Clock* clock)
      : name_(index->name()),
        source_(index->topic()),
        store_(store, &relay_),
        letters_(&relay_),
        runner_(index, &source_, &store_, &letters_, clock, {}),
        thread_([this] { Run(); }) {}
  ~Stream() { End(); }

  Status Apply(std::vector<ChangeEvent> events, TrialObserver* observer) {
    relay_.Tell(observer);
    const bool applied = source_.Give(std::move(events));
    if (!applied) End();
    relay_.Tell(nullptr);
    return applied ? Status() : ended_;
  }

 private:
  void Run() {
    try {
      ended_ = runner_.Run();
    } catch (const std::exception& error) {
      ended_ = InternalError(error).WithContext("index " + name_);
    }
    source_.Stop();
  }
  void End() {
    source_.Stop();
    if (thread_.joinable()) thread_.join();
  }

  const std::string name_;  // of the index
  Relay relay_;
  ListSource source_;
  ObservedStore store_;
  ObservedDeadLetters letters_;
  indexer::IndexRunner runner_;
  Status ended_;  // of the thread, until it is joined
  std::thread thread_;
};

Result<std::unique_ptr<Trial>> Trial::Start(std::shared_ptr<const mapping::Index> index) {
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, store::OpenMemoryStore(TrialClock()));
  return StartIn(std::move(store), std::move(index));
}

Result<std::unique_ptr<Trial>> Trial::StartIn(std::unique_ptr<store::Store> store,
                                              std::shared_ptr<const mapping::Index> index) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<PlannedTable> plans, PlanTables(*index, store.get()));
  FENSI_RETURN_IF_ERROR(CreateTables(plans, store.get()));
  return std::unique_ptr<Trial>(new Trial(std::move(index), std::move(store)));
}

Trial::Trial(std::shared_ptr<const mapping::Index> index, std::unique_ptr<store::Store> store)
    : index_(std::move(index)), now_(std::make_unique<NewestChange>()), store_(std::move(store)) {}

Trial::~Trial() = default;

Status Trial::Apply(std::vector<ChangeEvent> events, TrialObserver* observer) {
  now_->Saw(events);
  if (stream_ == nullptr) stream_ = std::make_unique<Stream>(index_, store_.get(), now_.get());
  return stream_->Apply(std::move(events), observer);
}

}  // namespace fensi::operations

// Reports what a trial writes and what is refused. Used by one thread, like the trial's run of the indexer.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "consumer/dead_letters.h"
#include "operations/trial/trial.h"
#include "store/wrapped_store.h"

namespace fensi::operations {

/// Forwards to the current listener.
class Relay final : public TrialObserver {
 public:
  void Written(const std::string& table, const store::RowMutation& mutation) override {
    if (to_ != nullptr) to_->Written(table, mutation);
  }
  void Refused(const consumer::DeadLetter& letter) override {
    if (to_ != nullptr) to_->Refused(letter);
  }
  /// Call only while no event is in flight.
  void Tell(TrialObserver* to) { to_ = to; }

 private:
  TrialObserver* to_ = nullptr;
};

/// Forwards every call and reports writes to the observer.
class ObservedStore final : public store::ForwardingStore {
 public:
  ObservedStore(store::Store* store, TrialObserver* observer) : ForwardingStore(store), observer_(observer) {}
  ObservedStore(std::unique_ptr<store::Store> store, TrialObserver* observer)
      : ForwardingStore(std::shared_ptr<store::Store>(std::move(store))), observer_(observer) {}

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    Tell(table, rows);
    return behind()->Put(table, rows);
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    Tell(table, rows);
    return behind()->Delete(table, rows);
  }

 private:
  std::unique_ptr<store::Store> Over(std::unique_ptr<store::Store> behind) override {
    return std::make_unique<ObservedStore>(std::move(behind), observer_);
  }
  void Tell(const std::string& table, std::span<const store::RowMutation> rows) {
    for (const store::RowMutation& row : rows) observer_->Written(table, row);
  }

  TrialObserver* const observer_;
};

class ObservedDeadLetters final : public consumer::DeadLetterSink {
 public:
  explicit ObservedDeadLetters(TrialObserver* observer) : observer_(observer) {}
  Status Send(const consumer::DeadLetter& letter) override {
    observer_->Refused(letter);
    return Status();
  }
  Status Flush() override { return Status(); }

 private:
  TrialObserver* const observer_;
};

}  // namespace fensi::operations

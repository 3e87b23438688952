// Tells who watches a trial what is written and what is refused. Of one thread, like the trial's run of the indexer.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "cli/cases/trial.h"
#include "consumer/dead_letters.h"
#include "store/forwarding_store.h"

namespace fensi::cli {

/// Tells whoever listens at the moment.
class Relay final : public TrialObserver {
 public:
  void Written(const std::string& table, const store::RowMutation& mutation) override {
    if (to_ != nullptr) to_->Written(table, mutation);
  }
  void Refused(const consumer::DeadLetter& letter) override {
    if (to_ != nullptr) to_->Refused(letter);
  }
  /// Only while no event is in hand.
  void Tell(TrialObserver* to) { to_ = to; }

 private:
  TrialObserver* to_ = nullptr;
};

/// Hands everything on and tells the observer what is written.
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

}  // namespace fensi::cli

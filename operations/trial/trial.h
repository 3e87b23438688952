// Tries events out: through the real indexer, into a temporary store in memory, or one of the caller's.
//
// A Trial belongs to one thread and blocks until its events are applied. One run of the indexer lasts as long as the
// Trial, on a thread of its own: a run for each event would read the index's beginning each time, and RocksDB gives the
// keys of new threads the same heights in its skip list, which becomes a list that is searched from its start.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/cell.h"
#include "consumer/dead_letters.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::operations {

/// Gets the results of a trial in their order.
class TrialObserver {
 public:
  virtual ~TrialObserver() = default;
  virtual void Written(const std::string& table, const store::RowMutation& mutation) = 0;
  virtual void Refused(const consumer::DeadLetter& letter) = 0;
};

class Trial {
 public:
  static Result<std::unique_ptr<Trial>> Start(std::shared_ptr<const mapping::Index> index);
  /// Creates the missing tables there.
  static Result<std::unique_ptr<Trial>> StartIn(std::unique_ptr<store::Store> store,
                                                std::shared_ptr<const mapping::Index> index);
  ~Trial();

  /// Applies the events, each as a batch of its own; calls `observer` (may be null). For `retention:` of period tables,
  /// now is the time of the newest change so far.
  Status Apply(std::vector<ChangeEvent> events, TrialObserver* observer);

  store::Store* store() const { return store_.get(); }

 private:
  Trial(std::shared_ptr<const mapping::Index> index, std::unique_ptr<store::Store> store);

  class NewestChange;
  class Stream;

  const std::shared_ptr<const mapping::Index> index_;
  const std::unique_ptr<NewestChange> now_;
  const std::unique_ptr<store::Store> store_;
  std::unique_ptr<Stream> stream_;  // begins with the first events; destroyed before the others
};

}  // namespace fensi::operations

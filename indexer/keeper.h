// Keeps one index exact for one assignment of a partition: a batch in, everything it changes acknowledged by the store.
//
// What the ways of keeping (mapping::Scheme) have in common: Maintainer remembers states, mirror::Mirror marks.
// Blocking; one thread at a time. After any error the object must not be used again: what it remembers may not be what
// is stored.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/change_source.h"
#include "consumer/dead_letters.h"
#include "indexer/counters.h"
#include "indexer/index_writer.h"
#include "indexer/plan/change_set.h"
#include "indexer/plan/letter.h"
#include "indexer/requests/letter_bound.h"
#include "indexer/requests/told_requests.h"
#include "indexer/state/layout.h"
#include "indexer/state/read_pace.h"
#include "indexer/state/state_memory.h"
#include "indexer/timings.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::indexer {

/// Owned by the IndexRunner; outlives every Keeper.
struct MaintainerContext {
  const mapping::Index* index = nullptr;
  store::Store* store = nullptr;
  consumer::DeadLetterSink* dead_letters = nullptr;
  Counters* counters = nullptr;
  bool read_source = false;
  size_t cache_bytes = 16 << 20;
  size_t seen_filter_bytes = SeenFilter::kDefaultBytes;
  size_t planned_bytes = size_t{8} << 20;            // what is planned is written when it takes so much
  size_t read_bytes = ReadPace::kBytes;              // what is read together, of states and of the source
  Clock* clock = SystemClock();                      // says what `keep:` of period tables counts from
  Timings* timings = nullptr;                        // null: nothing is timed
  mapping::Scheme scheme = mapping::Scheme::kState;  // IndexMeta::scheme()
  StateLayout layout;                                // IndexMeta::layout()
};

class Keeper {
 public:
  virtual ~Keeper() = default;
  Keeper(const Keeper&) = delete;
  Keeper& operator=(const Keeper&) = delete;

  /// Ok: every write of the batch is acknowledged and its dead letters are durable; the offset may move, unless rows
  /// in doubt wait for their second look.
  Status Apply(const consumer::Batch& batch);
  /// The same for requests, noted before (requests/position.h). Until the next batch they are not changed.
  Status Apply(const ToldRequests& told);
  /// When the source must be looked at again (Clock::SinceBoot) before the offset of the last batch may move.
  virtual std::optional<std::chrono::milliseconds> second_look() const = 0;
  /// The second look, for the batch that was applied last. Ok: its offset may move.
  Status LookAgain(const consumer::Batch& batch);
  Status LookAgain(const ToldRequests& told) { return LookAgain(told.batch); }

 protected:
  Keeper(const MaintainerContext& context, std::shared_ptr<consumer::Assignment> assignment);

  /// A batch has come; requests_ are of it.
  virtual void Begin() = 0;
  virtual Status ApplyPieces(const consumer::Batch& batch) = 0;
  /// At as many rows as may be in memory together.
  virtual Status LookAgainAtSome(const consumer::Batch& batch) = 0;

  Status WriteIndex(ChangeSet* changes, std::vector<Letter>* letters);
  Status SendDeadLetters(const consumer::Batch& batch, std::vector<Letter>* letters);

  const MaintainerContext context_;
  const std::shared_ptr<consumer::Assignment> assignment_;
  PhaseClock phases_;
  Requests requests_;  // of the batch that was applied last; empty: it was none of requests

 private:
  Status ApplyNow(const consumer::Batch& batch);
  /// Unless a second look is to come.
  void FinishPhases();
  void NoteBatch(const consumer::Batch& batch);
  std::string Topic(const consumer::Batch& batch) const;
  /// Of what a scan meets only the first are told.
  bool MayTell(const Letter& letter);

  IndexWriter writer_;
  LetterBound letters_of_images_;
};

}  // namespace fensi::indexer

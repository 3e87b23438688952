// Plays a history: the source changes, the stream tells it in its own order, the process dies and comes back with
// other batch borders, tables are compacted meanwhile.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "tests/indexer/support/history.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {

class Player {
 public:
  Player(World* world, const History& history);

  /// Called after every write that reached the index, with the events that may have been applied by then: of the
  /// stream, from the last commit to the furthest attempt.
  std::function<void(size_t committed, size_t attempted)> on_write;
  /// Called after every batch that was applied, with the end of it in the stream.
  std::function<void(size_t told)> on_batch;
  /// What maintainers write and read through, for a store that tells one owner from the next; null: the world's own.
  store::Store* through = nullptr;
  /// Called before each maintainer is made.
  std::function<void()> on_new_owner;
  /// Behind so many batches the owner ends, and another one goes on.
  size_t ends_behind = SIZE_MAX;
  /// Compactions also drop the delete markers of the index (M10 does not hold).
  bool purge_markers = true;

  /// Plays to the end of the stream.
  void Play();
  /// Tells the whole stream once more, as one attempt without deaths.
  void Replay();

  size_t deaths() const { return deaths_; }
  size_t batches() const { return batches_; }
  const std::vector<ChangeEvent>& stream() const { return stream_; }

 private:
  bool ApplyBatch(indexer::IndexMaintainer* maintainer);
  /// Sets up who dies and who looks on during the next batch, which ends at `end`.
  void Arm(size_t end);
  void AdvanceSource(size_t to);

  World* const world_;
  const History history_;
  std::vector<ChangeEvent> events_;
  std::vector<ChangeEvent> stream_;
  std::vector<size_t> order_;
  size_t source_ = 0;
  size_t position_ = 0;
  size_t committed_ = 0;
  size_t furthest_ = 0;
  bool started_ = false;
  size_t uncommitted_ = 0;
  size_t batches_ = 0;
  size_t commits_ = 0;
  size_t deaths_ = 0;
};

/// The stream once more, event by event, each a batch, by an owner that knows nothing: what was hidden must not show
/// for a moment. Empty when it never did.
std::string ReplayOneByOne(World* world, const std::vector<ChangeEvent>& stream);

}  // namespace fensi::testing

#include "tests/indexer/support/stormy_life.h"

#include <algorithm>

#include "tests/indexer/support/random_history.h"
#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

/// An event for both rows of a history, of each of these cells.
std::vector<ChangeEvent> OfBothRows(const std::vector<std::string>& cells, uint64_t sequence_id) {
  std::vector<ChangeEvent> events;
  for (const char* row : {"r0", "r1"}) {
    for (const std::string& cell : cells) {
      events.push_back({.table = "source", .row = row, .cells = {ParseCell(cell)}, .sequence_id = sequence_id++});
    }
  }
  return events;
}

}  // namespace

StormyLife::StormyLife(World* world, const History& history, const std::vector<LateCall>& held,
                       const std::vector<LateCall>& repeated)
    : world_(world), storm_(world->faulty(), world->store(), held, repeated), player_(world, history) {
  player_.through = &storm_;
  player_.on_new_owner = [this] { storm_.NewOwner(); };
  player_.purge_markers = false;  // M10: late calls come
  // What a compaction of the source uncovered, and which kind a delete was, the stream does not tell once more; a
  // mirror asks the source for all that it was told before.
  may_replay_ = world->mirrors() ||
                (!history.lose_kinds && std::none_of(history.events.begin(), history.events.end(),
                                                     [](const EventSpec& event) { return event.compact_source; }));
}

std::string StormyLife::Differs() {
  player_.Play();
  world_->ShowSource();
  storm_.Drain();
  Compare("at the end");
  if (may_replay_) {
    player_.Replay();
    Compare("after a replay");
  }
  world_->Tell(OfBothRows({"k=z@40", "m=z@40", "k=y@41"}, 1000));
  Compare("after later puts");
  world_->Tell(OfBothRows({"DF@60"}, 2000));
  Compare("after the last deletes");
  world_->CompactIndex(true);
  Compare("after the last compaction");
  return difference_;
}

void StormyLife::Compare(const std::string& when) {
  if (!difference_.empty()) return;
  if (const std::string now = world_->Difference(); !now.empty()) difference_ = when + now;
}

std::vector<LateCall> SomeLateCalls(int most) {
  std::vector<LateCall> calls;
  for (int i = SomeNumber(0, most + 1); i > 0; --i) calls.push_back({SomeNumber(1, 25), SomeNumber(1, 10)});
  return calls;
}

}  // namespace fensi::testing

#include "indexer/migration.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "indexer/mirror/kept_floors.h"
#include "indexer/mirror/known_columns.h"
#include "indexer/state/unit_bounds.h"

namespace fensi::indexer {
namespace {

constexpr size_t kFloorBytes = size_t{16} << 20;
constexpr size_t kColumnBytes = size_t{64} << 20;  // for names that are not written twice
constexpr size_t kAskedTogether = 1'000;

/// Of all topics: an owner learns the floors of topics that are not its own, too.
class MoverAssignment final : public consumer::Assignment {
 public:
  explicit MoverAssignment(const IndexMove* move) : move_(move) {}
  const std::string& topic() const override { return topic_; }
  int32_t partition() const override { return 0; }
  int32_t partition_count() const override { return 1; }
  Status Check() const override { return move_->CheckOurs(); }

 private:
  const IndexMove* const move_;
  const std::string topic_;
};

}  // namespace

Migration::Migration(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters,
                     Clock* clock)
    : index_(index),
      store_(store),
      dead_letters_(dead_letters),
      clock_(clock),
      each_(index->state_scope() == mapping::StateScope::kColumn),
      move_(index, store, clock),
      assignment_(std::make_shared<MoverAssignment>(&move_)) {
  for (const mapping::Watch& watch : index->watches()) {
    if (watch.kind == mapping::Watch::Kind::kColumn) named_.push_back({watch.family, watch.qualifier});
  }
}

Result<Migration::Found> Migration::Look() {
  Found found;
  const Result<MoveStage> stage = move_.Open();
  FENSI_RETURN_IF_ERROR(stage.status());
  found.stage = *stage;
  if (found.stage == MoveStage::kMoved) {
    const Result<bool> left = HasStates(*index_, store_);
    FENSI_RETURN_IF_ERROR(left.status());
    found.nothing_to_do = !*left;
    return found;
  }
  StateScan scan(index_, store_, move_.layout());
  std::vector<StoredState> page;
  for (;;) {
    const Result<bool> more = scan.Next(&page);
    FENSI_RETURN_IF_ERROR(more.status());
    if (!*more) return found;
    for (const StoredState& state : page) {
      found.units += state.kind == StoredState::Kind::kState ? 1 : 0;
      found.open += state.open ? 1 : 0;
      found.newest = std::max(found.newest, state.timestamp);
    }
  }
}

Status Migration::Execute(const std::function<Status()>& nobody_runs) {
  const Result<MoveStage> stage = move_.Open();
  FENSI_RETURN_IF_ERROR(stage.status());
  if (*stage != MoveStage::kMoved) {
    FENSI_RETURN_IF_ERROR(Begin(nobody_runs));
    FENSI_RETURN_IF_ERROR(RaiseFloors());
    FENSI_RETURN_IF_ERROR(MoveUnits());
    FENSI_RETURN_IF_ERROR(move_.Finish());
  }
  return RemoveStates(*index_, store_);
}

/// Who was refused by nobody yet is seen by the second question, and who comes later is refused.
Status Migration::Begin(const std::function<Status()>& nobody_runs) {
  FENSI_RETURN_IF_ERROR(nobody_runs());
  FENSI_RETURN_IF_ERROR(move_.Begin());
  return nobody_runs();
}

void Migration::RaiseFloor(const StoredState& state, Floors* floors) const {
  const int64_t version = state.timestamp + 1;  // the second look at what is open may stand one above
  if (!each_) {
    for (const auto& [family, qualifier] : named_) {
      floors->Raise(Floors::NameOf(state.row, family, qualifier), version);
    }
  } else if (state.kind == StoredState::Kind::kMarkers) {
    for (const mapping::Watch& watch : index_->watches()) {
      floors->Raise(Floors::NameOfFamily(state.row, watch.family), version);
    }
  } else {
    const ColumnName column = SplitColumn(state.unit);
    floors->Raise(Floors::NameOf(state.row, column.family, column.qualifier), version);
  }
}

/// One for all topics and partitions: how many there are, or will be, only their groups know.
Status Migration::RaiseFloors() {
  const int64_t now = clock_->WallMillis();
  Floors floors(kFloorBytes);
  floors.set_now(now);
  KeptFloors kept(index_, store_, clock_, assignment_.get());
  FENSI_RETURN_IF_ERROR(kept.Load(&floors));
  floors.Raise(0, now + kAheadMillis);
  StateScan scan(index_, store_, move_.layout());
  std::vector<StoredState> page;
  for (;;) {
    const Result<bool> more = scan.Next(&page);
    FENSI_RETURN_IF_ERROR(more.status());
    if (!*more) return kept.Save(&floors);
    for (const StoredState& state : page) RaiseFloor(state, &floors);
    floors.Evict();
  }
}

consumer::Request Migration::RequestOf(const StoredState& state) const {
  consumer::Request request{.kind = consumer::Request::Kind::kRecheck,
                            .table = index_->source_table(),
                            .row = state.row,
                            .incarnation = move_.incarnation()};
  if (!each_) return request;
  const ColumnName column = SplitColumn(state.unit);
  request.columns.push_back({std::string(column.family), std::string(column.qualifier)});
  return request;
}

Status Migration::MoveUnits() {
  SoleOwner owner(index_, store_, dead_letters_, clock_);
  owner.OpenAsMirror(assignment_, move_.incarnation());
  PhaseClock phases(nullptr);
  KnownColumns known(index_, store_, assignment_.get(), &phases, kColumnBytes);
  std::vector<consumer::Request> open;
  StateScan scan(index_, store_, move_.layout());
  std::vector<StoredState> page;
  for (bool more = true; more;) {
    const Result<bool> next = scan.Next(&page);
    FENSI_RETURN_IF_ERROR(next.status());
    more = *next;
    for (const StoredState& state : page) {
      const ColumnName column = SplitColumn(state.unit);
      const bool of_column = each_ && state.kind != StoredState::Kind::kMarkers;
      if (of_column) known.Note(state.row, column.family, column.qualifier);
      if (state.open) open.push_back(RequestOf(state));
    }
    FENSI_RETURN_IF_ERROR(known.Save());
    const bool due = open.size() >= kAskedTogether || (!more && !open.empty());
    if (due) FENSI_RETURN_IF_ERROR(owner.Apply(std::exchange(open, {})));
  }
  return {};
}

}  // namespace fensi::indexer

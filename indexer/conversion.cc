#include "indexer/conversion.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "indexer/index_scheme.h"
#include "indexer/mirror/floors.h"
#include "indexer/mirror/known_columns.h"
#include "indexer/remedies.h"

namespace fensi::indexer {
namespace {

constexpr size_t kFloorBytes = size_t{16} << 20;
constexpr size_t kColumnBytes = size_t{64} << 20;  // for names that are not written twice
constexpr size_t kAskedTogether = 1'000;
constexpr size_t kCellsTogether = 2'000;  // of the index table

/// Covers all topics: an owner learns the floors of other topics, too.
class MoverAssignment final : public consumer::OnlyPartition {
 public:
  explicit MoverAssignment(const SchemeChange* move) : OnlyPartition(""), move_(move) {}
  Status Check() const override { return move_->CheckStillOwner(); }

 private:
  const SchemeChange* const move_;
};

}  // namespace

Conversion::Conversion(const mapping::Index* index, store::Store* store, consumer::DeadLetterSink* dead_letters,
                       Clock* clock, int64_t ahead_millis)
    : index_(index),
      store_(store),
      dead_letters_(dead_letters),
      clock_(clock),
      ahead_millis_(ahead_millis),
      each_(index->state_scope() == mapping::StateScope::kColumn),
      move_(index, store, clock),
      assignment_(std::make_shared<MoverAssignment>(&move_)),
      owned_(store, [this] { return move_.CheckStillOwner(); }) {}

Result<Conversion::Found> Conversion::Look() {
  Found found;
  FENSI_ASSIGN_OR_RETURN(const SchemeChangeStage stage, move_.Open());
  found.stage = stage;
  if (found.stage == SchemeChangeStage::kMoved) {
    FENSI_ASSIGN_OR_RETURN(const bool left, HasStates(*index_, store_));
    found.nothing_to_do = !left;
    return found;
  }
  found.unnamed = move_.incarnation().empty();
  FENSI_ASSIGN_OR_RETURN(found.committed, move_.HasCommitted());
  FENSI_RETURN_IF_ERROR(AddStates(&found));
  FENSI_RETURN_IF_ERROR(NewestCell(std::max(clock_->WallMillis(), found.newest)).status());
  return found;
}

Status Conversion::AddStates(Found* found) {
  StateScan scan(index_, store_, move_.layout());
  std::vector<StoredState> page;
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(const bool more, scan.Next(&page));
    if (!more) return {};
    for (const StoredState& state : page) {
      found->units += state.kind == StoredState::Kind::kState ? 1 : 0;
      found->open += state.open ? 1 : 0;
      found->newest = std::max(found->newest, state.timestamp);
    }
    FENSI_RETURN_IF_ERROR(CheckNotFar(found->newest, "a state"));
  }
}

Result<int64_t> Conversion::NewestCell(int64_t from) {
  store::ScanRequest request{.raw = true, .times = {.from = from + 1}, .max_cells = kCellsTogether};
  for (int64_t newest = from;;) {
    FENSI_ASSIGN_OR_RETURN(const std::vector<store::Row> page, store_->Scan(index_->table(), request));
    for (const store::Row& row : page) {
      // H15: an owner that died before its states has left entries that no state knows.
      for (const Cell& cell : row.cells) newest = std::max(newest, cell.timestamp);
    }
    FENSI_RETURN_IF_ERROR(CheckNotFar(newest, "an entry or a delete marker"));
    if (!store::ToNextPage(page, &request)) return newest;
  }
}

Status Conversion::CheckNotFar(int64_t newest, const std::string& what) const {
  const int64_t ahead = newest - clock_->WallMillis();
  if (ahead <= kFarMillis) return {};
  return Status(
      StatusCode::kConfiguration,
      "index " + index_->name() + " has " + what + " of time " + std::to_string(newest) + ", which is " +
          std::to_string(ahead / 3'600'000) +
          " hours ahead of this machine's clock. A stateless index would have to read the source for every "
          "change until then. If this clock is wrong, correct it (NTP). Otherwise keep 'mode: stateful', or " +
          RebuildRemedy(*index_));
}

Status Conversion::Execute(const std::function<Status()>& nobody_runs) {
  FENSI_ASSIGN_OR_RETURN(const SchemeChangeStage stage, move_.Open());
  if (stage != SchemeChangeStage::kMoved) {
    FENSI_RETURN_IF_ERROR(Begin(stage, nobody_runs));
    // H15: columns and open questions first. After Finish the states do not count any more.
    FENSI_RETURN_IF_ERROR(MoveUnits());
    FENSI_RETURN_IF_ERROR(move_.Finish());
  }
  return RemoveStates(*index_, store_);
}

/// A partition owner that started before SchemeChange::Begin is found by the second check; a later one is refused.
Status Conversion::Begin(SchemeChangeStage stage, const std::function<Status()>& nobody_runs) {
  FENSI_RETURN_IF_ERROR(nobody_runs());
  FENSI_RETURN_IF_ERROR(move_.Begin());
  Status begun = nobody_runs();
  if (begun.ok()) begun = RaiseFloor();
  // Until here only the floor was written, which a stateful index ignores, so the conversion can be undone.
  const bool back =
      !begun.ok() && stage == SchemeChangeStage::kNotStarted && begun.code() == StatusCode::kConfiguration;
  if (back) FENSI_RETURN_IF_ERROR(move_.TakeBack());
  return begun;
}

/// One for all topics and partitions: how many there are, or will be, only their groups know.
Status Conversion::RaiseFloor() {
  const int64_t now = clock_->WallMillis();
  Found found;
  FENSI_RETURN_IF_ERROR(AddStates(&found));
  FENSI_ASSIGN_OR_RETURN(const int64_t newest, NewestCell(std::max(now, found.newest)));
  Floors floors(kFloorBytes);
  floors.set_now(newest);  // it is a floor of all, however far
  FloorStore kept(index_, &owned_, clock_, *assignment_);
  FENSI_RETURN_IF_ERROR(kept.Load(&floors));
  floors.Raise(0, newest + ahead_millis_);
  floors.Evict();
  return kept.Save(&floors);
}

consumer::Request Conversion::RequestOf(const StoredState& state) const {
  consumer::Request request{.kind = consumer::Request::Kind::kRecheck,
                            .table = index_->source_table(),
                            .row = state.row,
                            .incarnation = move_.incarnation()};
  if (!each_) return request;
  const ColumnName column = SplitColumn(state.unit);
  request.columns.push_back({std::string(column.family), std::string(column.qualifier)});
  return request;
}

Status Conversion::MoveUnits() {
  InProcessOwner owner(index_, &owned_, dead_letters_, clock_);
  owner.OpenAsStateless(assignment_, move_.incarnation());
  PhaseClock phases(nullptr);
  KnownColumns known(index_, &owned_, &phases, kColumnBytes);
  std::vector<consumer::Request> open;
  StateScan scan(index_, store_, move_.layout());
  std::vector<StoredState> page;
  for (bool more = true; more;) {
    FENSI_ASSIGN_OR_RETURN(more, scan.Next(&page));
    for (const StoredState& state : page) {
      const ColumnName column = SplitColumn(state.unit);
      const bool of_column = each_ && state.kind != StoredState::Kind::kMarkers;
      // H15: columns with a state are known columns (H8).
      if (of_column) known.Note(state.row, column.family, column.qualifier);
      // H15: what was ambiguous is asked from the source once more.
      if (state.open) open.push_back(RequestOf(state));
    }
    FENSI_RETURN_IF_ERROR(known.Save());
    const bool due = open.size() >= kAskedTogether || (!more && !open.empty());
    if (due) FENSI_RETURN_IF_ERROR(owner.Apply(std::exchange(open, {})));
  }
  return {};
}

}  // namespace fensi::indexer

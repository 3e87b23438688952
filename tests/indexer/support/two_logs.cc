#include "tests/indexer/support/two_logs.h"

#include <algorithm>
#include <span>

#include "sweep/jobs/row_snapshot.h"
#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

constexpr size_t kWholeRow = size_t{256} << 10;

std::string NameOfRow(int row) { return "r" + std::to_string(row); }

/// What the scanner of a backfill asks for now; nothing when the row is absent.
std::vector<consumer::Request> ScanRow(World* world, const std::string& row, size_t most_bytes) {
  std::vector<consumer::Request> requests;
  sweep::RowSnapshotScan scan(&world->index(), world->store(), world->clock(), std::nullopt,
                              {.incarnation = kIncarnation, .job = "scan", .most_bytes = most_bytes},
                              [&](const consumer::Request& request) {
                                requests.push_back(request);
                                return Status();
                              });
  Must(scan.Run({row, row + '\0'}, [](const sweep::RowSnapshotScan::Page&) { return Status(); }));
  return requests;
}

}  // namespace

consumer::Request ImageOf(World* world, const std::string& row) {
  std::vector<consumer::Request> scanned = ScanRow(world, row, kWholeRow);
  if (scanned.empty()) return {.table = "source", .row = row, .incarnation = kIncarnation, .job = "scan"};
  return std::move(scanned.front());
}

consumer::Request RecheckOf(const std::string& row, std::vector<consumer::Suspect> suspects) {
  consumer::Request recheck{.kind = consumer::Request::Kind::kRecheck, .table = "source", .row = row};
  recheck.incarnation = kIncarnation;
  recheck.suspects = std::move(suspects);
  return recheck;
}

consumer::RequestBatch AskFor(World* world, const std::vector<consumer::Request>& requests, int64_t offset) {
  consumer::RequestBatch batch{
      .assignment = world->MakeBatch({}).assignment, .records = {}, .next_offset = 0, .memory = {}};
  for (const consumer::Request& request : requests) {
    batch.records.push_back({offset++, 0, {}, request, {}, {}});
  }
  batch.next_offset = offset;
  return batch;
}

indexer::ToldRequests ToldOf(World* world, const std::vector<consumer::Request>& requests) {
  return indexer::Told(world->index(), kIncarnation, std::make_shared<consumer::RequestBatch>(AskFor(world, requests)));
}

Status ApplyRequests(World* world, indexer::IndexMaintainer* owner, const std::vector<consumer::Request>& requests) {
  const indexer::ToldRequests told = ToldOf(world, requests);
  FENSI_RETURN_IF_ERROR(owner->Apply(told));
  if (!owner->second_look()) return {};
  world->ShowSource();
  return owner->RereadSource(told);
}

TwoLogs::TwoLogs(World* world, TwoLogsSpec spec)
    : world_(world),
      spec_(std::move(spec)),
      storm_(world->faulty(), world->store(), spec_.held, spec_.repeated),
      asks_(spec_.asks) {
  const History& history = spec_.history;
  for (size_t i = 0; i < history.events.size(); ++i) {
    events_.push_back(MakeEvent(history.events[i], i + 1, history.tick, history.base));
  }
  for (size_t i : StreamOrder(history)) {
    if (i < static_cast<size_t>(spec_.early)) continue;
    order_.push_back(i);
    stream_.push_back(events_[i]);
  }
  // M16: the scan begins after the stream did, and meets every row.
  for (int row = 0; row < 2; ++row) {
    asks_.push_back(
        {AskSpec::kImage, spec_.turns[static_cast<size_t>(row)] % static_cast<int>(stream_.size() + 1), row});
  }
  std::stable_sort(asks_.begin(), asks_.end(), [](const AskSpec& a, const AskSpec& b) { return a.at < b.at; });
  world->set_tight(history.batch_sizes.front() % 3 == 0);
  world->set_layout(LayoutOf(history));
}

std::string TwoLogs::Differs() {
  if (spec_.simpler == Simpler::kScansBeforeTheStream) {
    AdvanceSource(static_cast<size_t>(spec_.early) / 2);
    for (const AskSpec& ask : std::exchange(asks_, {})) Ask(ask);
  }
  AdvanceSource(static_cast<size_t>(spec_.early));
  for (bool fresh = true; !Finished(); fresh = false) LiveOnce(fresh);
  AdvanceSource(events_.size());
  world_->ShowSource();
  storm_.Drain();
  AskForTheDamaged();
  Compare("at the end");
  Tell({"k=z@40", "m=z@40", "k=y@41"});
  Compare("after later puts");
  Tell({"DF@60"});
  Compare("after the last deletes");
  return difference_;
}

/// A marker that nobody told of hides what is put below it later: who compares once more finds that.
void TwoLogs::AskForTheDamaged() {
  if (damaged_.empty()) return;
  if (spec_.simpler == Simpler::kToolRepairs) {
    for (const std::string& row : damaged_) RepairByHand(row, nullptr);
    return;
  }
  std::vector<consumer::Request> rechecks;
  for (const std::string& row : damaged_) {
    rechecks.push_back(RecheckOf(row));
    for (const auto& [of, suspect] : planted_) {
      if (of == row) rechecks.back().suspects.push_back(suspect);
    }
  }
  const auto owner = world_->NewMaintainer(false);
  Must(ApplyRequests(world_, owner.get(), rechecks));
}

void TwoLogs::LiveOnce(bool fresh) {
  storm_.NewOwner();
  world_->faulty()->Heal();
  const auto owner = world_->NewMaintainer(fresh || spec_.simpler == Simpler::kKnowsNewKeys, &storm_);
  indexer::RequestsPosition position(&world_->index(), indexer::MetaRow(&world_->index(), &storm_, world_->clock()), 0);
  position_ = committed_;
  const auto start = position.Open({0, static_cast<int64_t>(log_.size())});
  if (!Lives(start.status())) return;
  next_request_ = static_cast<size_t>(start->done);
  all_done_ = LiveInOrder(owner.get(), &position, *start);
}

bool TwoLogs::LiveInOrder(indexer::IndexMaintainer* owner, indexer::RequestsPosition* position,
                          consumer::RequestPosition start) {
  const bool in_order = spec_.simpler != Simpler::kMixesFreely;
  const size_t end_at_opening = in_order ? furthest_ : 0;
  while (in_order && next_request_ < static_cast<size_t>(start.noted)) {
    if (!ApplyAsked(owner, position, static_cast<size_t>(start.noted))) return false;
  }
  while (position_ < end_at_opening) {
    if (!ApplyStream(owner)) return false;
  }
  for (;;) {
    AskWhatIsDue();
    const bool stream = position_ < stream_.size(), asked = next_request_ < log_.size();
    if (!stream && !asked) return true;
    const bool prefers_stream = spec_.turns[turn_++ % spec_.turns.size()] % 2 == 0;
    const bool lives =
        stream && (!asked || prefers_stream) ? ApplyStream(owner) : ApplyAsked(owner, position, log_.size());
    if (!lives) return false;
  }
}

bool TwoLogs::ApplyStream(indexer::IndexMaintainer* owner) {
  const auto& sizes = spec_.history.batch_sizes;
  const size_t size = std::min<size_t>(static_cast<size_t>(sizes[batches_ % sizes.size()]), stream_.size() - position_);
  size_t told = 0;
  for (size_t i = position_; i < position_ + size; ++i) told = std::max(told, order_[i] + 1);
  world_->ShowSourceLate(static_cast<size_t>(spec_.history.source_late));
  AdvanceSource(told + static_cast<size_t>(spec_.history.source_ahead));
  furthest_ = std::max(furthest_, position_ + size);
  Arm();
  const consumer::Batch batch =
      world_->MakeBatch(std::span(stream_).subspan(position_, size), static_cast<int64_t>(position_));
  Status applied = owner->Apply(batch);
  if (applied.ok()) applied = world_->RereadSource(owner, batch);
  if (!Lives(applied)) return false;
  position_ += size;
  const auto& every = spec_.history.commit_every;
  const bool commits = batches_ % static_cast<size_t>(every[batches_ % every.size()]) == 0;
  if (commits || position_ == stream_.size()) committed_ = position_;
  return true;
}

bool TwoLogs::ApplyAsked(indexer::IndexMaintainer* owner, indexer::RequestsPosition* position, size_t end) {
  const auto& sizes = spec_.history.batch_sizes;
  const size_t size = static_cast<size_t>(sizes[batches_ % sizes.size()]);
  end = std::min(end, next_request_ + size);
  Arm();
  if (!Lives(NoteAndApply(owner, position, end))) return false;
  next_request_ = end;
  return true;
}

Status TwoLogs::NoteAndApply(indexer::IndexMaintainer* owner, indexer::RequestsPosition* position, size_t end) {
  FENSI_RETURN_IF_ERROR(position->Note(static_cast<int64_t>(end)));
  const auto first = log_.begin() + static_cast<ptrdiff_t>(next_request_);
  FENSI_RETURN_IF_ERROR(ApplyRequests(world_, owner, {first, log_.begin() + static_cast<ptrdiff_t>(end)}));
  return position->Done(static_cast<int64_t>(end));
}

void TwoLogs::Arm() {
  for (const DeathSpec& death : spec_.history.deaths) {
    if (static_cast<size_t>(death.batch) != batches_) continue;
    world_->faulty()->FailCall(death.call,
                               death.after ? store::FaultyStore::When::kAfter : store::FaultyStore::When::kBefore);
  }
  ++batches_;
}

bool TwoLogs::Lives(const Status& status) {
  world_->faulty()->Heal();
  if (status.ok()) return true;
  ++deaths_;
  return false;
}

void TwoLogs::AskWhatIsDue() {
  for (; asked_ < asks_.size(); ++asked_) {
    if (static_cast<size_t>(asks_[asked_].at) > furthest_ && furthest_ < stream_.size()) return;
    Ask(asks_[asked_]);
  }
}

void TwoLogs::Ask(const AskSpec& spec) {
  const std::string row = NameOfRow(spec.row);
  if (spec.kind == AskSpec::kImage || spec.kind == AskSpec::kParts) {
    const size_t most_bytes = spec.kind == AskSpec::kImage ? kWholeRow : static_cast<size_t>(spec.timestamp) * 10;
    for (const consumer::Request& request : ScanRow(world_, row, most_bytes)) AskFor(request);
    return;
  }
  if (spec.kind == AskSpec::kRecheck) return AskFor(RecheckOf(row));
  const consumer::Suspect cell = SomeCellOf(spec);
  damaged_.push_back(row);
  Cell damage{.family = cell.family, .qualifier = cell.qualifier, .timestamp = cell.timestamp, .value = "planted"};
  if (spec.kind == AskSpec::kMarked) damage.type = CellType::kDeleteColumn, damage.value.clear();
  WriteCells({.table = cell.table, .row = cell.row, .cells = {damage}}, cell.table, world_->store());
  if (spec.kind == AskSpec::kPlanted) planted_.emplace_back(row, cell);
  consumer::Request recheck = RecheckOf(row);
  if (spec.kind == AskSpec::kPlanted) recheck.suspects.push_back(cell);
  AskFor(recheck);
}

void TwoLogs::AskFor(const consumer::Request& request) {
  const bool image = request.kind == consumer::Request::Kind::kImage;
  if (image && spec_.simpler == Simpler::kScannerWrites) {
    const auto scanner = world_->NewMaintainer(false);
    return Must(ApplyRequests(world_, scanner.get(), {request}));
  }
  if (!image && spec_.simpler == Simpler::kToolRepairs) {
    return RepairByHand(request.row, request.suspects.empty() ? nullptr : &request.suspects.front());
  }
  log_.push_back(request);
}

/// Where the index is not what the source shows now: what is missing or has another value is put, what was found goes.
void TwoLogs::RepairByHand(const std::string& row, const consumer::Suspect* planted) {
  constexpr int64_t kAbove = 31;  // whatever a history plants
  Entries wanted;
  const Entries actual = world_->Actual();
  world_->rule().expect(row, world_->model().Visible(row, world_->clock()->WallMillis()), &wanted);
  const auto write = [&](const std::string& index_row, const Cell& cell) {
    WriteCells({.row = index_row, .cells = {cell}}, world_->index().table(), world_->store());
  };
  for (const auto& [cell, value] : wanted) {
    const auto there = actual.find(cell);
    if (there != actual.end() && there->second == value) continue;
    write(cell.first, {.family = "f", .qualifier = cell.second.substr(2), .timestamp = kAbove, .value = value});
  }
  if (planted == nullptr || wanted.contains({planted->row, "f:" + planted->qualifier})) return;
  write(planted->row,
        {.family = "f", .qualifier = planted->qualifier, .timestamp = kAbove, .type = CellType::kDeleteColumn});
}

consumer::Suspect TwoLogs::SomeCellOf(const AskSpec& spec) const {
  SourceModel::VisibleRow visible = world_->model().Visible(NameOfRow(spec.row), world_->clock()->WallMillis());
  const std::string value(1, static_cast<char>('a' + spec.cell % 3));
  for (const char* column : {"k", "v", "m"}) {
    if (spec.cell < 3 || visible.empty()) visible[{"f", column}] = {5, value};
  }
  Entries entries;
  world_->rule().expect(NameOfRow(spec.row), visible, &entries);
  visible[{"f", "m"}] = {5, "b"};
  visible[{"f", "k"}] = visible[{"f", "v"}] = {5, "c"};
  if (entries.empty()) world_->rule().expect(NameOfRow(spec.row), visible, &entries);
  auto place = entries.begin();
  std::advance(place, static_cast<ptrdiff_t>(static_cast<size_t>(spec.cell) % entries.size()));
  return {world_->index().table(), place->first.first, "f", place->first.second.substr(2), spec.timestamp};
}

void TwoLogs::AdvanceSource(size_t to) {
  for (; source_ < std::min(to, events_.size()); ++source_) {
    world_->ApplyToSource(events_[source_]);
    if (spec_.history.events[source_].compact_source) world_->CompactSource();
  }
}

void TwoLogs::Compare(const std::string& when) {
  if (!difference_.empty()) return;
  if (const std::string now = world_->Difference(); !now.empty()) difference_ = when + now;
}

void TwoLogs::Tell(const std::vector<std::string>& cells) {
  std::vector<ChangeEvent> events;
  for (const char* row : {"r0", "r1"}) {
    for (const std::string& cell : cells) {
      events.push_back(
          {.table = "source", .row = row, .cells = {ParseCell(cell)}, .sequence_id = 1000 + events.size()});
    }
  }
  world_->Tell(events);
}

}  // namespace fensi::testing

#include "tests/indexer/model/model_life.h"

#include <algorithm>
#include <cstdlib>
#include <span>
#include <utility>

#include "indexer/conversion.h"
#include "indexer/index_meta.h"
#include "indexer/make_index_maintainer.h"
#include "indexer/meta_row.h"
#include "indexer/tables.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

constexpr size_t kAll = 1'000'000;

std::map<std::string, FamilyTraits> SourceTraits(const ModelSetting& setting) {
  FamilyTraits traits{.max_versions = setting.versions, .min_versions = setting.min_versions};
  if (setting.source_ttl_s > 0) traits.ttl_millis = int64_t{1000} * setting.source_ttl_s;
  traits.keep_deleted = static_cast<KeepDeleted>(setting.keep_deleted);
  return {{"f", traits}};
}

store::TableDescriptor SourceTable(const ModelSetting& setting) {
  store::FamilyDescriptor family{.name = "f", .max_versions = setting.versions};
  if (setting.min_versions > 0) family.min_versions = setting.min_versions;
  if (setting.source_ttl_s > 0) family.ttl_seconds = setting.source_ttl_s;
  return {"source", {family}};
}

}  // namespace

ModelLife::ModelLife(const ModelHistory& history, ModelServer* server)
    : history_(history),
      kind_(KindNamed(history.setting.kind)),
      index_(IndexOf(history.setting)),
      server_(server),
      clock_(server->clock()),
      store_(server->store()),
      start_(clock_->WallMillis()),
      pointed_(store_, "source", [this](const std::string&) { return PointNow(); }),
      faulty_(&pointed_),
      source_(SourceTraits(history.setting)),
      oracle_(history.setting, &source_),
      elapsed_(start_) {
  source_.KeepEnded();
  if (std::getenv("FENSI_MODEL_STRICT") != nullptr) oracle_.set_strict();
}

std::string ModelLife::Differs(ModelCounts* counts) {
  counts_ = counts;
  if (index_ == nullptr) return "";
  MakeTables();
  for (const ModelStep& step : history_.steps) {
    Play(step);
    if (!difference_.empty() || unlawful_) return difference_;
  }
  TellTheRest();
  if (kind_.converted && !converted_) Convert();
  Compare("at the end");
  WatchTheEnd();
  Count("ends that passed", oracle_.ends_passed());
  if (history_.setting.min_versions > 0) {
    Count("cells beyond their TTL that MIN_VERSIONS keeps", static_cast<int64_t>(Shown().size()));
  }
  Count("columns that ended by a TTL of their own", oracle_.ended_by_themselves());
  Count("source reads", counters_.source_reads);
  Count("rows", static_cast<int64_t>(source_.rows().size()));
  Count("simulated seconds", (clock_->WallMillis() - start_) / 1000);
  return difference_;
}

void ModelLife::MakeTables() {
  if (kind_.name != "period") Must(store_->CreateTable(indexer::IndexTablePlan(*index_, index_->table()).table, {}));
  Must(store_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
  if (history_.setting.has_source) {
    Must(store_->CreateTable(SourceTable(history_.setting), {}));
    const auto keep = static_cast<KeepDeleted>(history_.setting.keep_deleted);
    if (keep != KeepDeleted::kFalse) server_->SetKeepDeleted("source", keep);
  }
  if (!kind_.converted) return;
  const auto before = IndexBeforeOf(history_.setting);
  indexer::IndexMeta meta(before.get(), store_, clock_);
  Must(meta.Open());
  layout_ = meta.layout();
}

void ModelLife::Play(const ModelStep& step) {
  switch (step.kind) {
    case ModelStep::kWait:
      PassTo(clock_->WallMillis() + step.n);
      ShowAllBut(0);
      break;
    case ModelStep::kEvent:
      Happen(step);
      break;
    case ModelStep::kTell:
      Tell(step);
      break;
    case ModelStep::kAgain:
      Again(step);
      break;
    case ModelStep::kCompactSource:
      ShowAllBut(0);
      source_.MajorCompact(clock_->WallMillis(), false);
      if (history_.setting.has_source) server_->MajorCompact("source", false);
      Count("compactions of the source");
      if (history_.setting.keep_deleted == 0) purged_.merge(std::exchange(markers_, {}));
      break;
    case ModelStep::kCompactIndex:
      for (const std::string& table : TableNames()) {
        if (table != "source") server_->MajorCompact(table, step.purge);
      }
      changed_ = true;
      Count("compactions of the index");
      break;
    case ModelStep::kReopen:
      Reopen(step);
      break;
    case ModelStep::kRestart:
      owner_.reset();
      position_ = committed_;
      Count("restarts");
      break;
    case ModelStep::kConvert:
      if (kind_.converted && !converted_) Convert();
  }
  Compare("after a step");
}

void ModelLife::Happen(const ModelStep& step) {
  CountEvent(step);
  const int64_t now = Elapse();
  ++number_;
  ChangeEvent event = EventOf(step, history_.setting.sequence_ids ? number_ : 0, now);
  if (history_.setting.sequence_ids) event.region = RegionName();
  const auto before = oracle_.EntriesOf(event.row, now);
  for (const Cell& cell : event.cells) {
    const auto purged = purged_.find(event.row);
    if (purged != purged_.end() && cell.type == CellType::kPut && cell.timestamp <= purged->second) {
      Count("puts below a delete marker that is compacted away");
    }
    source_.Write(event.row, cell);
    if (IsFamilyMarker(cell.type) || cell.type == CellType::kDeleteColumn) markers_[event.row] = cell.timestamp;
  }
  if (!history_.setting.has_source && !history_.setting.sequence_ids) {
    // Of two writes of one time the source would have to say which was the last.
    for (const Cell& cell : event.cells) {
      const auto [known, is_new] = written_.try_emplace(event.row + " " + cell.qualifier, std::set<int64_t>());
      if (!known->second.insert(cell.timestamp).second) unlawful_ = true;
    }
  }
  const bool changes = before != oracle_.EntriesOf(event.row, now);
  if (!IsLawful(step, changes, now)) unlawful_ = true;
  const size_t untold = log_.size() - furthest_, early = std::min<size_t>(static_cast<size_t>(step.early), untold);
  log_.insert(log_.end() - static_cast<ptrdiff_t>(early), {events_.size(), 0});
  // What stands behind it was appended later.
  for (size_t i = log_.size() - early - 1; i < log_.size(); ++i) log_[i].appended = now;
  events_.push_back(event);
  if (early > 0) Count("events told out of order");
}

/// A region that closes finishes its changes. What was not logged takes numbers; a crash gives them out again.
void ModelLife::Reopen(const ModelStep& step) {
  number_ += static_cast<uint64_t>(step.unlogged);
  if (step.reopening == ModelStep::kStays) return;
  ShowAllBut(0);
  if (step.reopening == ModelStep::kSplit) ++splits_;
  if (step.reopening == ModelStep::kCrash && !events_.empty()) {
    if (number_ > events_.back().sequence_id) Count("numbers that are given out again");
    number_ = events_.back().sequence_id;
  }
  Count(step.reopening == ModelStep::kSplit ? "splits" : "other openings of the region");
}

std::shared_ptr<const ReadPoint> ModelLife::PointNow() {
  if (!history_.setting.read_points) return nullptr;
  const bool all = shown_ == events_.size();
  const uint64_t number = all ? number_ : events_[shown_].sequence_id - 1;
  auto point = std::make_shared<const ReadPoint>(ReadPoint{RegionName(), number});
  if (!all) Count("reads that come too early");
  if (!all && catches_up_) ShowAllBut(events_.size() - shown_ - 1);
  return point;
}

/// Cells that several rows give one after the other: their changes stand apart by more than versions ever rise, and
/// each is stamped with its own time.
bool ModelLife::IsLawful(const ModelStep& step, bool changes, int64_t now) {
  if (!kind_.unique && !kind_.shared) return true;
  constexpr int64_t kApart = 500;
  bool lawful = last_row_ == step.row || now - last_change_ >= kApart;
  last_row_ = step.row;
  last_change_ = now;
  for (const ModelCell& cell : step.cells) {
    if (kind_.unique && changes && cell.age > 0) lawful = false;
    const int64_t time = now - cell.age;
    for (auto near = stamped_.lower_bound(time - kApart); near != stamped_.end() && near->first < time + kApart;
         ++near) {
      if (kind_.shared && near->second != step.row) lawful = false;
    }
    stamped_[time] = step.row;
  }
  return lawful && (kind_.shared || oracle_.Lawful(now));
}

void ModelLife::CountEvent(const ModelStep& step) {
  Count("events");
  if (!history_.setting.sequence_ids) Count("events without a sequence id");
  for (const ModelCell& cell : step.cells) {
    Count(std::string(CellTypeName(cell.type)));
    if (cell.age > 0) Count("cells stamped in the past");
    if (cell.type != CellType::kPut) continue;
    if (cell.ttl > 0) Count("puts with a TTL of their own");
    std::vector<std::string>& values = values_[{step.row, cell.qualifier}];
    if (!values.empty() && values.back() == cell.value) {
      Count("the same value again");
    } else if (std::find(values.begin(), values.end(), cell.value) != values.end()) {
      Count("a value that returns");
    }
    values.push_back(cell.value);
    if (cell.qualifier != "k") continue;
    const auto [holder, is_new] = holders_.try_emplace(cell.value, step.row);
    if (!is_new && holder->second != step.row) {
      Count("a key that another row had");
      if (kind_.unique && position_ < log_.size()) Count("keys that a row took over in a backlog");
    }
    holder->second = step.row;
  }
}

void ModelLife::Tell(const ModelStep& step) {
  if (owner_ == nullptr) owner_ = NewOwner();
  const size_t from = position_, end = std::min(log_.size(), from + static_cast<size_t>(step.n));
  if (from == end) return;
  ShowAllBut(static_cast<size_t>(step.late));
  catches_up_ = step.late == 1;
  if (step.late > 0 && shown_ < events_.size()) Count("batches while the source shows late");
  consumer::Batch batch;
  batch.assignment = assignment_;
  size_t furthest = 0;
  for (size_t i = from; i < end; ++i) {
    const bool old = clock_->WallMillis() - log_[i].appended >= std::chrono::milliseconds(consumer::kOldAge).count();
    batch.records.push_back({.offset = static_cast<int64_t>(i), .event = events_[log_[i].event], .old = old});
    oracle_.Counted(events_[log_[i].event]);
    furthest = std::max(furthest, log_[i].event + 1);
  }
  batch.next_offset = static_cast<int64_t>(end);
  if (!history_.setting.has_source) Count("batches without a source table");
  Count(furthest < events_.size() ? "batches while the source is ahead" : "batches with the source level");
  const size_t size = end - from;
  Count(size == 1     ? "batches of 1"
        : size < 10   ? "batches of 2 to 9"
        : size < 1000 ? "batches of 10 to 999"
                      : "batches of 1,000 and more");
  const int64_t began = Elapse();
  changed_ = true;
  furthest_ = std::max(furthest_, end);
  if (!Apply(step, batch)) {
    Count(step.after ? "deaths after a call" : "deaths before a call");
    for (size_t i = from; i < end; ++i) begun_.try_emplace(log_[i].event, began);
    owner_.reset();
    position_ = committed_;
    return;
  }
  position_ = end;
  if (step.commit) committed_ = end;
  Settle(from, end, began);
}

bool ModelLife::Apply(const ModelStep& step, const consumer::Batch& batch) {
  if (step.dies_at > 0) {
    faulty_.FailCall(step.dies_at, step.after ? store::FaultyStore::When::kAfter : store::FaultyStore::When::kBefore);
  }
  const int64_t reads = counters_.source_reads;
  Status applied = owner_->Apply(batch);
  const bool has_read = counters_.source_reads > reads;
  if (has_read && history_.setting.read_points && !owner_->second_look()) Count("reads that numbers prove");
  if (applied.ok() && owner_->second_look()) {
    Count("second looks");
    PassTo(clock_->WallMillis() + (*owner_->second_look() - clock_->MonotonicNow()).count());
    ShowAllBut(0);
    applied = owner_->RereadSource(batch);
  }
  faulty_.Heal();
  if (!applied.ok() && step.dies_at == 0) difference_ = "a batch fails: " + applied.ToString();
  return applied.ok();
}

void ModelLife::Settle(size_t from, size_t end, int64_t began) {
  bool is_new = false;
  const int64_t now = Elapse();
  for (size_t i = from; i < end; ++i) {
    if (told_.insert(log_[i].event).second) {
      const auto begun = begun_.find(log_[i].event);
      oracle_.Told(events_[log_[i].event], begun == begun_.end() ? began : begun->second, began);
      is_new = true;
    } else {
      Count("events told again");
    }
  }
  if (is_new && now > began) oracle_.Passes(began, now);
}

void ModelLife::Again(const ModelStep& step) {
  const size_t from = std::min(log_.size(), static_cast<size_t>(step.from));
  const size_t end = std::min(log_.size(), from + static_cast<size_t>(step.n));
  std::vector<Message> some(log_.begin() + static_cast<ptrdiff_t>(from), log_.begin() + static_cast<ptrdiff_t>(end));
  for (Message& message : some) message.appended = clock_->WallMillis();
  log_.insert(log_.end(), some.begin(), some.end());
  Count("pieces of the stream that are repeated");
}

void ModelLife::Convert() {
  owner_.reset();
  position_ = committed_;
  ShowAllBut(0);
  indexer::Conversion conversion(index_.get(), store_, &letters_, clock_);
  Must(conversion.Execute([] { return Status(); }));
  Elapse();
  converted_ = true;
  changed_ = true;
  Count("conversions");
}

void ModelLife::PassTo(int64_t time) {
  if (time <= clock_->WallMillis()) return;
  server_->PassTo(time);
  Elapse();
}

int64_t ModelLife::Elapse() {
  const int64_t now = clock_->WallMillis();
  if (now == elapsed_) return now;
  oracle_.Passes(std::exchange(elapsed_, now), now);
  changed_ = true;
  // A key may come to another row before the one that had it ends there, or the other way round.
  if (kind_.unique && !oracle_.Lawful(now)) unlawful_ = true;
  return now;
}

void ModelLife::ShowAllBut(size_t events) {
  for (; shown_ + events < events_.size(); ++shown_) {
    if (history_.setting.has_source) WriteCells(events_[shown_], "source", store_);
  }
}

void ModelLife::TellTheRest() {
  for (int tries = 0; difference_.empty() && (position_ < log_.size() || owner_ == nullptr) && tries < 3; ++tries) {
    Tell({.kind = ModelStep::kTell, .n = kAll});
    if (log_.empty()) return;
  }
}

/// At the end of each cell, a little before and after.
void ModelLife::WatchTheEnd() {
  if (history_.setting.index_ttl_s == 0) return;
  std::set<int64_t> moments;
  for (const auto& [row, cells] : source_.rows()) {
    for (const int64_t end : source_.EndsOf(row)) {
      moments.insert(end);
      moments.insert(end + 200);
    }
    for (const ChangeEvent& event : events_) {
      const int64_t ttl = int64_t{1000} * history_.setting.index_ttl_s;
      for (const Cell& cell : event.cells) moments.insert(cell.timestamp + ttl);
    }
  }
  constexpr size_t kMost = 400;
  size_t watched = 0;
  for (const int64_t moment : moments) {
    if (watched++ % (moments.size() / kMost + 1) > 0) continue;
    if (!difference_.empty() || unlawful_) return;
    PassTo(moment);
    Compare("at +" + std::to_string(moment - start_));
  }
}

void ModelLife::Compare(const std::string& when) {
  if (!changed_ || unlawful_ || !difference_.empty()) return;
  if (owner_ == nullptr && !(converted_ && position_ == log_.size())) return;
  if (position_ < log_.size()) return;
  changed_ = false;
  Count("comparisons");
  const std::vector<consumer::DeadLetter> letters = letters_.letters();
  if (!letters.empty()) {
    difference_ = "a dead letter: " + letters.front().reason;
    return;
  }
  const std::optional<IndexCells> shown = ShownAtRest();
  if (!shown) return Count("comparisons that are given up");
  difference_ = oracle_.Difference(*shown, elapsed_);
  if (difference_.empty()) return;
  difference_ += "\n  " + when + ", now +" + std::to_string(elapsed_ - start_) + "; the index shows:";
  for (const auto& [cell, value] : *shown) difference_ += "\n    " + cell + " = " + value;
  difference_ += "\n  its cells:";
  for (const std::string& table : TableNames()) {
    if (table == "source" || table == index_->state_table()) continue;
    const auto rows = store_->Scan(table, {.max_versions = 100, .raw = true});
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) {
        difference_ += "\n    " + table + " " + row.row + " " + std::string(CellTypeName(cell.type)) +
                       " f:" + cell.qualifier + " = " + cell.value + " at +" + std::to_string(cell.timestamp - start_);
      }
    }
  }
}

bool ModelLife::Stateless() const {
  if (!history_.setting.has_source) return false;
  return kind_.converted ? converted_ : kind_.stateless;
}

std::unique_ptr<indexer::IndexMaintainer> ModelLife::NewOwner() {
  indexer::MaintainerOptions context{
      index_.get(), &faulty_, &letters_, &counters_, history_.setting.has_source, size_t{1} << 20, size_t{1} << 12};
  context.clock = clock_;
  context.scheme = Stateless() ? mapping::Scheme::kStateless : mapping::Scheme::kState;
  const bool row_units = index_->state_scope() == mapping::StateScope::kRow;
  if (!Stateless() && row_units) context.layout = kind_.converted ? layout_ : indexer::StateLayout{.bucket_bits = 1};
  const bool fresh = fresh_ && !kind_.converted;
  fresh_ = false;
  return indexer::MakeIndexMaintainer(context, assignment_, fresh);
}

std::optional<IndexCells> ModelLife::ShownAtRest() {
  constexpr int kTries = 100;
  for (int tries = 0; tries < kTries; ++tries) {
    const int64_t before = Elapse();
    IndexCells shown = Shown();
    const int64_t after = Elapse();
    if (before == after || !oracle_.SomethingEnds(before, after)) return shown;
  }
  return std::nullopt;
}

std::vector<std::string> ModelLife::TableNames() {
  Result<std::vector<std::string>> names = store_->TableNames();
  Must(names.status());
  return std::move(*names);
}

IndexCells ModelLife::Shown() {
  IndexCells shown;
  for (const std::string& table : TableNames()) {
    if (table == "source" || table == index_->state_table()) continue;
    const auto rows = store_->Scan(table, {.max_rows = 1'000'000});
    Must(rows.status());
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) shown[table + " " + row.row + " f:" + cell.qualifier] = cell.value;
    }
  }
  return shown;
}

}  // namespace fensi::testing

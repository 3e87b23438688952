#include "tests/indexer/support/world.h"

#include <algorithm>
#include <stdexcept>

#include "base/bytes.h"
#include "indexer/make_index_maintainer.h"
#include "indexer/reread_schedule.h"
#include "indexer/tables.h"
#include "tests/doubles/pointed_store.h"

namespace fensi::testing {
namespace {

constexpr char kSourceRegion[] = "region";

}  // namespace

void Must(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

std::string Text(const Entries& entries) {
  std::string text;
  for (const auto& [cell, value] : entries) {
    text += "\n    " + Escape(cell.first) + " " + Escape(cell.second) + " = " + Escape(value);
  }
  return text.empty() ? "\n    (empty)" : text;
}

Entries EntriesOf(const std::vector<store::Row>& rows) {
  Entries entries;
  for (const store::Row& row : rows) {
    for (const Cell& cell : row.cells) entries[{row.row, cell.family + ":" + cell.qualifier}] = cell.value;
  }
  return entries;
}

std::string DifferenceOf(const Entries& wanted, const Entries& actual) {
  return wanted == actual ? "" : "\n  expected:" + Text(wanted) + "\n  found:" + Text(actual);
}

void WriteCells(const ChangeEvent& event, const std::string& table, store::Store* store) {
  for (const Cell& cell : event.cells) {
    const store::RowMutation mutation{event.row, {cell}};
    const bool put = cell.type == CellType::kPut;
    Must((put ? store->Put(table, {&mutation, 1}) : store->Delete(table, {&mutation, 1})).status());
  }
}

World::World(const Rule& rule, bool with_source, const std::string& options)
    : rule_(rule), index_(CompileRule(rule, options)), with_source_(with_source) {
  Result<std::unique_ptr<store::EmbeddedStore>> opened =
      store::EmbeddedStore::Open({.in_memory = true, .clock = &clock_});
  Must(opened.status());
  store_ = std::move(*opened);
  faulty_ = std::make_unique<store::FaultyStore>(store_.get());
  CreateTables();
}

void World::Reset() {
  for (const std::string& table : Tables()) Must(store_->DropTable(table));
  model_ = {};
  CreateTables();
  faulty_->Heal();
  faulty_->SetObserver({});
  not_shown_.clear();
  last_number_ = 0;
  read_points_ = catches_up_ = false;
  shown_late_ = 0;
  assignment_ = std::make_shared<FakeAssignment>();
  letters_ = std::make_unique<consumer::MemoryDeadLetters>();
  owned_views_.clear();
  clock_.Set(100);
}

std::unique_ptr<indexer::IndexMaintainer> World::NewMaintainer(bool fresh, store::Store* through,
                                                               std::shared_ptr<FakeAssignment> own) {
  if (own == nullptr) own = assignment_;
  if (through == nullptr) through = faulty_.get();
  if (read_points_) {
    owned_views_.push_back(
        std::make_unique<store::PointedStore>(through, "source", [this](const std::string&) { return PointNow(); }));
    through = owned_views_.back().get();
  }
  owned_views_.push_back(std::make_unique<store::FencedStoreView>(through, [own] { return own->Check(); }));
  indexer::MaintainerOptions context{
      index_.get(), owned_views_.back().get(), letters_.get(), &counters_, with_source_, cache_bytes_, size_t{1} << 12};
  context.clock = &clock_;
  context.changelog = changelog_;
  context.version = "1.2.3";
  if (tight_) {
    context.planned_bytes = 400;
    context.cache_bytes = std::min<size_t>(cache_bytes_, 600);
    context.read_bytes = 300;
  }
  const bool row_units = index_->state_scope() == mapping::StateScope::kRow;
  if (row_units && !mirrors()) context.layout = layout_;
  context.scheme = mirrors() ? mapping::Scheme::kStateless : mapping::Scheme::kState;
  auto maintainer = indexer::MakeIndexMaintainer(context, std::move(own), fresh);
  if (read_points_) {
    // An earlier owner may have received what is not shown yet.
    clock_.Advance(indexer::kVisibilityDelay);
    ShowSource();
  }
  return maintainer;
}

void World::TellReadPoints(bool catches_up) {
  read_points_ = true;
  catches_up_ = catches_up;
}

std::shared_ptr<const ReadPoint> World::PointNow() {
  const uint64_t number = not_shown_.empty() ? last_number_ : not_shown_.front().sequence_id - 1;
  if (!not_shown_.empty() && catches_up_) ShowAllBut(not_shown_.size() - 1);
  return std::make_shared<const ReadPoint>(ReadPoint{kSourceRegion, number});
}

consumer::Batch World::MakeBatch(std::span<const ChangeEvent> events, int64_t offset) const {
  consumer::Batch batch;
  batch.assignment = assignment_;
  for (const ChangeEvent& event : events) {
    batch.records.push_back({.offset = offset++, .event = event});
    if (read_points_) batch.records.back().event.region = kSourceRegion;
  }
  batch.next_offset = offset;
  return batch;
}

void World::ApplyToSource(const ChangeEvent& event) {
  model_.Apply(event.row, event.cells);
  if (!with_source_) return;
  last_number_ = event.sequence_id;
  not_shown_.push_back(event);
  ShowAllBut(shown_late_);
}

void World::ShowSourceLate(size_t events) {
  shown_late_ = events;
  ShowAllBut(events);
}

void World::ShowSource() { ShowAllBut(0); }

void World::ShowAllBut(size_t events) {
  for (; not_shown_.size() > events; not_shown_.pop_front()) WriteCells(not_shown_.front(), "source", store_.get());
}

Status World::RereadSource(indexer::IndexMaintainer* maintainer, const consumer::Batch& batch) {
  if (!maintainer->second_look()) return {};
  ShowSource();
  return maintainer->RereadSource(batch);
}

void World::Tell(const std::vector<ChangeEvent>& events) {
  for (const ChangeEvent& event : events) ApplyToSource(event);
  ShowSource();
  const auto owner = NewMaintainer(false);
  const consumer::Batch batch = MakeBatch(events);
  Must(owner->Apply(batch));
  Must(RereadSource(owner.get(), batch));
}

void World::CompactSource() {
  ShowSource();
  model_.MajorCompact();
  if (with_source_) Must(store_->MajorCompact("source"));
}

void World::CompactIndex(bool late) {
  const int64_t now = clock_.WallMillis();
  if (late) clock_.Set(now + int64_t{10} * 86'400'000);
  for (const std::string& table : IndexTables()) Must(store_->MajorCompact(table));
  Must(store_->MajorCompact(index_->state_table()));
  clock_.Set(now);
}

Entries World::Actual() const {
  Entries entries;
  for (const std::string& table : IndexTables()) {
    Result<std::vector<store::Row>> rows = store_->Scan(table, {.max_rows = 100'000});
    Must(rows.status());
    const std::string prefix = rule_.period_tables.empty() ? "" : table + "/";
    for (store::Row& row : *rows) row.row = prefix + row.row;
    entries.merge(EntriesOf(*rows));
  }
  return entries;
}

std::string World::Difference() const { return DifferenceOf(Wanted(), Actual()); }

std::vector<std::string> World::IndexTables() const {
  if (rule_.period_tables.empty()) return {index_->table()};
  std::vector<std::string> made;
  for (const std::string& table : rule_.period_tables) {
    const auto described = store_->DescribeTable(table);
    Must(described.status());
    if (described->has_value()) made.push_back(table);
  }
  return made;
}

std::vector<std::string> World::Tables() const {
  std::vector<std::string> tables = IndexTables();
  tables.push_back(index_->state_table());
  if (with_source_) tables.push_back("source");
  return tables;
}

std::optional<int32_t> World::SourceTtlSeconds() const {
  std::optional<int32_t> longest;
  for (const mapping::FamilySpec& family : index_->create().families) {
    if (!family.ttl_seconds) return std::nullopt;
    longest = std::max(longest.value_or(0), *family.ttl_seconds);
  }
  return longest;
}

void World::CreateTables() {
  const std::optional<int32_t> ttl = SourceTtlSeconds();
  model_.set_ttl(ttl ? int64_t{1000} * *ttl : INT64_MAX);
  model_.set_uncovers(!index_->expires_exactly());
  if (rule_.period_tables.empty()) {
    Must(store_->CreateTable(indexer::IndexTablePlan(*index_, index_->table()).table, {}));
  }
  Must(store_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
  if (!with_source_) return;
  const auto kept = index_->create().families.front().min_versions;
  Must(store_->CreateTable({"source", {{.name = "f", .max_versions = 100, .min_versions = kept, .ttl_seconds = ttl}}},
                           {}));
}

}  // namespace fensi::testing

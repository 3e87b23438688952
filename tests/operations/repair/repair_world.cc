#include "repair_world.h"

#include <algorithm>

#include "base/bytes.h"
#include "indexer/index_meta.h"
#include "indexer/tables.h"
#include "operations/access/newest_puts.h"
#include "sweep/scan/table_list.h"
#include "tests/doubles/fake_assignment.h"

namespace fensi::operations {

using sweep::Finding;
using sweep::MustBe;

FoundTargets::FoundTargets(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    if (finding.kind != Finding::Kind::kUnmappable) targets_.push_back({finding.source, finding.cell});
  }
}

Status FoundTargets::ForEach(const Use& use) {
  for (const Target& target : targets_) FENSI_RETURN_IF_ERROR(use(target));
  return Status();
}

RepairWorld::RepairWorld(std::shared_ptr<const mapping::Index> index) : index_(std::move(index)), tables_(index_) {
  MustBe(tables_.store()->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
  indexer::IndexMeta meta(index_.get(), tables_.store());
  MustBe(meta.Open());
  layout_ = meta.layout();
}

void RepairWorld::Change(const std::vector<ChangeEvent>& events) {
  consumer::Batch batch;
  batch.assignment = std::make_shared<FakeAssignment>();
  for (const ChangeEvent& event : events) {
    for (const Cell& cell : event.cells) {
      const store::RowMutation mutation{event.row, {cell}};
      const auto written = cell.type == CellType::kPut ? tables_.store()->Put(event.table, {&mutation, 1})
                                                       : tables_.store()->Delete(event.table, {&mutation, 1});
      MustBe(written.status());
    }
    consumer::Record record;
    record.offset = next_offset_++;
    record.event = event;
    record.event.sequence_id = static_cast<uint64_t>(next_offset_);
    batch.records.push_back(record);
  }
  batch.next_offset = next_offset_;
  indexer::MaintainerOptions context{index_.get(), tables_.store(), &letters_, &counters_, true};
  context.clock = tables_.clock();
  context.layout = layout_;
  indexer::StatefulMaintainer maintainer(context, batch.assignment, false);
  MustBe(maintainer.Apply(batch));
  if (const auto again = maintainer.second_look()) {
    tables_.clock()->Sleep(std::max(*again - tables_.clock()->MonotonicNow(), std::chrono::milliseconds(0)));
    MustBe(maintainer.RereadSource(batch));
  }
}

void RepairWorld::Put(const std::string& row, const std::string& column, const std::string& value, int64_t timestamp) {
  const ColumnName name = SplitColumn(column);
  ChangeEvent event{.table = index_->source_table(), .row = row};
  event.cells.push_back({.family = std::string(name.family),
                         .qualifier = std::string(name.qualifier),
                         .timestamp = timestamp,
                         .value = value});
  Change({event});
}

std::vector<std::string> RepairWorld::Verify(sweep::CompareOptions options) {
  options.judge.newest_put = NewestPuts(*index_, tables_.store());
  std::vector<std::string> texts = tables_.Compare(std::move(options));
  std::erase_if(texts, [](const std::string& text) { return text.starts_with("unmappable"); });
  findings_ = tables_.found().findings;
  return texts;
}

RepairOptions RepairWorld::options() {
  RepairOptions options;
  const auto known = indexer::IndexMeta(index_.get(), tables_.store()).Known();
  MustBe(known.status());
  options.incarnation = known->value().incarnation;
  options.judge.newest_put = NewestPuts(*index_, tables_.store());
  return options;
}

Outcome RepairWorld::Repair(TargetList* targets, bool execute) {
  Outcome outcome;
  RepairOptions asked = options();
  asked.tell = [&](const std::string& line) { outcome.told.push_back(line); };
  indexer::InProcessOwner owner(index_.get(), tables_.faulty(), &letters_, tables_.clock());
  if (execute) MustBe(owner.Open());
  LocalOwners owners(&owner);
  operations::Repair repair(index_.get(), tables_.faulty(), tables_.clock(), asked, targets,
                            execute ? &owners : nullptr);
  MustBe(repair.Ask());
  outcome.rows = repair.rows(), outcome.right = repair.right(), outcome.unknown = repair.unknown(),
  outcome.removed = repair.removed();
  if (!execute) return outcome;
  const Result<bool> done = repair.Await();
  MustBe(done.status());
  sweep::FindingList left;
  MustBe(repair.JudgeAgain(&left));
  outcome.left = left.Texts();
  outcome.source_reads = owner.counters().source_reads;
  return outcome;
}

std::vector<std::string> RepairWorld::Tables() {
  if (!index_->table_is_template()) return {index_->table()};
  const auto rows = tables_.store()->Scan(index_->source_table(), {.max_rows = 1'000'000});
  MustBe(rows.status());
  sweep::TableList tables(index_.get(), tables_.store());
  for (const store::Row& row : *rows) {
    mapping::EntryList entries;
    sweep::Derivation(index_.get()).DeriveAll(row, &entries);
    for (size_t i = 0; i < entries.size(); ++i) MustBe(tables.Note(entries[i].table));
  }
  const auto names = tables.Existing(tables_.clock()->WallMillis());
  MustBe(names.status());
  return *names;
}

std::set<std::string> RepairWorld::Content() {
  std::set<std::string> content;
  for (const std::string& table : Tables()) {
    const auto rows = tables_.store()->Scan(table, {.max_rows = 1'000'000});
    MustBe(rows.status());
    for (const store::Row& row : *rows) {
      for (const Cell& cell : row.cells) {
        content.insert(table + " " + Escape(row.row) + " " + ColumnText(cell.family, cell.qualifier) + " = " +
                       Escape(cell.value));
      }
    }
  }
  return content;
}

}  // namespace fensi::operations

#include "tests/indexer/support/real_world.h"

#include <unistd.h>

#include <cstdlib>
#include <stdexcept>

#include "indexer/tables.h"
#include "store/open_store.h"
#include "tests/indexer/support/history.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

std::string Line(const std::string& row, const std::string& qualifier, int64_t time, const std::string& value) {
  return "  " + row + " " + qualifier + "@" + std::to_string(time) + "=" + value + "\n";
}

}  // namespace

std::string FromEnvironment(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr) throw std::runtime_error(std::string(name) + " is not set: tests/run starts the servers");
  return value;
}

RealWorld::RealWorld(const Rule& rule, const std::string& prefix, uint64_t seed)
    : rule_(rule), random_(seed), index_(Compile(rule, prefix)), admin_(FromEnvironment("FENSI_TEST_ADMIN")) {
  auto opened = store::OpenStore("thrift://" + FromEnvironment("FENSI_TEST_HBASE"));
  Must(opened.status());
  store_ = std::move(*opened);
  Must(store_->CreateTable({Source(), {{.name = "f", .max_versions = 100}}}, {}));
  Must(store_->CreateTable(indexer::IndexTablePlan(*index_, index_->table()).table, {}));
  Must(store_->CreateTable(indexer::StateTablePlan(*index_, {}).table, {}));
}

RealWorld::~RealWorld() {
  for (const std::string& table : {Source(), index_->table(), index_->state_table()}) (void)store_->DropTable(table);
}

std::vector<ChangeEvent> RealWorld::Write(size_t events_per_history, size_t cells) {
  std::vector<ChangeEvent> stream;
  for (size_t i = 0; i < events_per_history; ++i) {
    for (int history = 0; history < kHistories; ++history) stream.push_back(NextEvent(history, cells));
  }
  for (const ChangeEvent& event : stream) WriteToSource(event);
  return stream;
}

void RealWorld::Compact() {
  for (const std::string& table : {Source(), index_->table(), index_->state_table()}) {
    Must(admin_.Run("flush " + table));
    Must(admin_.Run("compact " + table));
  }
  model_.MajorCompact();
}

std::string RealWorld::SourceDifference() {
  std::string wanted, found;
  for (const std::string& row : model_.Rows()) {
    for (const auto& [column, value] : model_.Visible(row))
      wanted += Line(row, column.second, value.timestamp, value.value);
  }
  for (const store::Row& row : ScanAll(Source())) {
    for (const Cell& cell : row.cells) found += Line(row.row, cell.qualifier, cell.timestamp, cell.value);
  }
  return wanted == found ? "" : "model:\n" + wanted + "HBase:\n" + found;
}

std::string RealWorld::IndexDifference() {
  return DifferenceOf(Expected(rule_, model_), EntriesOf(ScanAll(index_->table())));
}

std::shared_ptr<const mapping::Index> RealWorld::Compile(const Rule& rule, const std::string& prefix) {
  const std::string name = prefix + rule.name + std::to_string(getpid());
  return CompileText("source: source_" + name + "\nindexes:\n  inverse:\n    table: inverse_" + name +
                     "\n    state_table: state_" + name + "\n" + rule.index);
}

ChangeEvent RealWorld::NextEvent(int history, size_t most_cells) {
  EventSpec spec{.row = static_cast<int>(random_() % 2)};
  const size_t cells = 1 + random_() % most_cells;
  for (size_t i = 0; i < cells; ++i) {
    static constexpr int kKinds[] = {9, 9, 9, 9, 9, 9, 0, 1, 2, 3};
    spec.cells.push_back({kKinds[random_() % 10], static_cast<int>(random_() % 3), static_cast<int>(1 + random_() % 9),
                          static_cast<int>(random_() % 3)});
  }
  ChangeEvent event = MakeEvent(spec, ++sequence_);
  event.table = Source();
  event.row = "h" + std::to_string(history) + "-" + event.row;
  return event;
}

void RealWorld::WriteToSource(const ChangeEvent& event) {
  model_.Apply(event.row, event.cells);
  WriteCells(event, Source(), store_.get());
}

std::vector<store::Row> RealWorld::ScanAll(const std::string& table) {
  auto rows = store_->Scan(table, {.max_rows = 100'000});
  Must(rows.status());
  return std::move(*rows);
}

}  // namespace fensi::testing

#include "support/sweep_world.h"

#include <algorithm>
#include <set>
#include <stdexcept>

#include "base/bytes.h"
#include "store/open_store.h"
#include "tests/mapping/mapping_testing.h"

namespace fensi::sweep {
namespace {

store::RowMutation MutationOf(const std::string& row, std::string_view family, std::string_view qualifier,
                              int64_t timestamp, CellType type, std::string_view value = "") {
  Cell cell;
  cell.family = family;
  cell.qualifier = qualifier;
  cell.timestamp = timestamp;
  cell.type = type;
  cell.value = value;
  return {row, {cell}};
}

void CreateTable(store::Store* store, const std::string& name, const std::set<std::string>& families) {
  store::TableDescriptor table{name, {}};
  for (const std::string& family : families) table.families.push_back({.name = family, .max_versions = 5});
  const Status status = store->CreateTable(table, {});
  if (status.code() != StatusCode::kAlreadyExists) MustBe(status);
}

}  // namespace

void MustBe(const Status& status) {
  if (!status.ok()) throw std::runtime_error(status.ToString());
}

std::vector<std::string> FindingList::Texts() const {
  std::vector<std::string> texts;
  for (const Finding& finding : findings) {
    std::string text = KindName(finding.kind);
    if (!finding.source.row.empty()) text += " " + Escape(finding.source.row);
    if (!finding.cell.row.empty()) {
      text += " -> " + finding.cell.table + " " + Escape(finding.cell.row) + " " +
              ColumnText(finding.cell.family, finding.cell.qualifier);
    }
    texts.push_back(text);
  }
  std::sort(texts.begin(), texts.end());
  return texts;
}

SweepWorld::SweepWorld(std::shared_ptr<const mapping::Index> index) : index_(std::move(index)) {
  auto store = store::OpenMemoryStore(&clock_);
  MustBe(store.status());
  store_ = std::move(*store);
  faulty_ = std::make_unique<store::FaultyStore>(store_.get());
  std::set<std::string> families = {"f", "g", "fa"};
  for (const mapping::Watch& watch : index_->watches()) families.insert(watch.family);
  CreateTable(store_.get(), index_->source_table(), families);
  if (!index_->table_is_template()) MakeTable(index_->table());
}

void SweepWorld::MakeTable(const std::string& table) {
  std::set<std::string> families;
  for (const mapping::FamilySpec& family : index_->create().families) families.insert(family.name);
  CreateTable(store_.get(), table, families);
}

void SweepWorld::PutSource(const std::string& row, const std::string& column, const std::string& value,
                           int64_t timestamp) {
  const ColumnName name = SplitColumn(column);
  const auto put = MutationOf(row, name.family, name.qualifier, timestamp, CellType::kPut, value);
  MustBe(store_->Put(index_->source_table(), std::span(&put, 1)).status());
}

void SweepWorld::DeleteSource(const std::string& row, const std::string& column, int64_t timestamp) {
  const ColumnName name = SplitColumn(column);
  const auto marker = MutationOf(row, name.family, name.qualifier, timestamp, CellType::kDelete);
  MustBe(store_->Delete(index_->source_table(), std::span(&marker, 1)).status());
}

void SweepWorld::Index(const std::string& row, int64_t version) {
  store::GetRequest request;
  request.row = row;
  const auto rows = store_->Get(index_->source_table(), std::span(&request, 1));
  MustBe(rows.status());
  mapping::EntryList entries;
  Derivation(index_.get()).DeriveAll(rows->front(), &entries);
  for (size_t i = 0; i < entries.size(); ++i) {
    MakeTable(std::string(entries[i].table));
    PutCell(entries[i], version);
  }
}

void SweepWorld::PutCell(const mapping::Entry& cell, int64_t version) {
  const auto put = MutationOf(std::string(cell.row), cell.family, cell.qualifier, version, CellType::kPut, cell.value);
  MustBe(store_->Put(std::string(cell.table), std::span(&put, 1)).status());
}

void SweepWorld::RemoveCell(const mapping::Entry& cell, int64_t version) {
  const auto marker = MutationOf(std::string(cell.row), cell.family, cell.qualifier, version, CellType::kDeleteColumn);
  MustBe(store_->Delete(std::string(cell.table), std::span(&marker, 1)).status());
}

std::vector<std::string> SweepWorld::Compare(CompareOptions options) {
  found_ = std::make_unique<FindingList>();
  comparison_ = std::make_unique<Comparison>(index_.get(), faulty_.get(), &clock_, std::move(options), found_.get());
  const Status status = comparison_->Run();
  std::vector<std::string> texts = found_->Texts();
  if (!status.ok()) texts.push_back("! " + status.message());
  return texts;
}

std::shared_ptr<const mapping::Index> FollowIndex() {
  return mapping::LoadIndex({"row: '{f1:from}'", "columns: { 'f1:{row}': '{f1:from@ts | decimal}' }"});
}

std::shared_ptr<const mapping::Index> LoadFile(const std::string& text) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load({{"test.yaml", text}}, &diagnostics, mapping::TestEnvironment());
  if (mappings.empty()) throw std::runtime_error(diagnostics.Text());
  return mappings[0].indexes[0];
}

mapping::Entry Follower(const std::string& b, const std::string& a, const std::string& value) {
  static thread_local std::vector<std::unique_ptr<std::string>> kept;
  const auto keep = [](const std::string& text) -> std::string_view {
    kept.push_back(std::make_unique<std::string>(text));
    return *kept.back();
  };
  return {"x_table", keep(b), "f1", keep(a), keep(value)};
}

}  // namespace fensi::sweep

#include "tests/store/contract/store_contract.h"

#include <unistd.h>

#include <cstdlib>

#include "base/bytes.h"
#include "base/clock.h"
#include "store/check.h"

namespace fensi::store {

std::unique_ptr<StoreUnderTest> StoreContract::under_test_;

std::string CellText(const Cell& cell) {
  const std::string place = ColumnText(cell.family, cell.qualifier) + "@" + std::to_string(cell.timestamp);
  if (cell.type != CellType::kPut) return place + " " + std::string(CellTypeName(cell.type));
  return place + "=" + Escape(cell.value);
}

std::string RowText(const Row& row) {
  std::string text;
  for (const Cell& cell : row.cells) text += (text.empty() ? "" : ", ") + CellText(cell);
  return text;
}

Cell PutCell(const std::string& column, int64_t timestamp, const std::string& value) {
  const ColumnName name = SplitColumn(column);
  return {std::string(name.family), std::string(name.qualifier), timestamp, CellType::kPut, value, {}};
}

Cell Marker(CellType type, const std::string& column, int64_t timestamp) {
  const ColumnName name = SplitColumn(column);
  return {std::string(name.family), std::string(name.qualifier), timestamp, type, "", {}};
}

Cell Expiring(Cell cell, int64_t ttl_millis) {
  std::string bytes;
  AppendBigEndian64(ttl_millis, &bytes);
  cell.tags.push_back({kTtlTag, bytes});
  return cell;
}

void StoreContract::SetUpTestSuite() {
  Result<std::unique_ptr<StoreUnderTest>> made = MakeStoreUnderTest();
  ASSERT_TRUE(made.ok()) << made.status().ToString();
  under_test_ = std::move(*made);
}

void StoreContract::TearDownTestSuite() { under_test_.reset(); }

void StoreContract::TearDown() {
  for (const std::string& table : tables_) static_cast<void>(under_test_->store()->DropTable(table));
}

std::string StoreContract::NewName() {
  static int count = 0;
  tables_.push_back("contract_" + std::to_string(SystemClock()->WallMillis()) + "_" + std::to_string(getpid()) + "_" +
                    std::to_string(++count));
  return tables_.back();
}

std::string StoreContract::NewTable() { return NewTable({{.name = "f"}, {.name = "g", .max_versions = 3}}); }

std::string StoreContract::NewTable(std::vector<FamilyDescriptor> families,
                                    const std::vector<std::string>& split_keys) {
  const std::string name = NewName();
  const Status created = store().CreateTable({name, std::move(families)}, split_keys);
  EXPECT_TRUE(created.ok()) << created.ToString();
  return name;
}

std::string StoreContract::NewTableWith(const std::string& row, const std::vector<Cell>& puts,
                                        const std::vector<Cell>& deletes) {
  std::string table = NewTable();
  Put(table, row, puts);
  if (!deletes.empty()) Delete(table, row, deletes);
  return table;
}

void StoreContract::Put(const std::string& table, const std::string& row, const std::vector<Cell>& cells) {
  const std::vector<RowMutation> rows = {{row, cells}};
  const auto rejected = store().Put(table, rows);
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  for (const RejectedRow& bad : *rejected) ADD_FAILURE() << bad.reason.ToString();
}

void StoreContract::Delete(const std::string& table, const std::string& row, const std::vector<Cell>& cells) {
  const std::vector<RowMutation> rows = {{row, cells}};
  const auto rejected = store().Delete(table, rows);
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  for (const RejectedRow& bad : *rejected) ADD_FAILURE() << bad.reason.ToString();
}

std::string StoreContract::Visible(const std::string& table, const std::string& row) {
  return Get(table, {.row = row, .max_versions = 100});
}

std::string StoreContract::Raw(const std::string& table, const std::string& row) {
  return Get(table, {.row = row, .max_versions = 100, .raw = true});
}

std::string StoreContract::Get(const std::string& table, const GetRequest& request) {
  const auto rows = store().Get(table, std::span(&request, 1));
  if (!rows.ok()) return rows.status().ToString();
  return rows->size() == 1 && rows->front().row == request.row ? RowText(rows->front()) : "an answer of another row";
}

std::string StoreContract::Scan(const std::string& table, const ScanRequest& request) {
  const auto rows = store().Scan(table, request);
  if (!rows.ok()) return rows.status().ToString();
  std::string text;
  for (const Row& row : *rows) text += Escape(row.row) + ": " + RowText(row) + "\n";
  return text;
}

}  // namespace fensi::store

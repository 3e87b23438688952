// The contract of Store as tests: the same sources are linked with each implementation (MakeStoreUnderTest).
//
// Cells are read as text, so that a test shows what a person would see: "f:q@20=v" is a put, "f:q@20 delete_column" a
// marker (whole rows: joined by ", "). Every test has tables of its own.
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "store/store.h"

namespace fensi::store {

/// One implementation, and what is needed to drive it through the states that change its answers.
class StoreUnderTest {
 public:
  virtual ~StoreUnderTest() = default;
  virtual Store* store() = 0;
  /// Memory to disk; nothing where there is no such thing.
  virtual Status Flush(const std::string& table) = 0;
  virtual Status MajorCompact(const std::string& table) = 0;
};

/// Defined once per test program.
Result<std::unique_ptr<StoreUnderTest>> MakeStoreUnderTest();

std::string CellText(const Cell& cell);
std::string RowText(const Row& row);

Cell PutCell(const std::string& column, int64_t timestamp, const std::string& value);
Cell Marker(CellType type, const std::string& column, int64_t timestamp);
/// The put with a TTL tag.
Cell Expiring(Cell cell, int64_t ttl_millis);

class StoreContract : public ::testing::Test {
 protected:
  static void SetUpTestSuite();
  static void TearDownTestSuite();
  void TearDown() override;

  Store& store() { return *under_test_->store(); }
  StoreUnderTest& under_test() { return *under_test_; }

  /// A name that no other test uses; the table is dropped at the end of the test.
  std::string NewName();
  /// A table with the families f (VERSIONS 1) and g (VERSIONS 3).
  std::string NewTable();
  std::string NewTable(std::vector<FamilyDescriptor> families, const std::vector<std::string>& split_keys = {});

  /// The same, with a row that was put and of which some was deleted after that.
  std::string NewTableWith(const std::string& row, const std::vector<Cell>& puts,
                           const std::vector<Cell>& deletes = {});

  void Put(const std::string& table, const std::string& row, const std::vector<Cell>& cells);
  void Delete(const std::string& table, const std::string& row, const std::vector<Cell>& cells);

  /// Many versions of every column of the row, as far as the families keep them.
  std::string Visible(const std::string& table, const std::string& row);
  std::string Raw(const std::string& table, const std::string& row);
  std::string Get(const std::string& table, const GetRequest& request);
  /// Rows as "row: cells" in one line each.
  std::string Scan(const std::string& table, const ScanRequest& request);

 private:
  static std::unique_ptr<StoreUnderTest> under_test_;
  std::vector<std::string> tables_;
};

}  // namespace fensi::store

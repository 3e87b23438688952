// How the embedded store's database is set up: what its memory does not grow with, and that nothing is missed by it.
#include "store/embedded/open_database.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>

#include "store/embedded/embedded_store.h"
#include "store/embedded/key_codec.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

namespace fs = std::filesystem;

std::string RowNumber(int number) {
  std::string digits = std::to_string(number);
  return "row" + std::string(8 - digits.size(), '0') + digits;
}

class OpenDatabaseTest : public ::testing::Test {
 protected:
  OpenDatabaseTest() : directory_(fs::path(::testing::TempDir()) / ("database_" + std::to_string(getpid()))) {
    fs::remove_all(directory_);
  }
  ~OpenDatabaseTest() override { fs::remove_all(directory_); }

  const std::string directory_;
};

TEST_F(OpenDatabaseTest, MemoryOfFiltersAndIndexesOfBlocksDoesNotGrowWithTheRows) {
  constexpr int kRows = 200'000;
  constexpr uint64_t kMostBytes = 100'000;  // the filters alone are 250,000
  const auto opened = OpenDatabase({.directory = directory_}, nullptr);
  ASSERT_TRUE(opened.ok()) << opened.status().ToString();
  rocksdb::DB* database = (*opened)->rocks();
  rocksdb::WriteBatch batch;
  for (int i = 0; i < kRows; ++i) {
    std::string key = RowPrefix(TablePrefix(1), RowNumber(i));
    AppendCoordinates(PutCell("f:q", 1, ""), &key);
    batch.Put(key, "v");
  }
  ASSERT_TRUE(database->Write({}, &batch).ok());
  ASSERT_TRUE(database->Flush({}).ok());
  uint64_t bytes = 0;
  ASSERT_TRUE(database->GetIntProperty(rocksdb::DB::Properties::kEstimateTableReadersMem, &bytes));
  EXPECT_LT(bytes, kMostBytes);
}

TEST_F(OpenDatabaseTest, EachRowIsFoundAndNoOtherWhereFiltersAndIndexesAreInPieces) {
  constexpr int kRows = 50'000;
  const auto open = [&] { return std::move(EmbeddedStore::Open({.directory = directory_}).value()); };
  std::vector<RowMutation> rows;
  std::vector<GetRequest> requests;
  for (int i = 0; i < kRows; ++i) {
    rows.push_back({RowNumber(i * 2), {PutCell("f:q", 1, std::to_string(i))}});
    requests.push_back({.row = RowNumber(i * 2)});
    requests.push_back({.row = RowNumber(i * 2 + 1)});
  }
  {
    const auto store = open();
    ASSERT_TRUE(store->CreateTable({"t", {{.name = "f"}}}, {}).ok());
    ASSERT_TRUE(store->Put("t", rows).ok());
  }
  const auto answers = open()->Get("t", requests);  // from a file: a store that is opened again keeps none in memory
  ASSERT_TRUE(answers.ok()) << answers.status().ToString();
  for (int i = 0; i < kRows; ++i) {
    ASSERT_EQ(RowText((*answers)[i * 2]), "f:q@1=" + std::to_string(i)) << RowNumber(i * 2);
    ASSERT_EQ(RowText((*answers)[i * 2 + 1]), "") << RowNumber(i * 2 + 1);
  }
}

}  // namespace
}  // namespace fensi::store

// The examples' own tests on a real HBase (FENSI_TEST_HBASE): every cell of every index is what the embedded store has.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <future>

#include "mapping/environment.h"
#include "operations/access/row_pages.h"
#include "operations/mappings/environment.h"
#include "operations/mappings/mapping_files.h"
#include "operations/trial/trial.h"
#include "store/open_store.h"
#include "tests/operations/support/shared_tables.h"

namespace fensi::cli {
namespace {

using mapping::Mapping;
using mapping::TestCase;

std::vector<std::filesystem::path> Examples() {
  const char* root = std::getenv("FENSI_ROOT");
  std::vector<std::filesystem::path> paths;
  for (const auto& file :
       std::filesystem::directory_iterator(std::string(root != nullptr ? root : ".") + "/deploy/examples")) {
    if (file.path().extension() == ".yaml") paths.push_back(file.path());
  }
  std::sort(paths.begin(), paths.end());
  return paths;
}

/// What an index holds after a case: "table row family:qualifier@timestamp=value", and why events were refused.
struct Outcome {
  std::vector<std::string> cells;
  std::vector<std::string> letters;
};

class Tables final : public operations::TrialObserver {
 public:
  explicit Tables(const mapping::Index& index) : index_(index) {
    if (!index.table_is_template()) names_.insert(index.table());
  }
  void Written(const std::string& table, const store::RowMutation&) override {
    if (table != index_.state_table()) names_.insert(table);
  }
  void Refused(const consumer::DeadLetter& letter) override { letters_.push_back(letter.reason); }

  const std::set<std::string>& names() const { return names_; }
  const std::vector<std::string>& letters() const { return letters_; }

 private:
  const mapping::Index& index_;
  std::set<std::string> names_;
  std::vector<std::string> letters_;
};

Result<Outcome> OutcomeOf(const mapping::Index& index, const TestCase& test, operations::Trial* trial) {
  Tables tables(index);
  FENSI_RETURN_IF_ERROR(trial->Apply(test.given, &tables));
  Outcome outcome{{}, tables.letters()};
  for (const std::string& table : tables.names()) {
    const auto add = [&](const store::Row& row) {
      for (const Cell& cell : row.cells) {
        outcome.cells.push_back(table + " " + Escape(row.row) + " " + ColumnText(cell.family, cell.qualifier) + "@" +
                                std::to_string(cell.timestamp) + "=" + Escape(cell.value));
      }
    };
    FENSI_RETURN_IF_ERROR(operations::ForEachRow(trial->store(), table, operations::PrefixScan(""), 0, add).status());
  }
  return outcome;
}

class RealExamples : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    const char* gateway = std::getenv("FENSI_TEST_HBASE");
    ASSERT_NE(gateway, nullptr) << "FENSI_TEST_HBASE is not set: tests/run starts the servers and sets it";
    auto opened = store::OpenStore("thrift://" + std::string(gateway));
    ASSERT_TRUE(opened.ok()) << opened.status().ToString();
    hbase_ = opened->release();
  }
  static void TearDownTestSuite() {
    std::vector<std::future<Status>> drops;  // they wait for each other's connections, and for HBase together
    for (const std::string& table : made_) {
      drops.push_back(std::async(std::launch::async, [&table] { return hbase_->DropTable(table); }));
    }
    for (std::future<Status>& drop : drops) EXPECT_TRUE(drop.get().ok());
    delete hbase_;
  }

  static Result<Outcome> OnHBase(const std::shared_ptr<const mapping::Index>& index, const TestCase& test) {
    static int runs = 0;
    auto view = std::make_unique<operations::SharedTables>(hbase_, &made_, "examples" + std::to_string(getpid()) + "_",
                                                           std::to_string(++runs));
    const Result<std::unique_ptr<operations::Trial>> trial = operations::Trial::StartIn(std::move(view), index);
    if (!trial.ok()) return trial.status();
    return OutcomeOf(*index, test, trial->get());
  }

  static Result<Outcome> Embedded(const std::shared_ptr<const mapping::Index>& index, const TestCase& test) {
    const Result<std::unique_ptr<operations::Trial>> trial = operations::Trial::Start(index);
    if (!trial.ok()) return trial.status();
    return OutcomeOf(*index, test, trial->get());
  }

  static void Compare(const Mapping& mapping) {
    for (const TestCase& test : mapping.tests) {
      for (const auto& index : mapping.indexes) {
        SCOPED_TRACE(mapping.path + ": " + test.name + ", index " + index->name());
        const Result<Outcome> wanted = Embedded(index, test);
        const Result<Outcome> found = OnHBase(index, test);
        ASSERT_TRUE(wanted.ok()) << wanted.status().ToString();
        ASSERT_TRUE(found.ok()) << found.status().ToString();
        EXPECT_EQ(found->cells, wanted->cells);
        EXPECT_EQ(found->letters, wanted->letters);
        cells_ += found->cells.size();
      }
    }
  }

  static store::Store* hbase_;
  static operations::MadeTables made_;
  static size_t cells_;
};

store::Store* RealExamples::hbase_ = nullptr;
operations::MadeTables RealExamples::made_;
size_t RealExamples::cells_ = 0;

TEST_F(RealExamples, GiveTheSameCellsOnHBaseAsOnTheEmbeddedStore) {
  const auto paths = Examples();
  ASSERT_GE(paths.size(), 25u);
  for (const std::filesystem::path& path : paths) {
    const Result<std::vector<Mapping>> mappings = operations::LoadMappings({path}, mapping::kDefaultMetaTable);
    ASSERT_TRUE(mappings.ok()) << mappings.status().ToString();
    ASSERT_NO_FATAL_FAILURE(Compare(mappings->front()));
  }
  EXPECT_GT(cells_, 100u);
}

}  // namespace
}  // namespace fensi::cli

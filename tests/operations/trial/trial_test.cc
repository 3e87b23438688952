// Events tried out one after another.
#include "operations/trial/trial.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <set>
#include <string>
#include <vector>

#include "mapping/mapping.h"

namespace fensi::operations {
namespace {

constexpr char kMapping[] = R"(source: guanzhu
indexes:
  by-from:
    table: by_from
    row: '{f1:from | terminated}{row}'
    columns: { 'i:': '' }
)";

class Listener final : public TrialObserver {
 public:
  void Written(const std::string& table, const store::RowMutation& mutation) override {
    threads.insert(gettid());
    if (table == "by_from") rows.push_back(mutation.row);
  }
  void Refused(const consumer::DeadLetter&) override {}

  std::set<pid_t> threads;
  std::vector<std::string> rows;
};

ChangeEvent PutOf(const std::string& row, int64_t timestamp, const std::string& value) {
  ChangeEvent event{.table = "guanzhu", .row = row};
  event.cells.push_back({.family = "f1", .qualifier = "from", .timestamp = timestamp, .value = value});
  return event;
}

std::unique_ptr<Trial> Begun() {
  mapping::Diagnostics diagnostics;
  const std::vector<mapping::Mapping> loaded = mapping::Load({{"m.yaml", kMapping}}, &diagnostics);
  EXPECT_EQ(diagnostics.Text(), "");
  Result<std::unique_ptr<Trial>> trial = Trial::Start(loaded.at(0).indexes.at(0));
  EXPECT_TRUE(trial.ok()) << trial.status().message();
  return std::move(*trial);
}

TEST(Trial, AnEventMeetsWhatThoseBeforeItLeftAndEachListenerHearsOfItsOwn) {
  const std::unique_ptr<Trial> trial = Begun();
  Listener first, second;
  ASSERT_TRUE(trial->Apply({PutOf("r", 1, "a"), PutOf("s", 1, "a")}, &first).ok());
  ASSERT_TRUE(trial->Apply({}, &second).ok());
  EXPECT_EQ(second.rows, std::vector<std::string>());
  ASSERT_TRUE(trial->Apply({PutOf("r", 2, "b")}, nullptr).ok());
  ASSERT_TRUE(trial->Apply({PutOf("s", 2, "b")}, &second).ok());
  EXPECT_EQ(first.rows.size(), 2u);
  EXPECT_EQ(std::set<std::string>(second.rows.begin(), second.rows.end()),
            (std::set<std::string>{std::string("a\0\0s", 4), std::string("b\0\0s", 4)}));
}

/// A run for each event made the next one dearer: new threads write keys of equal heights into RocksDB's list.
TEST(Trial, OneThreadWritesForAllEvents) {
  const std::unique_ptr<Trial> trial = Begun();
  Listener listener;
  ASSERT_TRUE(trial->Apply({PutOf("r0", 1, "a")}, nullptr).ok());
  for (int i = 1; i < 10; ++i) ASSERT_TRUE(trial->Apply({PutOf("r" + std::to_string(i), 1, "a")}, &listener).ok());
  EXPECT_EQ(listener.threads.size(), 1u);
}

}  // namespace
}  // namespace fensi::operations

// What only the embedded store promises: a directory that survives, readers beside a writer, expiry by its clock.
#include "store/embedded/embedded_store.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <thread>

#include "tests/doubles/fake_clock.h"
#include "tests/store/contract/store_contract.h"
#include "tests/store/embedded_directory.h"

namespace fensi::store {
namespace {

namespace fs = std::filesystem;

constexpr size_t kLargeValueBytes = 50'000;

TEST_F(EmbeddedStoreTest, KeepsTablesAndCellsWhenItIsOpenedAgain) {
  ASSERT_TRUE(Open()->CreateTable({"t", {{.name = "f", .ttl_seconds = 100}}}, {std::string("\0\xff", 2)}).ok());
  Put(*Open(), "r", PutCell("f:q", clock_.WallMillis(), "v"));
  const auto store = Open();
  EXPECT_EQ(Read(*store, "r"), "f:q@1000000=v");
  EXPECT_EQ((*store->DescribeTable("t"))->families.front().ttl_seconds, 100);
  EXPECT_EQ(store->RegionStarts("t")->back(), std::string("\0\xff", 2));
}

using EmbeddedStoreDeathTest = EmbeddedStoreTest;

TEST_F(EmbeddedStoreDeathTest, LosesNothingAcknowledgedWhenTheProcessIsKilled) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  const auto write_and_die = [&] {
    const auto store = Open();
    if (!store->CreateTable({"t", {{.name = "f"}}}, {}).ok()) _exit(1);
    for (int i = 0; i < 500; ++i) Put(*store, std::to_string(i), PutCell("f:q", 1, "v"));
    kill(getpid(), SIGKILL);
  };
  EXPECT_EXIT(write_and_die(), ::testing::KilledBySignal(SIGKILL), "");
  EXPECT_EQ(Open()->Scan("t", {})->size(), 500U);
}

/// Without the text of the cell, whose letters a sanitizer would look at one by one.
bool HasLargeCell(EmbeddedStore& store, const std::string& row) {
  const GetRequest request{.row = row};
  const auto rows = store.Get("t", std::span(&request, 1));
  return rows.ok() && rows->front().cells.size() == 1 && rows->front().cells.front().value.size() == kLargeValueBytes;
}

TEST_F(EmbeddedStoreTest, IsReadBesideAWriterThatFlushesWithAllThatWasAcknowledgedBefore) {
  const auto writer = Open();
  ASSERT_TRUE(writer->CreateTable({"t", {{.name = "f"}}}, {}).ok());
  std::atomic<int> acknowledged = -1, openings = 0;
  std::atomic<bool> written = false;
  std::thread writing([&] {
    for (int i = 0; i < 3'000 || (openings < 4 && i < 30'000); ++i) {  // however slow the machine opens it
      Put(*writer, std::to_string(i), PutCell("f:q", 1, std::string(kLargeValueBytes, 'v')));
      acknowledged = i;
    }
    written = true;
  });
  for (; !written; ++openings) {
    const int before = acknowledged;
    const auto reader = Open(/*read_only=*/true);
    if (reader == nullptr) break;
    for (int i = std::max(0, before - 700); i <= before; ++i)
      EXPECT_TRUE(HasLargeCell(*reader, std::to_string(i))) << i;
  }
  writing.join();
  EXPECT_GE(openings, 4);
}

TEST_F(EmbeddedStoreTest, IsReadBesideAWriter) {
  const auto writer = Open();
  ASSERT_TRUE(writer->CreateTable({"t", {{.name = "f"}}}, {}).ok());
  Put(*writer, "r", PutCell("f:q", 1, "v"));
  const auto reader = Open(/*read_only=*/true);
  EXPECT_EQ(Read(*reader, "r"), "f:q@1=v");
  const RowMutation mutation{"r", {PutCell("f:q", 2, "w")}};
  EXPECT_EQ(reader->Put("t", std::span(&mutation, 1)).status().code(), StatusCode::kPermission);
}

TEST_F(EmbeddedStoreTest, HasOneWriterAtATime) {
  const auto writer = Open();
  const auto second = EmbeddedStore::Open({.directory = directory_});
  EXPECT_EQ(second.status().code(), StatusCode::kUnavailable);
  EXPECT_NE(second.status().message().find("another process"), std::string::npos) << second.status().message();
}

TEST_F(EmbeddedStoreTest, SaysNothingOfAnotherProcessWhenItsLockIsBrokenOtherwise) {
  directory_ += " lock";
  fs::create_directories(directory_ + "/LOCK");  // no file
  const auto store = EmbeddedStore::Open({.directory = directory_});
  EXPECT_FALSE(store.ok());
  EXPECT_EQ(store.status().message().find("another process"), std::string::npos) << store.status().message();
}

/// Files may not grow beyond so many bytes: the write that would do it fails.
void LimitFiles(rlim_t bytes) {
  const rlimit limit{bytes, RLIM_INFINITY};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &limit), 0);
  signal(SIGXFSZ, SIG_IGN);
}

TEST_F(EmbeddedStoreTest, WritesNothingAfterAFailedWriteAndKeepsWhatItAcknowledged) {
#ifdef FENSI_SANITIZED_THREADS
  GTEST_SKIP() << "the thread sanitizer follows no fork of a process with threads";
#endif
  const std::string count = directory_ + ".count";
  const auto fill_the_disk = [&] {
    const auto store = Open();
    if (!store->CreateTable({"t", {{.name = "f"}}}, {}).ok()) _exit(1);
    LimitFiles(300'000);
    const auto put = [&](int i) {
      const RowMutation mutation{std::to_string(i), {PutCell("f:q", 1, std::string(1000, 'v'))}};
      return store->Put("t", std::span(&mutation, 1)).status();
    };
    int acknowledged = 0;
    while (put(acknowledged).ok()) ++acknowledged;
    LimitFiles(RLIM_INFINITY);
    std::ofstream(count) << acknowledged;
    _exit(put(acknowledged).code() == StatusCode::kInternal ? 0 : 2);
  };
  EXPECT_EXIT(fill_the_disk(), ::testing::ExitedWithCode(0), "");
  size_t acknowledged = 0;
  std::ifstream(count) >> acknowledged;
  fs::remove(count);
  ASSERT_GT(acknowledged, 100U);
  EXPECT_EQ(Open()->Scan("t", {.max_rows = 10'000})->size(), acknowledged);
}

TEST_F(EmbeddedStoreTest, ThatIsAbsentIsNotMadeWhereOneMustExist) {
  const auto writer = EmbeddedStore::Open({.directory = directory_, .existing = true});
  EXPECT_EQ(writer.status().code(), StatusCode::kNotFound);
  EXPECT_FALSE(fs::exists(directory_));
  Open();
  EXPECT_TRUE(EmbeddedStore::Open({.directory = directory_, .existing = true}).ok());
}

TEST_F(EmbeddedStoreTest, ThatIsAbsentIsNotMadeByAReader) {
  const auto reader = EmbeddedStore::Open({.directory = directory_, .read_only = true});
  EXPECT_EQ(reader.status().code(), StatusCode::kNotFound);
  EXPECT_NE(reader.status().message().find(directory_), std::string::npos);
  EXPECT_FALSE(fs::exists(directory_));
}

TEST_F(EmbeddedStoreTest, ExpiresCellsByItsClock) {
  const auto store = Open();
  ASSERT_TRUE(store->CreateTable({"t", {{.name = "f", .ttl_seconds = 10}}}, {}).ok());
  Put(*store, "family", PutCell("f:q", clock_.WallMillis(), "v"));
  Put(*store, "own", Expiring(PutCell("f:q", clock_.WallMillis(), "v"), 5'000));
  clock_.Advance(std::chrono::milliseconds(5'001));
  EXPECT_EQ(Read(*store, "own"), "");
  EXPECT_EQ(Read(*store, "family"), "f:q@1000000=v");
  clock_.Advance(std::chrono::milliseconds(5'000));
  EXPECT_EQ(Read(*store, "family"), "");
}

TEST_F(EmbeddedStoreTest, KeepsYoungMarkersInAMajorCompaction) {
  const auto store = Open();
  FamilyDescriptor family{.name = "f"};
  family.configuration["hbase.hstore.time.to.purge.deletes"] = "1000";
  ASSERT_TRUE(store->CreateTable({"t", {family}}, {}).ok());
  const RowMutation marker{"r", {Marker(CellType::kDeleteColumn, "f:q", clock_.WallMillis())}};
  ASSERT_TRUE(store->Delete("t", std::span(&marker, 1)).ok());
  clock_.Advance(std::chrono::milliseconds(1000));
  ASSERT_TRUE(store->MajorCompact("t").ok());
  EXPECT_EQ(Read(*store, "r", /*raw=*/true), "f:q@1000000 delete_column");
  clock_.Advance(std::chrono::milliseconds(1));
  ASSERT_TRUE(store->MajorCompact("t").ok());
  EXPECT_EQ(Read(*store, "r", /*raw=*/true), "");
}

TEST_F(EmbeddedStoreTest, CompactsAnAbsentTableNot) {
  EXPECT_EQ(Open()->MajorCompact("nowhere").code(), StatusCode::kNotFound);
}

}  // namespace
}  // namespace fensi::store

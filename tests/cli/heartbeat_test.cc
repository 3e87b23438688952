#include "cli/capture/heartbeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "store/open_store.h"
#include "tests/store/faulty_store.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;

class HeartbeatTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path folder = std::filesystem::path(::testing::TempDir()) / "heartbeat_test";
    std::filesystem::remove_all(folder);
    auto opened = store::OpenStore("embedded:" + folder.string(), {});
    embedded_ = std::move(opened.value());
    auto faulty = std::make_unique<store::FaultyStore>(embedded_.get());
    store_ = faulty.get();
    heartbeat_ = std::make_unique<Heartbeat>(std::move(faulty), "quiet", milliseconds(1),
                                             [this](capture::Severity, const std::string&) { ++warnings_; });
  }
  void CreateTable() { ASSERT_TRUE(embedded_->CreateTable({"quiet", {{.name = "f"}}}, {}).ok()); }
  void AwaitPuts(int more) {
    const int wanted = store_->Calls(store::FaultyStore::Call::kPut) + more;
    const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(60);
    while (store_->Calls(store::FaultyStore::Call::kPut) < wanted && std::chrono::steady_clock::now() < deadline) {
      std::this_thread::sleep_for(milliseconds(1));
    }
    ASSERT_GE(store_->Calls(store::FaultyStore::Call::kPut), wanted);
  }

  std::unique_ptr<store::Store> embedded_;
  store::FaultyStore* store_ = nullptr;  // the heartbeat's
  std::atomic<int> warnings_ = 0;
  std::unique_ptr<Heartbeat> heartbeat_;
};

TEST_F(HeartbeatTest, WithoutItsTableItDoesNotStart) { EXPECT_EQ(heartbeat_->Start().code(), StatusCode::kNotFound); }

TEST_F(HeartbeatTest, PutsOneRowOfTheRegionAgainAndAgain) {
  CreateTable();
  ASSERT_TRUE(heartbeat_->Start().ok());
  AwaitPuts(3);
  const auto rows = embedded_->Scan("quiet", {});
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->front().cells.front().qualifier, "heartbeat");
}

TEST_F(HeartbeatTest, TellsOnceThatItCannotAndGoesOn) {
  CreateTable();
  ASSERT_TRUE(heartbeat_->Start().ok());
  for (int n = 1; n <= 3; ++n)
    store_->FailCall(n, store::FaultyStore::When::kBefore, {}, store::FaultyStore::Call::kPut);
  AwaitPuts(5);
  heartbeat_.reset();
  EXPECT_EQ(warnings_, 1);
}

}  // namespace
}  // namespace fensi::cli

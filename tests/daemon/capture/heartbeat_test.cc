#include "daemon/capture/heartbeat.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "store/open_store.h"
#include "store/wrapped_store.h"
#include "tests/doubles/faulty_store.h"
#include "tests/support/eventually.h"

namespace fensi::daemon {
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
                                             [this](const capture::Notice&) { ++warnings_; });
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

/// A gateway that becomes silent behind its first put: the second one ends only when the permission does.
class SilentStore final : public store::DelegatingStore {
 public:
  SilentStore(store::Store* behind, std::atomic<int>* puts, std::function<Status()> permission)
      : DelegatingStore(behind), puts_(puts), permission_(std::move(permission)) {}

  using Rejected = Result<std::vector<store::RejectedRow>>;
  Rejected Put(const std::string& table, std::span<const store::RowMutation> rows) override {
    if (++*puts_ == 1) return behind()->Put(table, rows);
    while (permission_().ok()) std::this_thread::sleep_for(milliseconds(1));
    return permission_();
  }
  std::unique_ptr<store::Store> Guarded(std::function<Status()> permission) override {
    return std::make_unique<SilentStore>(behind(), puts_, std::move(permission));
  }

 private:
  std::atomic<int>* const puts_;
  const std::function<Status()> permission_;
};

TEST_F(HeartbeatTest, EndsAtOnceWhileItsStoreIsSilent) {
  CreateTable();
  std::atomic<int> puts = 0;
  heartbeat_ =
      std::make_unique<Heartbeat>(std::make_unique<SilentStore>(embedded_.get(), &puts, [] { return Status(); }),
                                  "quiet", milliseconds(1), [this](const capture::Notice&) { ++warnings_; });
  ASSERT_TRUE(heartbeat_->Start().ok());
  ASSERT_TRUE(Eventually([&] { return puts >= 2; }));
  const auto begin = std::chrono::steady_clock::now();
  heartbeat_.reset();
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(30)) << "the put itself ends never";
  EXPECT_EQ(warnings_, 0) << "it was stopped";
}

}  // namespace
}  // namespace fensi::daemon

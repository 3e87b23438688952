// A command that waits for a table says so within 10 seconds, and that it goes on afterwards.
#include "operations/access/telling_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <mutex>
#include <thread>

#include "store/open_store.h"
#include "tests/doubles/fake_clock.h"
#include "tests/doubles/faulty_store.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

class TellingStoreTest : public ::testing::Test {
 protected:
  TellingStoreTest() {
    auto memory = store::OpenMemoryStore(&clock_);
    EXPECT_TRUE(memory.ok());
    memory_ = std::move(*memory);
    EXPECT_TRUE(memory_->CreateTable({"t", {{.name = "f"}}}, {}).ok());
    faulty_ = std::make_shared<store::FaultyStore>(memory_.get());
    telling_ = std::make_unique<TellingStore>(
        faulty_,
        TellingStore::Options{"verify", [this](const std::string& line) { Note(line); }, &clock_, milliseconds(2)});
  }
  void Note(const std::string& line) {
    const std::lock_guard lock(mu_);
    told_.push_back(line);
  }
  std::vector<std::string> Told() {
    const std::lock_guard lock(mu_);
    return told_;
  }
  /// What is told by then; the thread needs a moment.
  void ExpectTold(size_t lines) {
    for (int i = 0; i < 5'000 && Told().size() < lines; ++i) std::this_thread::sleep_for(milliseconds(1));
    EXPECT_THAT(Told(), SizeIs(lines));
  }
  /// Nothing is: the thread has looked several times.
  void ExpectNothingMore(size_t lines) {
    std::this_thread::sleep_for(milliseconds(20));
    EXPECT_THAT(Told(), SizeIs(lines));
  }

  FakeClock clock_;
  std::unique_ptr<store::Store> memory_;
  std::shared_ptr<store::FaultyStore> faulty_;
  std::mutex mu_;
  std::vector<std::string> told_;
  std::unique_ptr<TellingStore> telling_;
};

TEST_F(TellingStoreTest, ATableThatAnswersIsNotTold) {
  EXPECT_TRUE(telling_->Scan("t", {}).ok());
  clock_.Advance(seconds(60));
  ExpectNothingMore(0);
}

TEST_F(TellingStoreTest, ATableThatDoesNotAnswerIsNamedInTimeAndWhenItAnswersAgain) {
  faulty_->FailAlways(Status(StatusCode::kUnavailable, "table t is disabled"));
  EXPECT_FALSE(telling_->Scan("t", {}).ok());
  clock_.Advance(seconds(3));
  EXPECT_FALSE(telling_->Scan("t", {}).ok());
  ExpectNothingMore(0);
  clock_.Advance(seconds(6));
  ExpectTold(1);
  EXPECT_THAT(Told().front(),
              HasSubstr("verify: waits for table t, which has not answered for 9 s (table t is disabled)"));
  clock_.Advance(seconds(29));
  ExpectNothingMore(1);
  clock_.Advance(seconds(2));
  ExpectTold(2);
  faulty_->Heal();
  EXPECT_TRUE(telling_->Scan("t", {}).ok());
  ExpectTold(3);
  EXPECT_EQ(Told().back(), "verify: table t answers again");
}

TEST_F(TellingStoreTest, ACallWithoutAnAnswerIsToldWhileItLasts) {
  faulty_->SetObserver([this](store::FaultyStore::Call, const std::string&) {
    clock_.Advance(seconds(7));
    ExpectTold(1);
    return Status();
  });
  const store::GetRequest request{.row = "r"};
  EXPECT_TRUE(telling_->GetSome("t", {&request, 1}, 1000).ok());
  EXPECT_THAT(Told().front(), HasSubstr("table t, which has not answered for 7 s. Check that the table exists"));
}

TEST_F(TellingStoreTest, AnotherTableThatAnswersHidesNothing) {
  faulty_->SetObserver([](store::FaultyStore::Call, const std::string& table) {
    return table == "t" ? Status() : Status(StatusCode::kUnavailable, "away");
  });
  EXPECT_FALSE(telling_->RegionStarts("other").ok());
  clock_.Advance(seconds(6));
  EXPECT_TRUE(telling_->Scan("t", {}).ok());
  ExpectTold(1);
  EXPECT_THAT(Told().front(), HasSubstr("table other"));
}

}  // namespace
}  // namespace fensi::operations

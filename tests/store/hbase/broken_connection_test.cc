// HBaseStore behind a connection that is cut, delayed, sliced and held: what was acknowledged is there, and no answer
// is ever taken for that of another call.
#include <gmock/gmock.h>

#include <map>
#include <mutex>
#include <semaphore>

#include "store/retrying_store.h"
#include "tests/store/contract/store_contract.h"
#include "tests/store/hbase/fake_gateway.h"
#include "tests/support/fault_proxy.h"

namespace fensi::store {
namespace {

using std::chrono::milliseconds;
using testing::FaultProxy;
using Way = FaultProxy::Way;

constexpr int kRows = 20;
constexpr int kValueBytes = 60;
#ifdef FENSI_SANITIZED
constexpr int kStep = 23;  // bytes; a sanitized program is slow
#else
constexpr int kStep = 1;
#endif

std::string RowName(int i) { return "row" + std::to_string(100 + i); }
/// Every round writes other values, so that what is left of the round before cannot pass for it.
std::string ValueOf(const std::string& row, int round) {
  std::string value = row + "/" + std::to_string(round) + "/";
  value.resize(kValueBytes, '.');
  return value;
}

/// A gateway with a table that keeps what it is told, behind a proxy. As in HBase the newest cell counts, and not the
/// one that came last: a request that was taken whole before its connection broke may be carried out after later ones.
class BrokenConnectionTest : public ::testing::Test {
 protected:
  BrokenConnectionTest() {
    gateway_.handler().on_put = [this](const std::vector<thrift2::TPut>& puts) {
      const bool late = delay_next_.exchange(false);
      if (late) {
        begun_.release();
        may_go_on_.acquire();
      }
      Keep(puts);
      if (late) ended_.release();
    };
    gateway_.handler().on_get = [this](auto& answer, const auto& gets) { Answer(&answer, gets); };
  }

  void Keep(const std::vector<thrift2::TPut>& puts) {
    const std::lock_guard lock(mu_);
    for (const thrift2::TPut& put : puts) {
      Cell& cell = table_[put.row];
      const thrift2::TColumnValue& told = put.columnValues.at(0);
      if (told.timestamp >= cell.timestamp) cell = {told.timestamp, told.value};
    }
  }
  void Answer(std::vector<thrift2::TResult>* answer, const std::vector<thrift2::TGet>& gets) {
    const std::lock_guard lock(mu_);
    for (size_t i = 0; i < gets.size(); ++i) {
      (*answer)[i].__set_row(gets[i].row);
      thrift2::TColumnValue& cell = (*answer)[i].columnValues.emplace_back();
      cell.family = "f";
      cell.qualifier = "q";
      cell.__set_timestamp(1);
      cell.value = table_[gets[i].row].value;
    }
  }

  std::unique_ptr<HBaseStore> Open(milliseconds call_timeout) {
    return HBaseStore::Open(
               {.host = "127.0.0.1", .port = proxy_.port(), .connections = 1, .call_timeout = call_timeout})
        .value();
  }
  static std::vector<RowMutation> Puts(int round) {
    std::vector<RowMutation> rows;
    for (int i = 0; i < kRows; ++i)
      rows.push_back({RowName(i), {PutCell("f:q", round + 1, ValueOf(RowName(i), round))}});
    return rows;
  }
  static std::vector<GetRequest> Gets() {
    std::vector<GetRequest> gets;
    for (int i = 0; i < kRows; ++i) gets.push_back({.row = RowName(i)});
    return gets;
  }
  /// What is missing, orphaned or wrong in the table, counted from outside.
  int WrongRows(int round) {
    const std::lock_guard lock(mu_);
    int wrong = table_.size() == kRows ? 0 : 1;
    for (const auto& [row, cell] : table_) wrong += cell.value == ValueOf(row, round) ? 0 : 1;
    return wrong;
  }
  static int WrongAnswers(const std::vector<Row>& rows, int round) {
    int wrong = rows.size() == kRows ? 0 : 1;
    for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
      const Row& row = rows[static_cast<size_t>(i)];
      const bool right =
          row.row == RowName(i) && row.cells.size() == 1 && row.cells[0].value == ValueOf(row.row, round);
      wrong += right ? 0 : 1;
    }
    return wrong;
  }
  /// Bytes that a call sends this way.
  template <typename Call>
  int64_t BytesOf(Way way, Call call) {
    const int64_t before = proxy_.traffic(way).passed;
    EXPECT_TRUE(call().ok());
    return proxy_.traffic(way).passed - before;
  }

  struct Cell {
    int64_t timestamp = 0;
    std::string value;
  };
  std::mutex mu_;
  std::map<std::string, Cell> table_;  // guarded by mu_
  /// The next put is taken whole, and carried out when it may go on.
  std::atomic<bool> delay_next_ = false;
  std::binary_semaphore begun_{0}, may_go_on_{0}, ended_{0};
  FakeGateway gateway_;
  FaultProxy proxy_{gateway_.port()};
};

TEST_F(BrokenConnectionTest, ARequestCutAfterAnyByteIsWrittenByTheNextAttempt) {
  const auto store = Open(std::chrono::seconds(60));
  ASSERT_TRUE(store->Put("t", Puts(0)).ok());
  const int64_t bytes = BytesOf(Way::kRequests, [&] { return store->Put("t", Puts(0)); });
  ASSERT_GT(bytes, 2000);
  int failed = 0;
  for (int round = 1; round <= bytes; round += kStep) {
    proxy_.CutAfter(Way::kRequests, round - 1);
    const auto cut = store->Put("t", Puts(round));
    ASSERT_EQ(cut.status().code(), StatusCode::kUnavailable) << "cut after " << round - 1 << " bytes";
    ++failed;
    const auto again = store->Put("t", Puts(round));
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    ASSERT_EQ(WrongRows(round), 0) << "cut after " << round - 1 << " bytes";
  }
  std::printf("%d requests cut, each after another byte: 0 missing, 0 orphaned, 0 wrong\n", failed);
}

TEST_F(BrokenConnectionTest, AReplyCutAfterAnyByteIsNeverTakenForAnAnswer) {
  const auto store = Open(std::chrono::seconds(60));
  ASSERT_TRUE(store->Put("t", Puts(7)).ok());
  ASSERT_TRUE(store->Get("t", Gets()).ok());
  const int64_t bytes = BytesOf(Way::kReplies, [&] { return store->Get("t", Gets()); });
  ASSERT_GT(bytes, 2000);
  int cuts = 0;
  for (int64_t at = 0; at < bytes; at += kStep) {
    ++cuts;
    proxy_.CutAfter(Way::kReplies, at);
    ASSERT_EQ(store->Get("t", Gets()).status().code(), StatusCode::kUnavailable) << "cut after " << at << " bytes";
    const auto again = store->Get("t", Gets());
    ASSERT_TRUE(again.ok()) << again.status().ToString();
    ASSERT_EQ(WrongAnswers(*again, 7), 0) << "cut after " << at << " bytes";
  }
  std::printf("%d replies of reads cut, each after another byte: 0 wrong values\n", cuts);
}

TEST_F(BrokenConnectionTest, APutWhoseReplyIsCutAfterAnyByteIsThereAndUnknown) {
  const auto store = Open(std::chrono::seconds(60));
  ASSERT_TRUE(store->Put("t", Puts(0)).ok());
  const int64_t bytes = BytesOf(Way::kReplies, [&] { return store->Put("t", Puts(0)); });
  for (int round = 1; round <= bytes; ++round) {
    proxy_.CutAfter(Way::kReplies, round - 1);
    ASSERT_EQ(store->Put("t", Puts(round)).status().code(), StatusCode::kUnavailable);
    ASSERT_EQ(WrongRows(round), 0) << "cut after " << round - 1 << " bytes";
  }
  std::printf("%d replies of writes cut, each after another byte: 0 missing, 0 orphaned, 0 wrong\n",
              static_cast<int>(bytes));
}

ConditionalPut NumberAfter(int round) {
  const std::string expected = round == 0 ? "" : std::to_string(round - 1);
  return {{"counter", {PutCell("f:q", 1 + round, std::to_string(round))}}, "f", "q", expected};
}

TEST_F(BrokenConnectionTest, ACompareAndPutWhoseReplyIsCutAfterAnyByteIsDoneOnceAndUnknown) {
  const auto store = Open(std::chrono::seconds(60));
  RetryingStore patient(store.get(), {.first_pause = milliseconds(1), .longest_pause = milliseconds(10)});
  ASSERT_TRUE(patient.Get("t", Gets()).ok());
  const int64_t bytes = BytesOf(Way::kReplies, [&] { return store->CompareAndPut("t", NumberAfter(0)); });
  ASSERT_GT(bytes, 20);
  for (int round = 1; round <= bytes; ++round) {
    proxy_.CutAfter(Way::kReplies, round - 1);
    const Result<bool> cut = patient.CompareAndPut("t", NumberAfter(round));
    ASSERT_EQ(cut.status().code(), StatusCode::kUnavailable) << "cut after " << round - 1 << " bytes";
    ASSERT_THAT(cut.status().message(), ::testing::HasSubstr("it is unknown whether HBase changed the row"));
    ASSERT_EQ(gateway_.handler().CompareCalls(), round + 1) << "nothing may be repeated";
    ASSERT_EQ(gateway_.handler().Compared("counter"), std::to_string(round));
  }
}

TEST_F(BrokenConnectionTest, ACompareAndPutWhoseRequestIsCutAfterAnyByteIsNotDone) {
  const auto store = Open(std::chrono::seconds(60));
  RetryingStore patient(store.get(), {.first_pause = milliseconds(1), .longest_pause = milliseconds(10)});
  ASSERT_TRUE(patient.Get("t", Gets()).ok());
  const int64_t bytes = BytesOf(Way::kRequests, [&] { return store->CompareAndPut("t", NumberAfter(0)); });
  ASSERT_GT(bytes, 60);
  for (int64_t at = 0; at < bytes; at += kStep) {
    proxy_.CutAfter(Way::kRequests, at);
    const Result<bool> cut = patient.CompareAndPut("t", NumberAfter(1));
    ASSERT_EQ(cut.status().code(), StatusCode::kUnavailable) << "cut after " << at << " bytes";
    ASSERT_EQ(gateway_.handler().Compared("counter"), "0") << "cut after " << at << " bytes";
  }
  EXPECT_EQ(gateway_.handler().CompareCalls(), 1);
  EXPECT_TRUE(patient.CompareAndPut("t", NumberAfter(1)).value());
}

TEST_F(BrokenConnectionTest, ALateReplyIsNeverTakenForTheAnswerOfAnotherCall) {
  constexpr int kTrials = 200;
  const auto store = Open(milliseconds(20));
  RetryingStore patient(store.get(), {.first_pause = milliseconds(1), .longest_pause = milliseconds(10)});
  ASSERT_TRUE(patient.Put("t", Puts(1)).ok());
  int late = 0, mixed = 0;
  for (int trial = 0; trial < kTrials; ++trial) {
    const GetRequest first{.row = RowName(trial % kRows)}, second{.row = RowName((trial + 1) % kRows)};
    proxy_.Hold(Way::kReplies);
    if (store->Get("t", {&first, 1}).status().code() == StatusCode::kUnavailable) ++late;
    proxy_.Release(Way::kReplies);
    const auto answer = patient.Get("t", {&second, 1});
    ASSERT_TRUE(answer.ok()) << answer.status().ToString();
    const Row& row = answer->at(0);
    if (row.row != second.row || row.cells.at(0).value != ValueOf(second.row, 1)) ++mixed;
  }
  std::printf("%d of %d replies came too late, %d values were mixed\n", late, kTrials, mixed);
  EXPECT_EQ(late, kTrials);
  EXPECT_EQ(mixed, 0);
}

TEST_F(BrokenConnectionTest, ASlicedAndSlowConnectionIsSlowAndNothingElse) {
  const auto store = Open(std::chrono::seconds(60));
  proxy_.Slice(Way::kRequests, 1);
  proxy_.Slice(Way::kReplies, 3);
  ASSERT_TRUE(store->Put("t", Puts(3)).ok());
  EXPECT_EQ(WrongRows(3), 0);
  EXPECT_EQ(WrongAnswers(store->Get("t", Gets()).value(), 3), 0);
}

TEST_F(BrokenConnectionTest, AnAttemptThatIsCarriedOutAfterLaterPutsChangesNothing) {
  const auto store = Open(std::chrono::seconds(60));
  RetryingStore patient(store.get(), {.first_pause = milliseconds(1), .longest_pause = milliseconds(10)});
  EXPECT_TRUE(patient.Put("t", Puts(0)).ok());
  delay_next_ = true;
  std::thread breaker([&] {
    begun_.acquire();
    proxy_.Reset();
  });
  EXPECT_TRUE(patient.Put("t", Puts(1)).ok());
  breaker.join();
  EXPECT_TRUE(patient.Put("t", Puts(2)).ok());
  may_go_on_.release();
  ended_.acquire();
  EXPECT_EQ(WrongRows(2), 0);
}

TEST_F(BrokenConnectionTest, AResetUnderParallelCallsLosesNoAcknowledgedRow) {
  const auto store = Open(std::chrono::seconds(60));
  RetryingStore patient(store.get(), {.first_pause = milliseconds(1), .longest_pause = milliseconds(10)});
  std::atomic<bool> ended = false;
  std::thread breaker([&] {
    // Ever more seldom, so that a slow machine makes progress, too.
    for (auto pause = std::chrono::microseconds(1000); !ended; pause += std::chrono::microseconds(100)) {
      proxy_.Reset();
      std::this_thread::sleep_for(pause);
    }
  });
  for (int round = 1; round <= 100; ++round) {
    EXPECT_TRUE(patient.Put("t", Puts(round)).ok());
    EXPECT_EQ(WrongRows(round), 0);
  }
  ended = true;
  breaker.join();
}

}  // namespace
}  // namespace fensi::store

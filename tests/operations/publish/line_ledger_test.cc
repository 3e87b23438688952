#include "operations/publish/line_ledger.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

const Status kTooLarge(StatusCode::kRejected, "too large");
const Status kAway(StatusCode::kUnavailable, "away");

struct LineLedgerTest : ::testing::Test {
  std::vector<std::string> said;
  LineLedger ledger{
      [this](int64_t line, const std::string& why) { said.push_back(std::to_string(line) + ": " + why); }};
};

TEST_F(LineLedgerTest, WaitsForEveryLineThatWasSent) {
  auto* const first = ledger.Sent(1);
  auto* const second = ledger.Sent(2);
  second->Delivered({});
  EXPECT_FALSE(ledger.Wait(milliseconds(0)));
  EXPECT_EQ(ledger.first_missing(), 1);
  first->Delivered({});
  EXPECT_TRUE(ledger.Wait(milliseconds(0)));
  EXPECT_EQ(ledger.written(), 2);
  EXPECT_EQ(ledger.first_missing(), 3);
}

TEST_F(LineLedgerTest, NamesALineThatKafkaRefusesAndGoesOnBehindIt) {
  auto* const first = ledger.Sent(1);
  ledger.Sent(2)->Delivered({});
  first->Delivered(kTooLarge);
  ledger.RefuseLine(3, "no event");
  EXPECT_THAT(said, ElementsAre("1: too large", "3: no event"));
  EXPECT_EQ(ledger.refused(), 2);
  EXPECT_EQ(ledger.first_missing(), 4);
  EXPECT_TRUE(ledger.failure().ok());
}

TEST_F(LineLedgerTest, GoesOnWithTheFirstLineThatWasLost) {
  auto* const first = ledger.Sent(4);
  auto* const second = ledger.Sent(5);
  second->Delivered(kAway);
  first->Delivered(Status(StatusCode::kUnavailable, "still away"));
  ledger.Sent(6)->Delivered({});
  EXPECT_EQ(ledger.first_missing(), 4);
  EXPECT_EQ(ledger.failure().message(), "away");
  EXPECT_EQ(ledger.written(), 1);
}

TEST_F(LineLedgerTest, TakesALineThatWasNotSentForLost) {
  ledger.Sent(1)->Delivered({});
  ledger.Sent(2);
  ledger.Lose(2, Status(StatusCode::kCancelled, "stopped"));
  EXPECT_TRUE(ledger.Wait(milliseconds(0)));
  EXPECT_EQ(ledger.first_missing(), 2);
}

}  // namespace
}  // namespace fensi::operations

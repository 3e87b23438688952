#include "consumer/kafka/group/ownership.h"

#include <gtest/gtest.h>

#include "tests/consumer/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class OwnershipTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  std::shared_ptr<Tenure> tenure_ = std::make_shared<Tenure>(&clock_, milliseconds(1000));
  KafkaAssignment assignment_{tenure_, "changes", 0, 1};
};

TEST_F(OwnershipTest, EndsWhenThePollThreadWasSilent) {
  clock_.Advance(milliseconds(1001));
  tenure_->Heard(milliseconds(0));
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, EndsWhenTheCoordinatorWasSilent) {
  clock_.Advance(milliseconds(1001));
  tenure_->Polled();
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, GoesOnWhileBothAreHeardOf) {
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(milliseconds(500));
    tenure_->Polled();
    tenure_->Heard(milliseconds(400));
    EXPECT_TRUE(assignment_.Check().ok());
  }
}

TEST_F(OwnershipTest, OnceLostStaysLost) {
  clock_.Advance(milliseconds(1001));
  EXPECT_FALSE(assignment_.Check().ok());
  tenure_->Polled();
  tenure_->Heard(milliseconds(0));
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, OnceSeenAsLostByWhoHandsOutWorkStaysLostForAll) {
  clock_.Advance(milliseconds(1001));
  EXPECT_FALSE(assignment_.Owned());
  tenure_->Polled();
  tenure_->Heard(milliseconds(0));
  EXPECT_FALSE(assignment_.Owned());
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, AStopLetsWorkInHandEndForSomeTime) {
  tenure_->Stop();
  EXPECT_TRUE(tenure_->stopped());
  EXPECT_TRUE(assignment_.Check().ok());
  for (milliseconds passed{0}; passed <= Tenure::kStopPatience; passed += milliseconds(500)) {
    clock_.Advance(milliseconds(500));
    tenure_->Polled();
    tenure_->Heard(milliseconds(0));
    tenure_->Stop();  // again: the first time counts
  }
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kCancelled);
}

}  // namespace
}  // namespace fensi::consumer

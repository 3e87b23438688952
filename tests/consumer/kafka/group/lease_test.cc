#include "consumer/kafka/group/lease.h"

#include <gtest/gtest.h>

#include "tests/doubles/fake_clock.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class OwnershipTest : public ::testing::Test {
 protected:
  FakeClock clock_;
  std::shared_ptr<Lease> lease_ = std::make_shared<Lease>(&clock_, milliseconds(1000));
  KafkaAssignment assignment_{lease_, "changes", 0, 1};
};

TEST_F(OwnershipTest, EndsWhenThePollThreadWasSilent) {
  clock_.Advance(milliseconds(1001));
  lease_->Heard(milliseconds(0));
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, EndsWhenTheCoordinatorWasSilent) {
  clock_.Advance(milliseconds(1001));
  lease_->Polled();
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, GoesOnWhileBothAreHeardOf) {
  for (int i = 0; i < 10; ++i) {
    clock_.Advance(milliseconds(500));
    lease_->Polled();
    lease_->Heard(milliseconds(400));
    EXPECT_TRUE(assignment_.Check().ok());
  }
}

TEST_F(OwnershipTest, OnceLostStaysLost) {
  clock_.Advance(milliseconds(1001));
  EXPECT_FALSE(assignment_.Check().ok());
  lease_->Polled();
  lease_->Heard(milliseconds(0));
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, OnceSeenAsLostByWhoHandsOutWorkStaysLostForAll) {
  clock_.Advance(milliseconds(1001));
  EXPECT_FALSE(assignment_.Owned());
  lease_->Polled();
  lease_->Heard(milliseconds(0));
  EXPECT_FALSE(assignment_.Owned());
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kFenced);
}

TEST_F(OwnershipTest, AStopLetsWorkInHandEndForSomeTime) {
  lease_->Stop();
  EXPECT_TRUE(lease_->stopped());
  EXPECT_TRUE(assignment_.Check().ok());
  for (milliseconds passed{0}; passed <= Lease::kStopTimeout; passed += milliseconds(500)) {
    clock_.Advance(milliseconds(500));
    lease_->Polled();
    lease_->Heard(milliseconds(0));
    lease_->Stop();  // again: the first time counts
  }
  EXPECT_EQ(assignment_.Check().code(), StatusCode::kCancelled);
}

}  // namespace
}  // namespace fensi::consumer

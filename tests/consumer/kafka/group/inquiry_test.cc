#include <gtest/gtest.h>

#include "consumer/kafka/group/coordinator_contact.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

class InquiryTest : public ::testing::Test {
 protected:
  ~InquiryTest() override { release_.set_value(); }

  /// A question without an answer until the test ends.
  Inquiry<int>::Question Silent() {
    return [released = released_](rd_kafka_t*) {
      released.wait();
      return 0;
    };
  }
  static int TakeSoon(Inquiry<int>* inquiry) {
    for (;;) {
      if (const std::optional<int> answer = inquiry->Take()) return *answer;
      std::this_thread::yield();
    }
  }

  std::promise<void> release_;
  const std::shared_future<void> released_ = release_.get_future().share();
  Inquiry<int> inquiry_;
};

TEST_F(InquiryTest, GivesTheClientBackWithTheAnswerThoughNobodyTakesIt) {
  const std::shared_ptr<rd_kafka_t> client(reinterpret_cast<rd_kafka_t*>(this), [](rd_kafka_t*) {});
  inquiry_.Ask(milliseconds(0), client, [](rd_kafka_t*) { return 1; });
  for (int i = 0; i < 10'000 && client.use_count() > 1; ++i) std::this_thread::sleep_for(milliseconds(1));
  EXPECT_EQ(client.use_count(), 1);
  EXPECT_EQ(TakeSoon(&inquiry_), 1);
}

TEST_F(InquiryTest, IsRepeatedAfterOneTwoAndFourSecondsWithoutGivingUpWhatWasAsked) {
  milliseconds now{10'000};
  for (const int pause : {1000, 2000, 4000, 8000, 16'000}) {
    inquiry_.Ask(now, nullptr, Silent());
    now += milliseconds(pause);
    EXPECT_FALSE(inquiry_.overdue(now - milliseconds(1))) << pause;
    EXPECT_TRUE(inquiry_.overdue(now)) << pause;
  }
  inquiry_.Ask(now, nullptr, Silent());
  EXPECT_FALSE(inquiry_.overdue(now + milliseconds(1'000'000))) << "enough threads wait";
  EXPECT_FALSE(inquiry_.Take());
}

TEST_F(InquiryTest, TakesTheFirstAnswerThatComesAndNoOther) {
  inquiry_.Ask(milliseconds(0), nullptr, Silent());
  inquiry_.Ask(milliseconds(1000), nullptr, [](rd_kafka_t*) { return 7; });
  EXPECT_EQ(TakeSoon(&inquiry_), 7);
  EXPECT_FALSE(inquiry_.waiting());
  inquiry_.Ask(milliseconds(2000), nullptr, [](rd_kafka_t*) { return 8; });
  EXPECT_FALSE(inquiry_.overdue(milliseconds(2999)));
  EXPECT_TRUE(inquiry_.overdue(milliseconds(3000))) << "the pauses begin anew";
  EXPECT_EQ(TakeSoon(&inquiry_), 8);
}

TEST_F(InquiryTest, WhatIsForgottenAnswersNobody) {
  inquiry_.Ask(milliseconds(0), nullptr, [](rd_kafka_t*) { return 7; });
  inquiry_.Forget();
  EXPECT_FALSE(inquiry_.waiting());
  inquiry_.Ask(milliseconds(0), nullptr, Silent());
  EXPECT_FALSE(inquiry_.Take());
}

}  // namespace
}  // namespace fensi::consumer

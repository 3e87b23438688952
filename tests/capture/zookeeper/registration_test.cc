#include "capture/zookeeper/registration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <thread>

#include "tests/capture/zookeeper/fake_zookeeper.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kSource[] = "00000000-0000-0002-0000-000000000001";
constexpr char kStranger[] = "00000000-0000-0007-0000-000000000007";

RegistrationOptions Options(const std::map<std::string, std::string>& topics, uint16_t port = 1) {
  RegistrationOptions options;
  options.root = "/fensi";
  options.host = "here";
  options.ports = {port};
  options.agreement = {.kafka = "k1", .message_bytes = 1'000'000, .topics = topics};
  options.session_timeout = milliseconds(100);
  options.stop_timeout = milliseconds(200);
  return options;
}

bool Always() { return true; }

bool Soon(const std::function<bool()>& condition) {
  for (int i = 0; i < 1000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

class RegistrationTest : public ::testing::Test {
 protected:
  std::unique_ptr<Registration> Make(const RegistrationOptions& options) {
    return std::make_unique<Registration>(
        options, zookeeper_.Opener(),
        [this](Severity, const std::string& text) {
          const std::lock_guard lock(mu_);
          notices_ += text + "\n";
        },
        SystemClock());
  }
  /// What Start says; the capture has gone again.
  Status StartOnce(const RegistrationOptions& options) { return Make(options)->Start(Always); }
  std::string notices() {
    const std::lock_guard lock(mu_);
    return notices_;
  }

  FakeZooKeeper zookeeper_;
  std::mutex mu_;
  std::string notices_;
};

TEST_F(RegistrationTest, StandsThereAndGoes) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), ElementsAre(HasSubstr("here,1,")));
  EXPECT_THAT(zookeeper_.Data("/fensi/hbaseid"), HasSubstr("PBUF"));
  EXPECT_EQ(zookeeper_.Data("/fensi/door"), "");
  capture->Stop();
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), IsEmpty());
}

TEST_F(RegistrationTest, ATableIsNotLeftOutByMistake) {
  ASSERT_TRUE(StartOnce(Options({{"t", "t"}, {"u", "u"}})).ok());
  const Status fewer = StartOnce(Options({{"t", "t"}}));
  EXPECT_EQ(fewer.code(), StatusCode::kConfiguration);
  EXPECT_THAT(fewer.message(), HasSubstr("table u is captured, and not named now"));
  EXPECT_THAT(fewer.message(), HasSubstr("--drop u"));
  const Status misspelt = StartOnce(Options({{"t", "t"}, {"uu", "uu"}}));
  EXPECT_THAT(misspelt.message(), HasSubstr("table u is captured"));
  const Status moved = StartOnce(Options({{"t", "t"}, {"u", "v"}}));
  EXPECT_THAT(moved.message(), HasSubstr("table u goes to topic u, and would go to v"));
  EXPECT_TRUE(StartOnce(Options({{"t", "t"}, {"u", "u"}, {"w", "w"}})).ok()) << "more is never a loss";
}

TEST_F(RegistrationTest, ADroppedTableIsRememberedUntilItIsNamedAgain) {
  ASSERT_TRUE(StartOnce(Options({{"t", "t"}, {"u", "u"}})).ok());
  RegistrationOptions options = Options({{"t", "t"}});
  options.drop = {"u"};
  {
    const auto capture = Make(options);
    ASSERT_TRUE(capture->Start(Always).ok());
    EXPECT_THAT(capture->dropped(), ElementsAre("u"));
  }
  const auto without_drop = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(without_drop->Start(Always).ok());
  EXPECT_THAT(without_drop->dropped(), ElementsAre("u"));
  without_drop->Stop();
  const auto again = Make(Options({{"t", "t"}, {"u", "u"}}));
  ASSERT_TRUE(again->Start(Always).ok());
  EXPECT_THAT(again->dropped(), IsEmpty());
}

TEST_F(RegistrationTest, AnotherKafkaIsRefused) {
  ASSERT_TRUE(StartOnce(Options({{"t", "t"}})).ok());
  RegistrationOptions options = Options({{"t", "t"}});
  options.agreement.kafka = "k2";
  EXPECT_THAT(StartOnce(options).message(), HasSubstr("go to the Kafka cluster k1, and --kafka is the cluster k2"));
}

TEST_F(RegistrationTest, WhoSharesARootDoesTheSame) {
  const auto one = Make(Options({{"t", "t"}}, 1));
  ASSERT_TRUE(one->Start(Always).ok());
  const auto two = Make(Options({{"t", "t"}}, 2));
  ASSERT_TRUE(two->Start(Always).ok());
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), SizeIs(2));
  EXPECT_THAT(StartOnce(Options({{"t", "t"}, {"u", "u"}}, 3)).message(),
              HasSubstr("shares /fensi and does something else"));
  RegistrationOptions other_limit = Options({{"t", "t"}}, 3);
  other_limit.agreement.message_bytes = 5;
  EXPECT_EQ(StartOnce(other_limit).code(), StatusCode::kConfiguration);
}

TEST_F(RegistrationTest, OfManyThatStartTogetherOnlyThoseThatAgreeStay) {
  for (int round = 0; round < 3; ++round) {
    FakeZooKeeper zookeeper;
    std::vector<std::unique_ptr<Registration>> captures;
    std::vector<std::future<Status>> starts;
    for (uint16_t port = 1; port <= 6; ++port) {
      RegistrationOptions options =
          port % 2 == 0 ? Options({{"t", "t"}}, port) : Options({{"t", "t"}, {"u", "u"}}, port);
      options.session_timeout = milliseconds(300);
      captures.push_back(std::make_unique<Registration>(
          options, zookeeper.Opener(), [](Severity, const std::string&) {}, SystemClock()));
      starts.push_back(std::async(std::launch::async, [&capture = *captures.back()] { return capture.Start(Always); }));
    }
    std::vector<bool> ok;
    for (auto& start : starts) ok.push_back(start.get().ok());
    const auto of_kind = [&](size_t first) { return ok[first] + ok[first + 2] + ok[first + 4]; };
    EXPECT_EQ(of_kind(0) * of_kind(1), 0) << "two kinds at work";
    EXPECT_EQ(of_kind(0) + of_kind(1), 3);
  }
}

TEST_F(RegistrationTest, TheFirstSourceClusterIsTheOnlyOne) {
  const auto one = Make(Options({{"t", "t"}}, 1));
  const auto two = Make(Options({{"t", "t"}}, 2));
  ASSERT_TRUE(one->Start(Always).ok() && two->Start(Always).ok());
  EXPECT_TRUE(one->CheckSource(kSource).ok());
  EXPECT_TRUE(one->CheckSource(kSource).ok());
  const Status stranger = two->CheckSource(kStranger);
  EXPECT_EQ(stranger.code(), StatusCode::kConfiguration);
  EXPECT_THAT(stranger.message(), HasSubstr(kStranger));
  EXPECT_TRUE(two->CheckSource(kSource).ok());
  one->Stop();
  two->Stop();
  const auto later = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(later->Start(Always).ok());
  EXPECT_EQ(later->CheckSource(kStranger).code(), StatusCode::kConfiguration);
}

TEST_F(RegistrationTest, TheFirstSourceWaitsForAZooKeeperThatIsAway) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  zookeeper_.SetDown(true);
  EXPECT_EQ(capture->CheckSource(kSource).code(), StatusCode::kUnavailable);
  zookeeper_.SetDown(false);
  EXPECT_TRUE(Soon([&] { return capture->CheckSource(kSource).ok(); }));
  zookeeper_.SetDown(true);
  EXPECT_TRUE(capture->CheckSource(kSource).ok()) << "known ones need no ZooKeeper";
}

TEST_F(RegistrationTest, StandsThereAgainAfterItsSessionEnded) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  zookeeper_.ExpireSessions();
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), IsEmpty());
  EXPECT_TRUE(Soon([&] { return zookeeper_.Children("/fensi/rs").size() == 1 && capture->trouble().empty(); }));
  EXPECT_THAT(notices(), HasSubstr("registered in ZooKeeper again"));
}

TEST_F(RegistrationTest, AcknowledgesNothingOnceTheRootSaysSomethingElse) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  ASSERT_TRUE(capture->CheckSource(kSource).ok());
  zookeeper_.Put("/fensi/capture", AgreementText({.kafka = "k2", .message_bytes = 1, .topics = {{"u", "u"}}}));
  EXPECT_TRUE(Soon([&] { return capture->CheckSource(kSource).code() == StatusCode::kConfiguration; }));
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), IsEmpty());
}

TEST_F(RegistrationTest, ARootOfSomebodyElseOrOfAnotherVersionIsRefused) {
  zookeeper_.Put("/fensi", "");
  zookeeper_.Put("/fensi/hbaseid", "xyz");
  EXPECT_THAT(StartOnce(Options({{"t", "t"}})).message(), HasSubstr("is the root of another cluster"));
  zookeeper_.Remove("/fensi/hbaseid");
  zookeeper_.Put("/fensi/capture", "t to t");
  EXPECT_THAT(StartOnce(Options({{"t", "t"}})).message(), HasSubstr("written by another version of fensi"));
}

TEST_F(RegistrationTest, StopsInTimeInEveryState) {
  zookeeper_.SetDown(true);
  EXPECT_EQ(StartOnce(Options({{"t", "t"}})).code(), StatusCode::kUnavailable);
  zookeeper_.SetDown(false);
  const auto begin = SystemClock()->SinceBoot();
  zookeeper_.SetSilent(true);
  const auto starting = Make(Options({{"t", "t"}}));
  int asked = 0;
  EXPECT_EQ(starting->Start([&] { return ++asked < 3; }).code(), StatusCode::kCancelled);
  starting->Stop();
  zookeeper_.SetSilent(false);
  zookeeper_.Put("/fensi", "");
  zookeeper_.Put("/fensi/door", "somebody");
  const auto at_the_door = Make(Options({{"t", "t"}}));
  EXPECT_EQ(at_the_door->Start([&] { return ++asked < 6; }).code(), StatusCode::kCancelled);
  at_the_door->Stop();
  EXPECT_LT(SystemClock()->SinceBoot() - begin, milliseconds(3'000));
  std::this_thread::sleep_for(milliseconds(50));  // the one that was left behind looks at the fake once more
}

TEST(Agreement, IsReadAsItIsWritten) {
  const Agreement agreement{
      .kafka = "k", .source = "u", .message_bytes = 7, .topics = {{"ns:t", "a"}, {"b", "c"}}, .dropped = {"x"}};
  const Result<Agreement> read = ParseAgreement(AgreementText(agreement));
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(*read, agreement);
  for (const char* bad :
       {"", "fensi-capture 2\n", "fensi-capture 1\nnonsense x\n", "fensi-capture 1\nmessage_bytes x\n"}) {
    EXPECT_EQ(ParseAgreement(bad).status().code(), StatusCode::kConfiguration) << bad;
  }
}

}  // namespace
}  // namespace fensi::capture

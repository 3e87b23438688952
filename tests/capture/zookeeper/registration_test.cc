#include "capture/zookeeper/registration.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <future>
#include <thread>

#include "capture/zookeeper/cluster_id.h"
#include "tests/capture/notice_log.h"
#include "tests/capture/zookeeper/fake_zookeeper.h"
#include "tests/doubles/fake_clock.h"
#include "tests/support/eventually.h"
#include "tests/support/matchers.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

constexpr char kSource[] = "00000000-0000-0002-0000-000000000001";
constexpr char kStranger[] = "00000000-0000-0007-0000-000000000007";

RegistrationOptions Options(const std::map<std::string, std::string>& topics, uint16_t port = 1) {
  RegistrationOptions options;
  options.root = "/fensi";
  options.host = "here";
  options.ports = {port};
  options.agreement = {.kafka = "k1", .message_bytes = 1'000'000, .topics = topics};
  options.zookeeper.session_timeout = milliseconds(100);
  options.stop_timeout = milliseconds(200);
  return options;
}

bool Always() { return true; }

class RegistrationTest : public ::testing::Test {
 protected:
  std::unique_ptr<Registration> Make(const RegistrationOptions& options) {
    return std::make_unique<Registration>(options, zookeeper_.Opener(options.zookeeper.digest), log_.Listener(),
                                          &clock_);
  }
  /// What Start says; the capture has gone again.
  Status StartOnce(const RegistrationOptions& options) { return Make(options)->Start(Always); }

  SkippingClock clock_;
  FakeZooKeeper zookeeper_;
  NoticeLog log_;
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

TEST_F(RegistrationTest, MakesTheIdAnewThatSomebodyRemoved) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  zookeeper_.Remove("/fensi/hbaseid");
  EXPECT_TRUE(Eventually([&] { return zookeeper_.Data("/fensi/hbaseid").starts_with("PBUF"); }));
}

TEST_F(RegistrationTest, ADisagreementThatStaysIsToldOnce) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  std::string other = zookeeper_.Data("/fensi/capture");
  other.replace(other.find("table t t"), 9, "table u u");
  zookeeper_.Put("/fensi/capture", other);
  ASSERT_TRUE(Eventually([&] { return log_.Tells("table u was captured before"); }));
  std::this_thread::sleep_for(milliseconds(2500));  // it is tried again every second
  EXPECT_EQ(log_.lines(), 2) << log_.text();
}

TEST_F(RegistrationTest, WhoIsAnnouncedAsAnotherOneIsRefusedAndDisturbsHimNot) {
  RegistrationOptions options = Options({{"t", "t"}});
  options.listener = "machine 127.0.0.1:1";
  const auto first = Make(options);
  ASSERT_TRUE(first->Start(Always).ok());
  const std::vector<std::string> place = zookeeper_.Children("/fensi/rs");
  RegistrationOptions twin = options;
  twin.listener = "machine 127.0.0.2:1";
  const Status refused = StartOnce(twin);
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("another capture is announced as here,1, so region servers could not "
                                           "distinguish the two captures. The other capture listens at machine "
                                           "127.0.0.1:1, and this capture listens at machine 127.0.0.2:1"));
  std::this_thread::sleep_for(milliseconds(1500));  // the first has looked again
  EXPECT_EQ(zookeeper_.Children("/fensi/rs"), place);
  EXPECT_EQ(log_.text(), "");
}

TEST_F(RegistrationTest, OneThatDiedIsWaitedForAsLongAsZooKeeperKeepsItsSession) {
  zookeeper_.SetSessionTimeout(std::chrono::seconds(30));  // and not the 100 ms that are asked for
  RegistrationOptions options = Options({{"t", "t"}});
  options.listener = "machine 127.0.0.1:1";
  const auto dead = Make(options);
  ASSERT_TRUE(dead->Start(Always).ok());
  std::thread session_ends([&] {
    std::this_thread::sleep_for(milliseconds(1000));
    dead->Stop();
  });
  options.listener = "machine 127.0.0.2:1";
  const Status same_name = StartOnce(options);
  EXPECT_TRUE(same_name.ok()) << same_name.ToString();
  session_ends.join();
}

TEST_F(RegistrationTest, WhatADeadOneHadAgreedOnIsWaitedForAsLongAsZooKeeperKeepsItsSession) {
  zookeeper_.SetSessionTimeout(std::chrono::seconds(30));
  const auto dead = Make(Options({{"t", "t"}}, 1));
  ASSERT_TRUE(dead->Start(Always).ok());
  std::thread session_ends([&] {
    std::this_thread::sleep_for(milliseconds(1000));
    dead->Stop();
  });
  const Status more_tables = StartOnce(Options({{"t", "t"}, {"u", "u"}}, 2));
  EXPECT_TRUE(more_tables.ok()) << more_tables.ToString();
  session_ends.join();
}

TEST_F(RegistrationTest, AFormerSelfIsReplacedAtOnce) {
  RegistrationOptions options = Options({{"t", "t"}});
  options.listener = "machine 127.0.0.1:1";
  zookeeper_.SetSessionTimeout(std::chrono::hours(1));  // of the dead one
  const auto killed = Make(options);
  ASSERT_TRUE(killed->Start(Always).ok());
  const std::vector<std::string> place = zookeeper_.Children("/fensi/rs");
  std::this_thread::sleep_for(milliseconds(10));  // another start code
  const auto again = Make(options);
  ASSERT_TRUE(again->Start(Always).ok());
  EXPECT_NE(zookeeper_.Children("/fensi/rs"), place);
  killed->Stop();
}

TEST_F(RegistrationTest, ATableIsNotLeftOutByMistake) {
  ASSERT_TRUE(StartOnce(Options({{"t", "t"}, {"u", "u"}})).ok());
  const Status fewer = StartOnce(Options({{"t", "t"}}));
  EXPECT_EQ(fewer.code(), StatusCode::kConfiguration);
  EXPECT_THAT(fewer.message(), HasSubstr("table u was captured before, and this command does not name the table"));
  EXPECT_THAT(fewer.message(),
              HasSubstr("Name the table again. Only if no index reads the former stream any more, give "
                        "--stop_capturing=u: the edits of the table are then lost to the former stream for good"));
  const Status misspelt = StartOnce(Options({{"t", "t"}, {"uu", "uu"}}));
  EXPECT_THAT(misspelt.message(), HasSubstr("table u was captured before"));
  const Status moved = StartOnce(Options({{"t", "t"}, {"u", "v"}}));
  EXPECT_THAT(moved.message(),
              HasSubstr("table u was written to topic u before, and this command would write it to v"));
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
  EXPECT_THAT(StartOnce(options).message(),
              HasSubstr("write to the Kafka cluster k1, and --kafka names the cluster k2"));
}

TEST_F(RegistrationTest, WhoSharesARootDoesTheSame) {
  const auto one = Make(Options({{"t", "t"}}, 1));
  ASSERT_TRUE(one->Start(Always).ok());
  const auto two = Make(Options({{"t", "t"}}, 2));
  ASSERT_TRUE(two->Start(Always).ok());
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), SizeIs(2));
  EXPECT_THAT(StartOnce(Options({{"t", "t"}, {"u", "u"}}, 3)).message(),
              HasSubstr("shares /fensi with other settings"));
  RegistrationOptions other_limit = Options({{"t", "t"}}, 3);
  other_limit.agreement.message_bytes = 5;
  EXPECT_EQ(StartOnce(other_limit).code(), StatusCode::kConfiguration);
}

TEST_F(RegistrationTest, OfManyThatStartTogetherOnlyThoseThatAgreeStay) {
  for (int round = 0; round < 3; ++round) {
    FakeZooKeeper zookeeper;
    zookeeper.SetSessionTimeout(milliseconds(1000));
    std::vector<std::unique_ptr<Registration>> captures;
    std::vector<std::future<Status>> starts;
    for (uint16_t port = 1; port <= 6; ++port) {
      RegistrationOptions options =
          port % 2 == 0 ? Options({{"t", "t"}}, port) : Options({{"t", "t"}, {"u", "u"}}, port);
      captures.push_back(std::make_unique<Registration>(
          options, zookeeper.Opener(), [](const Notice&) {}, &clock_));
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
  EXPECT_TRUE(Eventually([&] { return capture->CheckSource(kSource).ok(); }));
  zookeeper_.SetDown(true);
  EXPECT_TRUE(capture->CheckSource(kSource).ok()) << "known ones need no ZooKeeper";
}

TEST_F(RegistrationTest, StandsThereAgainAfterItsSessionEnded) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  zookeeper_.ExpireSessions();
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), IsEmpty());
  EXPECT_TRUE(Eventually([&] { return zookeeper_.Children("/fensi/rs").size() == 1 && capture->trouble().empty(); }));
  EXPECT_THAT(log_.text(), HasSubstr("registered in ZooKeeper again"));
}

TEST_F(RegistrationTest, AcknowledgesNothingOnceTheRootSaysSomethingElse) {
  const auto capture = Make(Options({{"t", "t"}}));
  ASSERT_TRUE(capture->Start(Always).ok());
  ASSERT_TRUE(capture->CheckSource(kSource).ok());
  zookeeper_.Put("/fensi/capture", AgreementText({.kafka = "k2", .message_bytes = 1, .topics = {{"u", "u"}}}));
  EXPECT_TRUE(Eventually([&] { return capture->CheckSource(kSource).code() == StatusCode::kConfiguration; }));
  EXPECT_THAT(zookeeper_.Children("/fensi/rs"), IsEmpty());
}

TEST_F(RegistrationTest, ARootOfSomebodyElseOrOfAnotherVersionIsRefused) {
  zookeeper_.Put("/fensi", "");
  zookeeper_.Put("/fensi/hbaseid", "xyz");
  EXPECT_THAT(StartOnce(Options({{"t", "t"}})).message(), HasSubstr("belongs to another HBase cluster or program"));
  zookeeper_.Remove("/fensi/hbaseid");
  zookeeper_.Put("/fensi/capture", "t to t");
  EXPECT_THAT(StartOnce(Options({{"t", "t"}})).message(),
              HasSubstr("another version of fensi has written the settings"));
}

TEST_F(RegistrationTest, StopsInTimeInEveryState) {
  zookeeper_.SetDown(true);
  EXPECT_EQ(StartOnce(Options({{"t", "t"}})).code(), StatusCode::kUnavailable);
  zookeeper_.SetDown(false);
  const auto begin = clock_.MonotonicNow();
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
  EXPECT_LT(clock_.MonotonicNow() - begin, milliseconds(10'000)) << "a busy machine";
  std::this_thread::sleep_for(milliseconds(50));  // the one that was left behind looks at the fake once more
}

TEST_F(RegistrationTest, OneOfThoseThatShareARootIsItsMasterAndKnowsAll) {
  auto one = Make(Options({{"t", "t"}}, 1));
  const auto two = Make(Options({{"t", "t"}}, 2));
  ASSERT_TRUE(one->Start(Always).ok() && two->Start(Always).ok());
  const std::string first = zookeeper_.Children("/fensi/rs").front();
  EXPECT_EQ(zookeeper_.Data("/fensi/master"), MasterData(first));
  EXPECT_EQ(MasterOf(MasterData(first)), first);
  const auto knows_both = [](const auto& capture) { return capture->cluster().servers.size() == 2; };
  EXPECT_TRUE(Eventually([&] { return knows_both(one) && knows_both(two); }));
  EXPECT_EQ(one->cluster().id, PeerUuid("/fensi"));
  one->Stop();
  const std::string second = zookeeper_.Children("/fensi/rs").front();
  EXPECT_TRUE(Eventually([&] { return zookeeper_.Data("/fensi/master") == MasterData(second); }))
      << "the other one follows";
  EXPECT_TRUE(Eventually([&] { return two->cluster().servers == std::vector{second}; }));
  zookeeper_.ExpireSessions();
  EXPECT_TRUE(Eventually([&] { return MasterOf(zookeeper_.Data("/fensi/master")).starts_with("here,2,"); }));
}

TEST_F(RegistrationTest, WhoWasKilledIsNotTheMasterUntilItsSessionEnds) {
  ASSERT_TRUE(StartOnce(Options({{"t", "t"}})).ok());
  zookeeper_.Put("/fensi/master", MasterData("here,1,5"));
  const auto again = Make(Options({{"t", "t"}}, 1));
  ASSERT_TRUE(again->Start(Always).ok());
  EXPECT_EQ(zookeeper_.Data("/fensi/master"), MasterData(zookeeper_.Children("/fensi/rs").front()));
}

constexpr char kUser[] = "fensi:secret";
const hbase::Grant kOurGrant{"digest", hbase::DigestId(kUser), hbase::kEverything};
const hbase::Grant kAnybodysGrant{"world", "anyone", hbase::kReadGrant};

RegistrationOptions OptionsOfUser(const std::string& user = kUser) {
  RegistrationOptions options = Options({{"t", "t"}});
  options.zookeeper.digest = user;
  return options;
}

TEST_F(RegistrationTest, ZnodesOfAUserAreReadByAnybodyAndWrittenByNobodyElse) {
  const auto capture = Make(OptionsOfUser());
  ASSERT_TRUE(capture->Start(Always).ok());
  const std::string place = "/fensi/rs/" + zookeeper_.Children("/fensi/rs").front();
  for (const std::string& node : {std::string("/fensi"), std::string("/fensi/rs"), std::string("/fensi/hbaseid"),
                                  std::string("/fensi/master"), place}) {
    EXPECT_THAT(zookeeper_.Grants(node), ElementsAre(kOurGrant, kAnybodysGrant)) << node;
  }
  EXPECT_THAT(zookeeper_.Grants("/fensi/capture"), ElementsAre(kOurGrant));
  EXPECT_EQ(StartOnce(Options({{"t", "t"}}, 2)).code(), StatusCode::kPermission) << "nobody";
  EXPECT_EQ(StartOnce(OptionsOfUser("fensi:wrong")).code(), StatusCode::kPermission);
  EXPECT_TRUE(capture->CheckSource(kSource).ok());
  capture->Stop();
  EXPECT_TRUE(StartOnce(OptionsOfUser()).ok());
}

TEST_F(RegistrationTest, ZnodesThatOthersMayWriteAreNamedWithTheRemedy) {
  ASSERT_TRUE(StartOnce(Options({{"t", "t"}})).ok());  // of nobody, so of everybody
  const Status open = StartOnce(OptionsOfUser());
  EXPECT_EQ(open.code(), StatusCode::kConfiguration);
  for (const char* text :
       {"znode /fensi (anybody has rwcda there)", "znode /fensi/rs (", "znode /fensi/hbaseid (",
        "znode /fensi/capture (", "addauth digest USER:PASSWORD; setAcl /fensi auth::cdrwa,world:anyone:r;",
        "setAcl /fensi/capture auth::cdrwa"}) {
    EXPECT_THAT(open.message(), HasSubstr(text));
  }
  EXPECT_THAT(open.message(), Not(HasSubstr("secret")));
  for (const char* node : {"/fensi", "/fensi/rs", "/fensi/hbaseid"}) {
    zookeeper_.SetGrants(node, {kOurGrant, kAnybodysGrant});
  }
  zookeeper_.SetGrants("/fensi/capture", {kOurGrant});
  EXPECT_TRUE(StartOnce(OptionsOfUser()).ok()) << "what the remedy does";
}

TEST_F(RegistrationTest, AStrangersPlaceBelowTheRootIsNamed) {
  ASSERT_TRUE(StartOnce(OptionsOfUser()).ok());
  zookeeper_.Put("/fensi/rs/stranger,1,1", "");
  const Status status = StartOnce(OptionsOfUser());
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("; delete /fensi/rs/stranger,1,1"));
}

TEST(Access, SaysWhatIsWrongWithAList) {
  // As ZooKeeper's DigestAuthenticationProvider has it in its own documentation.
  EXPECT_EQ(hbase::DigestId("super:superpw"), "super:g9oN2HttPfn8MMWJZ2r45Np/LIA=");
  const std::string us = hbase::DigestId(kUser);
  const auto fault = [&](const std::vector<hbase::Grant>& grants, hbase::Sight sight = hbase::Sight::kAnybodys) {
    return hbase::FaultOfGrants(grants, us, sight);
  };
  EXPECT_EQ(fault({kOurGrant, kAnybodysGrant}), "");
  EXPECT_EQ(fault({kAnybodysGrant, {"digest", us, 1}, {"digest", us, 30}}), "");
  EXPECT_EQ(fault({kOurGrant}, hbase::Sight::kOurs), "");
  EXPECT_EQ(fault({kOurGrant}), "HBase cannot read it: world:anyone needs r");
  EXPECT_THAT(fault({kAnybodysGrant}), HasSubstr("has not all permissions"));
  EXPECT_EQ(fault({kOurGrant, {"world", "anyone", 9}}), "anybody has rd there");
  EXPECT_EQ(fault({kOurGrant, kAnybodysGrant, {"digest", "eve:hash", 31}}), "digest:eve has rwcda there");
  EXPECT_EQ(fault({kOurGrant, kAnybodysGrant, {"ip", "10.0.0.0/8", 1}}), "") << "they only read";
  EXPECT_EQ(fault({kOurGrant, {"ip", "10.0.0.0/8", 4}}, hbase::Sight::kOurs), "ip:10.0.0.0/8 has c there");
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

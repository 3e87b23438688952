#include "cli/planning/online_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/mapping.h"
#include "store/open_store.h"
#include "tests/cli/support/unable_store.h"
#include "tests/support/matchers.h"

namespace fensi::cli {
namespace {

using ::testing::Field;

constexpr int64_t kMessage = 1'000'000;
constexpr int64_t kDay = 86'400'000;

TopicPlan Topic() {
  TopicPlan plan;
  plan.wanted.name = "guanzhu";
  plan.exists = true;
  plan.found = {4, "delete", 7 * kDay, -1, kMessage};
  return plan;
}

auto Warning(const std::string& text) {
  return AllOf(Field(&OnlineFinding::error, false), Field(&OnlineFinding::about, "topic guanzhu"),
               Field(&OnlineFinding::text, HasSubstr(text)));
}

TEST(TopicFindings, AreNoneOfATopicAsItShouldBe) {
  EXPECT_THAT(TopicFindings(Topic(), TopicUse::kStream, kMessage), IsEmpty());
  TopicPlan for_ever = Topic();
  for_ever.found.retention_ms = -1;
  EXPECT_THAT(TopicFindings(for_ever, TopicUse::kStream, kMessage), IsEmpty());
}

TEST(TopicFindings, AreNoneAboutWhatTheBrokerDoesNotTell) {
  TopicPlan plan = Topic();
  plan.found = {4, "", {}, {}, {}};
  EXPECT_THAT(TopicFindings(plan, TopicUse::kStream, kMessage), IsEmpty());
}

TEST(TopicFindings, NameAMissingTopicAsAnError) {
  TopicPlan plan = Topic();
  plan.exists = false;
  plan.found = {};
  EXPECT_THAT(
      TopicFindings(plan, TopicUse::kStream, kMessage),
      ElementsAre(AllOf(Field(&OnlineFinding::error, true), Field(&OnlineFinding::text, HasSubstr("missing")))));
}

TEST(TopicFindings, WarnOfRequestsThatAnIndexMadeBeforeHasNot) {
  TopicPlan plan = Topic();
  plan.exists = false;
  EXPECT_THAT(TopicFindings(plan, TopicUse::kRequests, kMessage), ElementsAre(Warning("is missing: nobody can ask")));
}

TEST(TopicFindings, WarnOfEventsThatGoBeforeADaemonCanComeBack) {
  TopicPlan plan = Topic();
  plan.found.retention_ms = kDay;
  plan.found.retention_bytes = 1 << 30;
  EXPECT_THAT(TopicFindings(plan, TopicUse::kStream, kMessage),
              ElementsAre(Warning("keeps events for 24 h 0 m (retention.ms)"),
                          Warning("keeps 1,073,741,824 bytes of a partition (retention.bytes)")));
  EXPECT_THAT(TopicFindings(plan, TopicUse::kDeadLetters, kMessage), IsEmpty());
}

TEST(TopicFindings, WarnOfMessagesThatDoNotFit) {
  TopicPlan plan = Topic();
  plan.found.max_message_bytes = kMessage - 1;
  EXPECT_THAT(TopicFindings(plan, TopicUse::kStream, kMessage),
              ElementsAre(Warning("takes messages of 999,999 bytes")));
  EXPECT_THAT(TopicFindings(plan, TopicUse::kDeadLetters, kMessage),
              ElementsAre(Warning("dead letters, with their event")));
  EXPECT_THAT(TopicFindings(plan, TopicUse::kStream, kMessage - 1), IsEmpty());
}

TEST(TopicFindings, WarnOfAStreamOfOnePartition) {
  TopicPlan plan = Topic();
  plan.found.partitions = 1;
  EXPECT_THAT(TopicFindings(plan, TopicUse::kStream, kMessage), ElementsAre(Warning("has 1 partition")));
  EXPECT_THAT(TopicFindings(plan, TopicUse::kDeadLetters, kMessage), IsEmpty());
}

/// What is said of tables that are not there is of no interest here.
std::vector<OnlineFinding> OfTheStore(std::vector<OnlineFinding> findings) {
  std::erase_if(findings, [](const OnlineFinding& each) { return each.about != "the store"; });
  return findings;
}

TEST(TableFindings, TellOnceWhatTheServerCannotDo) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load({{"m.yaml",
                                        "source: s\nindexes:\n"
                                        "  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"
                                        "  j: { table: j, row: '{f1:b}', columns: { 'f1:{row}': '' } }\n"}},
                                      &diagnostics);
  UnableStore store(store::OpenMemoryStore(SystemClock()).value());
  const auto found = [&] { return OfTheStore(CheckTablesOnline(mappings.front().indexes, &store).value()); };
  EXPECT_THAT(found(), ElementsAre(AllOf(Field(&OnlineFinding::error, true),
                                         Field(&OnlineFinding::text, "asked by way of i_state"))));
  for (const StatusCode code : {StatusCode::kUnavailable, StatusCode::kNotFound, StatusCode::kOk}) {
    store.code = code;
    EXPECT_THAT(found(), IsEmpty());
  }
}

/// What is said of the source's family, and whether it is an error.
std::vector<std::pair<bool, std::string>> OfMinVersions(const std::string& options) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml",
        "source: s\nindexes:\n  i:\n    table: i\n    row: '{row}'\n    columns: { 'f:': '{f:a}' }\n" + options}},
      &diagnostics);
  const auto store = store::OpenMemoryStore(SystemClock()).value();
  EXPECT_TRUE(
      store->CreateTable({"s", {{.name = "f", .min_versions = 1, .ttl_seconds = 60, .replication_scope = 1}}}, {})
          .ok());
  std::vector<std::pair<bool, std::string>> said;
  const std::vector<OnlineFinding> findings = CheckTablesOnline(mappings.front().indexes, store.get()).value();
  for (const OnlineFinding& finding : findings) {
    if (finding.about == "source table s") said.emplace_back(finding.error, finding.text);
  }
  return said;
}

TEST(TableFindings, TellOfMinVersionsThatKeepCellsLongerThanTheirEntries) {
  const std::string text =
      "family 'f' has MIN_VERSIONS 1: HBase shows the newest versions beyond their TTL, and the entries of the index's "
      "family 'f' expire after 60 s";
  EXPECT_THAT(OfMinVersions("    create: { families: { f: { ttl: 60s } } }\n"), ElementsAre(std::pair(false, text)));
  EXPECT_THAT(OfMinVersions("    expire: exact\n    create: { families: { f: { ttl: 60s } } }\n"),
              ElementsAre(std::pair(true, text)));
  EXPECT_THAT(OfMinVersions("    scheme: mirror\n    create: { families: { f: { ttl: 60s } } }\n"),
              ElementsAre(std::pair(true, text)));
  EXPECT_THAT(OfMinVersions("    create: { families: { f: { ttl: 60s, min_versions: 1 } } }\n"), IsEmpty());
}

}  // namespace
}  // namespace fensi::cli

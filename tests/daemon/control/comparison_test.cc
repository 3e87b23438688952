// What a reload does of each change to a mapping file.
#include "daemon/control/comparison.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "mapping/mapping.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

constexpr char kFensi[] = "  fensi:\n    table: fensi\n    row: '{f1:from}'\n    columns: { 'f1:{row}': '' }\n";
constexpr char kFans[] = "  fans:\n    table: fans\n    row: '{f1:from}'\n    columns: { 'f1:{row}': '' }\n";

operations::Indexes Load(const std::string& indexes, const std::string& head = "") {
  mapping::Diagnostics diagnostics;
  const std::vector<mapping::Mapping> mappings =
      mapping::Load({{"m.yaml", "source: guanzhu\n" + head + "indexes:\n" + indexes}}, &diagnostics);
  EXPECT_EQ(diagnostics.errors(), 0u) << diagnostics.Text();
  return mappings.empty() ? operations::Indexes() : mappings.front().indexes;
}

std::vector<RunningIndex> Running(const operations::Indexes& indexes) {
  std::vector<RunningIndex> running;
  for (const auto& index : indexes) running.push_back({index.get()});
  return running;
}

std::vector<std::string> NamesOf(const operations::Indexes& indexes) {
  std::vector<std::string> names;
  for (const auto& index : indexes) names.push_back(index->name());
  return names;
}

/// Of one running index `fensi`, with `more` lines in its definition now.
Comparison Changed(const std::string& more, const std::string& head = "") {
  const operations::Indexes before = Load(kFensi), now = Load(kFensi + more, head);
  return CompareIndexes(Running(before), now);
}

void ExpectUnnoticed(const Comparison& found) {
  EXPECT_THAT(found.refused, IsEmpty());
  EXPECT_THAT(found.waits, IsEmpty());
  EXPECT_THAT(found.begin, IsEmpty());
  EXPECT_THAT(found.end, IsEmpty());
  EXPECT_THAT(NamesOf(found.stay), ElementsAre("fensi"));
}

void ExpectRefused(const Comparison& found, const std::string& why) {
  ASSERT_EQ(found.refused.size(), 1u);
  EXPECT_THAT(found.refused[0].all(), HasSubstr("index fensi: " + why));
}

TEST(ReloadComparisonTest, NothingCommentsTestsAndAllowAreNotNoticed) {
  ExpectUnnoticed(Changed(""));
  ExpectUnnoticed(Changed("    # another comment\n"));
  ExpectUnnoticed(Changed("    ignore_warnings: [key-width]\n"));
  ExpectUnnoticed(
      Changed("tests:\n  - name: one\n    given: [ { put: a, 'f1:from': b, ts: 1 } ]\n    expect: { fensi: { b: { "
              "'f1:a': '' } } }\n"));
}

TEST(ReloadComparisonTest, SplitsAreForATableThatIsMadeAndAreLookedAt) {
  const Comparison found = Changed("    create: { split: { keys: ['m'] } }\n");
  ExpectUnnoticed(found);
  EXPECT_THAT(found.remade, ElementsAre("fensi"));
}

TEST(ReloadComparisonTest, WhatARunningIndexHoldsOfItsFamiliesWaits) {
  const Comparison found = Changed("    create: { families: { f1: { ttl: 7d } } }\n");
  EXPECT_THAT(found.refused, IsEmpty());
  EXPECT_THAT(found.waits, ElementsAre("index fensi: 'create' has changed"));
  EXPECT_THAT(found.remade, ElementsAre("fensi"));
}

TEST(ReloadComparisonTest, DeadLettersWait) {
  EXPECT_THAT(Changed("    dead_letters: other.dead\n").waits, ElementsAre("index fensi: 'dead_letters' has changed"));
}

TEST(ReloadComparisonTest, AChangelogWaits) {
  constexpr char kCopy[] = "  copy:\n    table: copy\n    row: '{row}'\n    columns: { 'f1:from': '{f1:from}' }\n";
  const operations::Indexes without = Load(kCopy),
                            with = Load(std::string(kCopy) + "    changelog: { schema: true }\n");
  EXPECT_THAT(CompareIndexes(Running(without), with).waits, ElementsAre("index copy: 'changelog' has changed"));
  EXPECT_THAT(CompareIndexes(Running(with), without).waits, ElementsAre("index copy: 'changelog' has changed"));
  EXPECT_THAT(CompareIndexes(Running(with), with).waits, IsEmpty());
}

TEST(ReloadComparisonTest, AnotherDefinitionIsRefusedWithBothWays) {
  const Comparison found = Changed("    when: ['{f1:from} == a']\n");
  ExpectRefused(found, "its definition has changed");
  EXPECT_THAT(found.refused[0].all(), HasSubstr("fensi switch"));
  EXPECT_THAT(found.refused[0].all(), HasSubstr("fensi drop"));
}

TEST(ReloadComparisonTest, AnotherTopicGroupOrStateTableIsRefused) {
  ExpectRefused(Changed("", "topic: other\n"), "its topic has changed from 'guanzhu' to 'other'");
  ExpectRefused(Changed("    group: other\n"), "its group has changed from 'fensi-fensi' to 'other'");
  ExpectRefused(Changed("    state_table: other\n"), "its state table has changed from");
}

TEST(ReloadComparisonTest, AnotherSchemeIsRefused) {
  constexpr char kCopy[] = "  copy:\n    table: copy\n    row: '{row}'\n    columns: { 'f1:from': '{f1:from}' }\n";
  const operations::Indexes before = Load(kCopy), now = Load(std::string(kCopy) + "    mode: stateless\n");
  const Comparison found = CompareIndexes(Running(before), now);
  ASSERT_EQ(found.refused.size(), 1u);
  EXPECT_THAT(found.refused[0].all(), HasSubstr("index copy: its 'mode' has changed"));
  EXPECT_THAT(found.refused[0].all(),
              AllOf(HasSubstr("fensi convert"), HasSubstr("began without its source table stays stateful")));
  const Comparison back = CompareIndexes(Running(now), before);
  ASSERT_EQ(back.refused.size(), 1u);
  EXPECT_THAT(back.refused[0].all(), AllOf(HasSubstr("stateless_fallback"), Not(HasSubstr("fensi convert"))));
}

TEST(ReloadComparisonTest, ANewIndexBeginsAndOneThatIsGoneEnds) {
  const operations::Indexes one = Load(kFensi), other = Load(kFans), both = Load(std::string(kFensi) + kFans);
  Comparison found = CompareIndexes(Running(one), both);
  EXPECT_THAT(NamesOf(found.begin), ElementsAre("fans"));
  EXPECT_THAT(NamesOf(found.stay), ElementsAre("fensi"));
  EXPECT_THAT(found.end, IsEmpty());
  found = CompareIndexes(Running(both), one);
  EXPECT_THAT(found.begin, IsEmpty());
  EXPECT_THAT(found.end, ElementsAre("fans"));
  found = CompareIndexes(Running(one), other);
  EXPECT_THAT(NamesOf(found.begin), ElementsAre("fans"));
  EXPECT_THAT(found.end, ElementsAre("fensi"));
  EXPECT_THAT(found.refused, IsEmpty());
}

TEST(ReloadComparisonTest, OneThatHasEndedBeginsAnewWithWhateverDefinition) {
  const operations::Indexes before = Load(kFensi), now = Load(std::string(kFensi) + "    when: ['{f1:from} == a']\n");
  const Comparison found = CompareIndexes({{.index = before[0].get(), .ended = true}}, now);
  EXPECT_THAT(found.refused, IsEmpty());
  EXPECT_THAT(NamesOf(found.begin), ElementsAre("fensi"));
  EXPECT_THAT(found.end, IsEmpty());
}

TEST(ReloadComparisonTest, OneThatIsLeavingComesBackOnlyWhenItHasEnded) {
  const operations::Indexes index = Load(kFensi);
  ExpectRefused(CompareIndexes({{.index = index[0].get(), .leaving = true}}, index),
                "an earlier reload removed this index");
  const Comparison found = CompareIndexes({{.index = index[0].get(), .leaving = true}}, Load(kFans));
  EXPECT_THAT(found.end, IsEmpty()) << "it ends already";
}

TEST(ReloadComparisonTest, ARenamedIndexDoesNotTakeTheStateOfOneThatIsStillAtWork) {
  const operations::Indexes before = Load(kFensi);
  const operations::Indexes now = Load(std::string(kFans) + "    state_table: " + before[0]->state_table() + "\n");
  const Comparison found = CompareIndexes(Running(before), now);
  ASSERT_EQ(found.refused.size(), 1u);
  EXPECT_THAT(found.refused[0].all(), HasSubstr("index fans: it has the state table or the group of index fensi"));
}

}  // namespace
}  // namespace fensi::daemon

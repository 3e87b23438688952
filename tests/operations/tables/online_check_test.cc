#include "operations/tables/online_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "mapping/environment.h"
#include "mapping/mapping.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/tables/taken_names.h"
#include "store/open_store.h"
#include "tests/operations/support/unable_store.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
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
  EXPECT_THAT(TopicFindings(plan, TopicUse::kRequests, kMessage),
              ElementsAre(Warning("is missing, so that no backfill or repair is possible")));
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
  const auto found = [&] {
    return OfTheStore(CheckTablesOnline(mappings.front().indexes, &store, mapping::kDefaultMetaTable).value());
  };
  EXPECT_THAT(found(), ElementsAre(AllOf(Field(&OnlineFinding::error, true),
                                         Field(&OnlineFinding::text, "asked by way of i_state"))));
  for (const StatusCode code : {StatusCode::kUnavailable, StatusCode::kNotFound, StatusCode::kOk}) {
    store.code = code;
    EXPECT_THAT(found(), IsEmpty());
  }
}

/// Findings about the source, of an index of column `column` of table `source`. The store has table s, whose rows have
/// f:from and f:to.
std::vector<std::string> OfSource(const std::string& source, const std::string& column) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load({{"m.yaml", "source: " + source + "\nindexes:\n  i: { table: i, row: '{" +
                                                      column + "}', columns: { 'f:{row}': '' } }\n"}},
                                      &diagnostics);
  const auto store = store::OpenMemoryStore(SystemClock()).value();
  store::FamilyDescriptor family{.name = "f"};
  family.replication_scope = 1;
  EXPECT_TRUE(store->CreateTable({.name = "guanzhu", .families = {family}}, {}).ok());
  const auto put = [](const char* qualifier) {
    return std::vector<Cell>{{.family = "f", .qualifier = qualifier, .timestamp = 1, .value = "a"}};
  };
  const std::vector<store::RowMutation> rows = {{"r1", put("from")}, {"r2", put("to")}};
  EXPECT_TRUE(store->Put("guanzhu", rows).ok());
  std::vector<std::string> texts;
  const auto findings = CheckTablesOnline(mappings.front().indexes, store.get(), mapping::kDefaultMetaTable);
  EXPECT_TRUE(findings.ok());
  for (const OnlineFinding& each : *findings) {
    if (each.about.starts_with("source")) texts.push_back(each.text);
  }
  return texts;
}

TEST(SourceFindings, NameAColumnThatNoRowHasAndTheNearestOne) {
  EXPECT_THAT(OfSource("guanzhu", "f:from"), IsEmpty());
  EXPECT_THAT(OfSource("guanzhu", "f:fromm"),
              ElementsAre("none of the 2 rows that were read has the column f:fromm, which the index reads; did you "
                          "mean 'f:from'?"));
  EXPECT_THAT(OfSource("guanzhu", "f:price"),
              ElementsAre("none of the 2 rows that were read has the column f:price, which the index reads. Check the "
                          "column's name in the mapping"));
}

TEST(SourceFindings, NameTheTableThatIsMeant) {
  EXPECT_THAT(OfSource("guanzu", "f:from"), ElementsAre(HasSubstr("did you mean 'guanzhu'?")));
}

/// A store that sees a cluster.
class ClusterStore final : public store::DelegatingStore {
 public:
  ClusterStore() : DelegatingStore(std::shared_ptr<store::Store>(store::OpenMemoryStore(SystemClock()).value())) {}
  Result<std::optional<store::ClusterFacts>> DescribeCluster() override { return facts; }

  Result<std::optional<store::ClusterFacts>> facts =
      std::optional(store::ClusterFacts{"2.6.1", "id-1", 2, {"region server rs2:16020: no such host"}});
};

TEST(ClusterFindings, NameTheClusterAndRegionServersThatCannotBeReached) {
  ClusterStore store;
  const auto found = [&] { return CheckTablesOnline({}, &store, mapping::kDefaultMetaTable); };
  auto findings = found();
  ASSERT_TRUE(findings.ok()) << findings.status().ToString();
  ASSERT_EQ(findings->size(), 2u);
  EXPECT_TRUE((*findings)[0].note && !(*findings)[0].error);
  EXPECT_EQ((*findings)[0].text, "version 2.6.1, cluster id id-1, 2 region servers");
  EXPECT_TRUE((*findings)[1].error);
  EXPECT_THAT((*findings)[1].text, HasSubstr("region server rs2:16020: no such host: fensi calls each region server"));
  store.facts = Status(StatusCode::kPermission, "not for you");
  EXPECT_THAT(found().value(), IsEmpty()) << "it is no fault of the indexes";
  store.facts = Status(StatusCode::kUnavailable, "away");
  EXPECT_EQ(found().status().code(), StatusCode::kUnavailable);
}

/// A store of which one table is there and answers nobody.
class DisabledTable final : public store::DelegatingStore {
 public:
  using DelegatingStore::DelegatingStore;
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    if (table == disabled) return Status(StatusCode::kUnavailable, "TableNotEnabledException: " + table);
    return DelegatingStore::Scan(table, request);
  }
  std::string disabled;
};

TEST(TableFindings, NameATableThatIsThereAndAnswersNobody) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  auto behind = store::OpenMemoryStore(SystemClock()).value();
  for (const char* table : {"s", "i", "i_state"}) {
    EXPECT_TRUE(behind->CreateTable({table, {{.name = "f1"}, {.name = "s"}, {.name = "i"}}}, {}).ok());
  }
  DisabledTable store(std::move(behind));
  const auto silent = [&] {
    std::vector<std::string> names;
    const auto findings = CheckTablesOnline(mappings.front().indexes, &store, mapping::kDefaultMetaTable);
    EXPECT_TRUE(findings.ok());
    for (const OnlineFinding& each : *findings) {
      if (each.error && each.text.starts_with("does not answer a read")) names.push_back(each.about);
    }
    return names;
  };
  EXPECT_THAT(silent(), IsEmpty());
  for (const char* table : {"s", "i", "i_state"}) {
    store.disabled = table;
    EXPECT_THAT(silent(), ElementsAre(std::string("table ") + table));
  }
}

TEST(TableFindings, NameATableThatWasMadeAgain) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", "source: s\nindexes:\n  i: { table: i, row: '{f1:a}', columns: { 'f1:{row}': '' } }\n"}},
      &diagnostics);
  const auto store = store::OpenMemoryStore(SystemClock()).value();
  for (const char* table : {"s", "i", "i_state"}) {
    EXPECT_TRUE(
        store->CreateTable({table, {{.name = "f1"}, {.name = "s"}, {.name = "i"}, {.name = "d"}, {.name = "m"}}}, {})
            .ok());
  }
  const mapping::Index& index = *mappings.front().indexes.front();
  EXPECT_TRUE(indexer::IndexMeta(&index, store.get()).Open().ok());
  EXPECT_TRUE(indexer::IndexTable(&index, store.get()).LookAndNote().ok());
  const auto named = [&] {
    const auto findings = CheckTablesOnline(mappings.front().indexes, store.get(), mapping::kDefaultMetaTable).value();
    return std::any_of(findings.begin(), findings.end(), [](const OnlineFinding& each) {
      return each.error && each.about == "table i" && each.text.starts_with("the index is 'mismatch'. Table i was ");
    });
  };
  EXPECT_FALSE(named());
  EXPECT_TRUE(store->DropTable("i").ok());
  EXPECT_TRUE(store->CreateTable({"i", {{.name = "f1"}}}, {}).ok());
  EXPECT_TRUE(named()) << "no daemon has seen it";
  EXPECT_TRUE(indexer::IndexTable(&index, store.get()).LookAndNote().ok());
  EXPECT_TRUE(named());
}

/// What is said of the source's family, and whether it is an error.
std::vector<std::pair<bool, std::string>> OfMinVersions(const std::string& options,
                                                        std::optional<int32_t> of_source = 1) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml",
        "source: s\nindexes:\n  i:\n    table: i\n    row: '{row}'\n    columns: { 'f:': '{f:a}' }\n" + options}},
      &diagnostics);
  const auto store = store::OpenMemoryStore(SystemClock()).value();
  EXPECT_TRUE(store
                  ->CreateTable(
                      {"s", {{.name = "f", .min_versions = of_source, .ttl_seconds = 60, .replication_scope = 1}}}, {})
                  .ok());
  std::vector<std::pair<bool, std::string>> said;
  const std::vector<OnlineFinding> findings =
      CheckTablesOnline(mappings.front().indexes, store.get(), mapping::kDefaultMetaTable).value();
  for (const OnlineFinding& finding : findings) {
    if (finding.about == "source table s") said.emplace_back(finding.error, finding.text);
  }
  return said;
}

TEST(TableFindings, TellOfMinVersionsThatKeepCellsLongerThanTheirEntries) {
  const std::string text =
      "family 'f' has MIN_VERSIONS 1: HBase shows the newest versions beyond their TTL, and the entries of the index's "
      "family 'f' expire after 60 s. Set MIN_VERSIONS of the source's family to 0, or leave 'ttl' out of the index's "
      "family";
  EXPECT_THAT(OfMinVersions("    create: { families: { f: { ttl: 60s } } }\n"), ElementsAre(std::pair(false, text)));
  EXPECT_THAT(OfMinVersions("    expire: exact\n    create: { families: { f: { ttl: 60s } } }\n"),
              ElementsAre(std::pair(true, text)));
  EXPECT_THAT(OfMinVersions("    mode: stateless\n    create: { families: { f: { ttl: 60s } } }\n"),
              ElementsAre(std::pair(true, text)));
  EXPECT_THAT(OfMinVersions("    create: { families: { f: { ttl: 60s, min_versions: 1 } } }\n"), IsEmpty());
}

TEST(TableFindings, TellOfMinVersionsThatKeepEntriesLongerThanTheirCells) {
  const std::string text =
      "family 'f' has MIN_VERSIONS 0, the index's family 'f' 1: HBase drops each expired cell of the source, and keeps "
      "its entry. Leave 'min_versions' out of the index's family, or set MIN_VERSIONS of the source's family";
  const std::string kept = "    create: { families: { f: { ttl: 60s, min_versions: 1 } } }\n";
  EXPECT_THAT(OfMinVersions(kept, std::nullopt), ElementsAre(std::pair(false, text)));
  EXPECT_THAT(OfMinVersions("    mode: stateless\n" + kept, std::nullopt), ElementsAre(std::pair(true, text)));
  EXPECT_THAT(OfMinVersions("    mode: stateless\n" + kept, 1), IsEmpty());
  EXPECT_THAT(OfMinVersions("    create: { families: { f: { ttl: 60s } } }\n", std::nullopt), IsEmpty());
}

/// The store of index `other`, by what its daemon has said of it.
std::unique_ptr<store::Store> StoreOfAnother() {
  std::unique_ptr<store::Store> store = store::OpenMemoryStore(SystemClock()).value();
  EXPECT_TRUE(store->CreateTable(meta::MetaTable("fensi_meta"), {}).ok());
  const meta::IndexRecord record(meta::VersionedMetaRow(store.get(), "fensi_meta", meta::IndexRow("other")));
  EXPECT_TRUE(record.Register({"0123456789abcdef", "others", "other_states", "theirs", "their.changes", "f"}).ok());
  return store;
}

std::shared_ptr<const mapping::Index> IndexNamed(const std::string& name, const std::string& keys,
                                                 const std::string& top) {
  mapping::Diagnostics diagnostics;
  const auto mappings = mapping::Load(
      {{"m.yaml", top + "indexes:\n  " + name + ": { row: '{f1:a}', columns: { 'f1:{row}': '' }, " + keys + " }\n"}},
      &diagnostics);
  EXPECT_EQ(mappings.size(), 1u) << diagnostics.Text();
  return mappings.empty() ? nullptr : mappings.front().indexes.front();
}

struct TakenCase {
  std::string said;  // empty: nothing
  std::string keys = "table: x";
  std::string top = "source: s\n";
  std::string name = "x";
};

TEST(TakenNames, AreThoseThatAnotherIndexOfTheStoreKeepsForItself) {
  const std::unique_ptr<store::Store> store = StoreOfAnother();
  const std::vector<TakenCase> cases = {
      {""},
      {"table other_states is the state table of index other", "table: other_states"},
      {"source other_states is the state table of index other", "table: x", "source: other_states\n"},
      {"state_table other_states is the state table of index other", "table: x, state_table: other_states"},
      {"state_table theirs is the source of index other", "table: x, state_table: theirs"},
      {"state_table others is the table of index other", "table: x, state_table: others"},
      {"", "table: theirs"},  // what an index follows may be an index
      {"", "table: x", "source: others\n"},
      {"topic other.requests is the control topic of index other", "table: x", "source: s\ntopic: other.requests\n"},
      {"topic other.dead is the dead-letter topic of index other", "table: x", "source: s\ntopic: other.dead\n"},
      {"dead_letters other.requests is the control topic of index other", "table: x, dead_letters: other.requests"},
      {"dead_letters their.changes is the change stream of index other", "table: x, dead_letters: their.changes"},
      {"", "table: x, dead_letters: other.dead"},  // letters may be shared
      {"", "table: others, state_table: other_states", "source: theirs\ntopic: their.changes\n", "other"},
  };
  for (const TakenCase& one : cases) {
    const auto index = IndexNamed(one.name, one.keys, one.top);
    ASSERT_NE(index, nullptr);
    const Status refused = RefuseTakenNames(*index, store.get(), mapping::kDefaultMetaTable);
    auto findings = CheckTablesOnline({index}, store.get(), mapping::kDefaultMetaTable).value();
    std::erase_if(findings, [](const OnlineFinding& each) { return each.about != "names"; });
    if (one.said.empty()) {
      EXPECT_TRUE(refused.ok()) << refused.message();
      EXPECT_THAT(findings, IsEmpty());
    } else {
      EXPECT_EQ(refused.code(), StatusCode::kConfiguration) << one.said;
      EXPECT_THAT(refused.message(), HasSubstr(one.said));
      EXPECT_THAT(findings, ElementsAre(AllOf(Field(&OnlineFinding::error, true), Field(&OnlineFinding::index, "x"),
                                              Field(&OnlineFinding::text, HasSubstr(one.said)))));
    }
  }
}

TEST(TakenNames, AreFreeAfterADropAndWithoutAMetaTable) {
  const std::unique_ptr<store::Store> store = StoreOfAnother();
  const auto index = IndexNamed("x", "table: other_states", "source: s\n");
  EXPECT_FALSE(RefuseTakenNames(*index, store.get(), mapping::kDefaultMetaTable).ok());
  const meta::IndexRecord record(meta::VersionedMetaRow(store.get(), "fensi_meta", meta::IndexRow("other")));
  EXPECT_TRUE(record.NoteDropped("0123456789abcdef").ok());
  EXPECT_TRUE(RefuseTakenNames(*index, store.get(), mapping::kDefaultMetaTable).ok());
  const std::unique_ptr<store::Store> empty = store::OpenMemoryStore(SystemClock()).value();
  EXPECT_TRUE(RefuseTakenNames(*index, empty.get(), mapping::kDefaultMetaTable).ok());
}

}  // namespace
}  // namespace fensi::operations

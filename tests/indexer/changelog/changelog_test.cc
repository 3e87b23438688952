// What an index writes to its changelog, change by change.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <span>

#include "indexer/changelog/envelope.h"
#include "indexer/in_process_owner.h"
#include "tests/doubles/memory_changelog.h"
#include "tests/indexer/changelog/rebuilt.h"
#include "tests/indexer/support/refusing_store.h"
#include "tests/indexer/support/scenario.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using consumer::MemoryChangelog;
using nlohmann::json;

constexpr char kOn[] = "    changelog: { format: debezium }\n";

mapping::ChangelogSpec TwoFields() { return {.topic = "t", .fields = {{"f", "k", "f:k"}, {"g", "k", "g:k"}}}; }

Cell CellOf(const std::string& family, int64_t version, const std::string& value = "") {
  return {family, "k", version, value.empty() ? CellType::kDeleteColumn : CellType::kPut, value, {}};
}

TEST(RowImageTest, APutShowsAtOrAboveTheVisibleVersion) {
  const mapping::ChangelogSpec spec = TwoFields();
  const indexer::FieldIndex fields(spec);
  indexer::RowImage image = fields.ImageOf({"r", {CellOf("f", 5, "a")}});
  fields.Put(CellOf("f", 4, "old"), &image);
  EXPECT_EQ(image[0]->value, "a");
  fields.Put(CellOf("f", 5, "again"), &image);
  EXPECT_EQ(image[0]->value, "again");
  fields.Put(CellOf("f", 6, "new"), &image);
  EXPECT_EQ(image[0]->value, "new");
  EXPECT_FALSE(image[1]) << "a column of another family";
}

TEST(RowImageTest, ARemovalHidesItsVersionAndBelow) {
  const mapping::ChangelogSpec spec = TwoFields();
  const indexer::FieldIndex fields(spec);
  indexer::RowImage image = fields.ImageOf({"r", {CellOf("f", 5, "a"), CellOf("g", 5, "b")}});
  fields.Remove(CellOf("f", 4), &image);
  EXPECT_TRUE(image[0]);
  fields.Remove(CellOf("f", 5), &image);
  EXPECT_FALSE(image[0]);
  EXPECT_FALSE(indexer::IsEmpty(image));
  fields.Remove(CellOf("g", 9), &image);
  EXPECT_TRUE(indexer::IsEmpty(image));
}

TEST(RowImageTest, ACellOfNoFieldChangesNothing) {
  const mapping::ChangelogSpec spec = TwoFields();
  const indexer::FieldIndex fields(spec);
  indexer::RowImage image = fields.ImageOf({"r", {CellOf("h", 5, "a")}});
  EXPECT_TRUE(indexer::IsEmpty(image));
}

class ChangelogTest : public ::testing::Test {
 protected:
  explicit ChangelogTest(const std::string& options = kOn, bool reads_source = false)
      : world_(CopyRule(), reads_source, options) {
    world_.set_changelog(&log_);
    Restart(true);
  }

  ChangeEvent Event(const std::vector<std::string>& cells, const std::string& row = "r") {
    ChangeEvent event{.table = "source", .row = row, .sequence_id = ++sequence_, .region = "abc", .write_time = 77};
    for (const std::string& cell : cells) event.cells.push_back(ParseCell(cell));
    world_.ApplyToSource(event);
    return event;
  }
  Status Tell(const std::vector<ChangeEvent>& events) {
    const consumer::Batch batch = world_.MakeBatch(events);
    FENSI_RETURN_IF_ERROR(owner_->Apply(batch));
    return world_.RereadSource(owner_.get(), batch);
  }
  void Restart(bool fresh = false, store::Store* through = nullptr) { owner_ = world_.NewMaintainer(fresh, through); }
  std::string Text() const { return ShortText(log_.messages()); }
  std::string TextBehind(size_t messages) const {
    return ShortText({log_.messages().begin() + static_cast<std::ptrdiff_t>(messages), log_.messages().end()});
  }
  json Envelope(size_t message) const { return json::parse(log_.messages().at(message).value.value()); }
  /// The consumer's table is the index.
  void ExpectRebuilt() const {
    const std::vector<ReadMessage> read = ReadMessages(log_.messages());
    EXPECT_EQ(FaultOfForm(read), "");
    EXPECT_EQ(DifferenceOf(world_.Actual(), Rebuilt(read)), "");
  }

  MemoryChangelog log_;
  World world_;
  std::unique_ptr<indexer::IndexMaintainer> owner_;
  uint64_t sequence_ = 0;
};

TEST_F(ChangelogTest, ARowIsCreatedUpdatedAndDeletedWithATombstone) {
  ASSERT_TRUE(Tell({Event({"k=a@1", "v=x@1"})}).ok());
  ASSERT_TRUE(Tell({Event({"k=b@2"})}).ok());
  ASSERT_TRUE(Tell({Event({"DC:v@3"})}).ok());
  ASSERT_TRUE(Tell({Event({"DF@4"})}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a f:v=x}; u r {f:k=a f:v=x} {f:k=b f:v=x}; u r {f:k=b f:v=x} {f:k=b}; d r {f:k=b}; - r");
  ExpectRebuilt();
}

TEST_F(ChangelogTest, AnEnvelopeNamesItsOrigin) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  EXPECT_EQ(json::parse(log_.messages()[0].key), json({{"row", "r"}}));
  const json envelope = Envelope(0);
  EXPECT_EQ(envelope.at("before"), nullptr);
  EXPECT_EQ(envelope.at("after"), json({{"row", "r"}, {"f:k", "a"}, {"f:v", nullptr}}));
  EXPECT_EQ(envelope.at("op"), "c");
  EXPECT_EQ(envelope.at("ts_ms"), world_.clock()->WallMillis());
  EXPECT_EQ(envelope.at("source"), json({{"version", "1.2.3"},
                                         {"connector", "fensi"},
                                         {"name", "inverse"},
                                         {"db", "default"},
                                         {"table", "source"},
                                         {"ts_ms", 77},
                                         {"snapshot", "false"},
                                         {"region", "abc"},
                                         {"sequence", "1"},
                                         {"escaped", nullptr}}));
}

TEST_F(ChangelogTest, AChangeOfAnotherColumnWritesNothing) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  ASSERT_TRUE(Tell({Event({"m=a@2"}), Event({"k=a@1"})}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a}");
}

TEST_F(ChangelogTest, ABatchGivesARowOneEnvelopeWithItsLastState) {
  ASSERT_TRUE(Tell({Event({"k=a@1"}), Event({"k=b@2"}), Event({"k=x@3"}, "other"), Event({"v=y@4"})}).ok());
  EXPECT_EQ(Text(), "c other {f:k=x}; c r {f:k=b f:v=y}");
  EXPECT_EQ(Envelope(1).at("source").at("sequence"), "4");
}

/// The consumer may have the envelope of an attempt that died before its cells.
TEST_F(ChangelogTest, ARowThatABatchChangesAndChangesBackHasAnEnvelope) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  ASSERT_TRUE(Tell({Event({"k=b@2"}), Event({"k=a@3"})}).ok());
  ASSERT_TRUE(Tell({Event({"k=c@4"}, "new"), Event({"DF@5"}, "new")}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a}; u r {f:k=a} {f:k=a}; d new {}; - new");
}

TEST_F(ChangelogTest, ALatePutBelowARemovalChangesNothing) {
  ASSERT_TRUE(Tell({Event({"k=a@5"})}).ok());
  const ChangeEvent late = Event({"k=b@3"});
  ASSERT_TRUE(Tell({late}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a}");
  ExpectRebuilt();
}

TEST_F(ChangelogTest, TheOrderIsOpenThenEnvelopesThenCells) {
  std::vector<std::string> calls;
  log_.on_write = [&] { calls.push_back("envelopes"); };
  world_.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    const bool write = call == store::FaultyStore::Call::kPut || call == store::FaultyStore::Call::kDelete;
    if (write) calls.push_back(table == "inverse" ? "cells" : "states");
    return Status();
  });
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  EXPECT_THAT(calls, ::testing::ElementsAre("envelopes", "cells", "states"));
  EXPECT_EQ(log_.opened(), 1);
}

TEST_F(ChangelogTest, ACrashBetweenEnvelopeAndCellsRepeatsTheEnvelope) {
  log_.death = [](int number) { return number == 1 ? MemoryChangelog::Death::kAfter : MemoryChangelog::Death::kNone; };
  const ChangeEvent event = Event({"k=a@1"});
  EXPECT_EQ(Tell({event}).code(), StatusCode::kUnavailable);
  EXPECT_EQ(Text(), "c r {f:k=a}");
  EXPECT_TRUE(world_.Actual().empty()) << "no cell before its envelope is durable";
  Restart();
  ASSERT_TRUE(Tell({event}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a}; c r {f:k=a}");
  ExpectRebuilt();
}

TEST_F(ChangelogTest, EnvelopesThatKafkaRefusesLeaveTheIndexAsItIs) {
  log_.death = [](int) { return MemoryChangelog::Death::kBefore; };
  EXPECT_EQ(Tell({Event({"k=a@1"})}).code(), StatusCode::kUnavailable);
  EXPECT_TRUE(world_.Actual().empty());
  EXPECT_TRUE(log_.messages().empty());
}

/// The next owner's larger batch undoes the change, so that the cells of the row are as they were.
TEST_F(ChangelogTest, AnEnvelopeThatNeverBecameTrueIsCorrected) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  log_.death = [](int number) { return number == 2 ? MemoryChangelog::Death::kAfter : MemoryChangelog::Death::kNone; };
  const ChangeEvent away = Event({"k=b@2"}), back = Event({"k=a@3"});
  EXPECT_FALSE(Tell({away}).ok());
  Restart();
  ASSERT_TRUE(Tell({away, back}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a}; u r {f:k=a} {f:k=b}; u r {f:k=a} {f:k=a}");
  ExpectRebuilt();
}

TEST_F(ChangelogTest, ACreationThatNeverBecameTrueIsCorrected) {
  log_.death = [](int number) { return number == 1 ? MemoryChangelog::Death::kAfter : MemoryChangelog::Death::kNone; };
  const ChangeEvent put = Event({"k=b@2"}), removal = Event({"DF@3"});
  EXPECT_FALSE(Tell({put}).ok());
  Restart();
  ASSERT_TRUE(Tell({put, removal}).ok());
  EXPECT_EQ(Text(), "c r {f:k=b}; d r {}; - r");
  ExpectRebuilt();
}

TEST_F(ChangelogTest, AfterACrashWithinTheCellsBeforeIsThePartlyWrittenRow) {
  ASSERT_TRUE(Tell({Event({"k=a@1", "v=x@1"})}).ok());
  const ChangeEvent both = Event({"k=b@2", "DC:v@2"});
  world_.faulty()->FailCall(1, store::FaultyStore::When::kBefore, {}, store::FaultyStore::Call::kDelete);
  EXPECT_FALSE(Tell({both}).ok());
  world_.faulty()->Heal();
  Restart();
  ASSERT_TRUE(Tell({both}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a f:v=x}; u r {f:k=a f:v=x} {f:k=b}; u r {f:k=b f:v=x} {f:k=b}");
  ExpectRebuilt();
}

/// The former owner's message arrives after its successor has worked: Kafka refuses the message.
TEST_F(ChangelogTest, AnEnvelopeOfAFormerOwnerNeverFollows) {
  const ChangeEvent first = Event({"k=a@1"}), second = Event({"k=b@2"});
  log_.KeepBackNext();
  EXPECT_EQ(Tell({first}).code(), StatusCode::kFenced);
  Restart();
  ASSERT_TRUE(Tell({first, second}).ok());
  log_.Release();
  EXPECT_EQ(Text(), "c r {f:k=b}");
  ExpectRebuilt();
}

/// The successor fences before it plans anything, also if its events need no envelope.
TEST_F(ChangelogTest, AnOwnerFencesEarlierOnesWithItsFirstBatch) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  Restart();
  ASSERT_TRUE(Tell({Event({"m=b@2"})}).ok());
  EXPECT_EQ(log_.opened(), 2);
}

TEST_F(ChangelogTest, AnOwnerThatLostThePartitionWritesNothing) {
  const ChangeEvent event = Event({"k=a@1"});
  world_.assignment()->Lose();
  EXPECT_EQ(Tell({event}).code(), StatusCode::kFenced);
  EXPECT_TRUE(log_.messages().empty());
}

TEST_F(ChangelogTest, ACellThatTheStoreRefusesIsTakenBack) {
  RefusingStore refusing(world_.store());
  refusing.Refuse("f", "v");
  Restart(false, &refusing);
  ASSERT_TRUE(Tell({Event({"k=a@1", "v=x@1"})}).ok());
  EXPECT_EQ(Text(), "c r {f:k=a f:v=x}; u r {f:k=a} {f:k=a}");
  EXPECT_EQ(world_.letters()->letters().size(), 1u);
  ExpectRebuilt();
}

TEST_F(ChangelogTest, AnEnvelopeThatIsTooLargeComesWithoutBefore) {
  const std::string large(60, 'x');
  log_.most_bytes = 360;
  ASSERT_TRUE(Tell({Event({"k=" + large + "@1"})}).ok());
  ASSERT_TRUE(Tell({Event({"k=" + large + "y@2"})}).ok());
  EXPECT_EQ(Text(), "c r {f:k=" + large + "}; u r {} {f:k=" + large + "y}");
  EXPECT_TRUE(world_.letters()->letters().empty());
}

TEST_F(ChangelogTest, AnEnvelopeThatIsStillTooLargeIsADeadLetterAndTheIndexHasTheRow) {
  log_.most_bytes = 300;
  ASSERT_TRUE(Tell({Event({"k=" + std::string(100, 'x') + "@1"}), Event({"k=a@2"}, "small")}).ok());
  EXPECT_EQ(Text(), "c small {f:k=a}");
  ASSERT_EQ(world_.letters()->letters().size(), 1u);
  EXPECT_THAT(world_.letters()->letters()[0].reason, HasSubstr("topic inverse.changelog takes 300"));
  EXPECT_EQ(world_.Actual().size(), 2u);
  EXPECT_EQ(world_.counters()->changelog_too_large, 1);
}

TEST_F(ChangelogTest, BytesThatAreNoTextAreEscapedAndNamed) {
  ChangeEvent event = Event({});
  event.row = "a\\\x01\xff";
  event.cells = {{"f", "k", 1, CellType::kPut, "\xff\\b", {}},
                 {"f", "v", 1, CellType::kPut, "\\x\"\n\xe4\xb8\xad", {}}};
  ASSERT_TRUE(Tell({event}).ok());
  const json envelope = Envelope(0);
  EXPECT_EQ(envelope.at("after"),
            json({{"row", "a\\x5C\\x01\\xFF"}, {"f:k", "\\xFF\\x5Cb"}, {"f:v", "\\x\"\n\xe4\xb8\xad"}}));
  EXPECT_EQ(envelope.at("source").at("escaped"), json({"after.f:k"}));
  EXPECT_EQ(world_.counters()->changelog_escaped, 1);
  ChangeEvent again = event;
  again.cells = {{"f", "k", 2, CellType::kPut, "plain", {}}};
  ASSERT_TRUE(Tell({again}).ok());
  EXPECT_EQ(Envelope(1).at("source").at("escaped"), json({"before.f:k"}));
}

TEST_F(ChangelogTest, TwoRowsNeverHaveOneKey) {
  ChangeEvent bytes = Event({"k=a@1"}), text = Event({"k=b@1"});
  bytes.row = "\xff";
  text.row = "\\xFF";
  ASSERT_TRUE(Tell({bytes, text}).ok());
  ASSERT_EQ(log_.messages().size(), 2u);
  EXPECT_NE(log_.messages()[0].key, log_.messages()[1].key);
}

TEST_F(ChangelogTest, AnIndexWithoutChangelogReadsNothingMore) {
  world_.set_changelog(nullptr);
  Restart();
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  EXPECT_TRUE(log_.messages().empty());
  EXPECT_EQ(log_.opened(), 0);
  EXPECT_EQ(world_.counters()->changelog_reads, 0);
}

TEST_F(ChangelogTest, ARepairWithoutADaemonIsRefused) {
  indexer::InProcessOwner owner(&world_.index(), world_.store(), world_.letters(), world_.clock());
  const Status opened = owner.Open();
  EXPECT_EQ(opened.code(), StatusCode::kConfiguration);
  EXPECT_THAT(opened.message(), HasSubstr("index inverse has a changelog"));
}

class Base64Test : public ChangelogTest {
 protected:
  Base64Test() : ChangelogTest("    changelog: { names: qualifier, base64: [row, 'f:k'] }\n") {}
};

TEST_F(Base64Test, ColumnsAndRowsThatAreNamedAreBase64) {
  for (const char* value : {"a", "ab", "abc", "\xff\xfe\xfd"}) {
    ASSERT_TRUE(Tell({Event({std::string("k=") + value + "@" + std::to_string(sequence_ + 1)})}).ok());
  }
  EXPECT_EQ(Text(), "c cg== {k=YQ==}; u cg== {k=YQ==} {k=YWI=}; u cg== {k=YWI=} {k=YWJj}; u cg== {k=YWJj} {k=//79}");
}

class SchemaTest : public ChangelogTest {
 protected:
  SchemaTest() : ChangelogTest("    changelog: { schema: true, base64: ['f:v'] }\n") {}
};

TEST_F(SchemaTest, KeyAndEnvelopeHaveTheirSchemas) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  const json key = json::parse(log_.messages()[0].key), envelope = Envelope(0);
  EXPECT_EQ(key.at("payload"), json({{"row", "r"}}));
  EXPECT_EQ(key.at("schema").at("name"), "inverse.changelog.Key");
  EXPECT_EQ(envelope.at("schema").at("name"), "inverse.changelog.Envelope");
  EXPECT_EQ(envelope.at("payload").at("op"), "c");
  const json& after = envelope.at("schema").at("fields").at(1);
  EXPECT_EQ(after.at("field"), "after");
  EXPECT_EQ(after.at("fields").at(2), json({{"type", "bytes"}, {"optional", true}, {"field", "f:v"}}));
  // Each value has a field in the schema, in the same order for Kafka Connect.
  const json& fields = envelope.at("schema").at("fields");
  for (const auto& value : envelope.at("payload").items()) {
    const std::string& name = value.key();
    EXPECT_EQ(std::count_if(fields.begin(), fields.end(), [&](const json& field) { return field.at("field") == name; }),
              1)
        << name;
  }
  const json& source = fields.at(2).at("fields");
  EXPECT_EQ(source.size(), envelope.at("payload").at("source").size());
}

class AmbiguousTest : public ChangelogTest {
 protected:
  AmbiguousTest() : ChangelogTest(kOn, /*reads_source=*/true) {}
};

TEST_F(AmbiguousTest, AReadOfTheSourceAndItsRepetitionShowWhatTheIndexShows) {
  ASSERT_TRUE(Tell({Event({"k=a@1"}), Event({"k=b@2"})}).ok());
  world_.ShowSourceLate(1);  // the first read shows b, which is deleted already
  ASSERT_TRUE(Tell({Event({"D:k@2"})}).ok());
  ExpectRebuilt();
  const std::vector<ReadMessage> read = ReadMessages(log_.messages());
  EXPECT_EQ(read.back().after.at("f:k"), "a");
}

TEST_F(AmbiguousTest, AnAttemptThatReadAnotherValueAndDiedIsCorrected) {
  ASSERT_TRUE(Tell({Event({"k=a@1"}), Event({"k=b@2"})}).ok());
  const ChangeEvent exposes = Event({"D:k@2"});
  log_.death = [](int number) { return number == 2 ? MemoryChangelog::Death::kAfter : MemoryChangelog::Death::kNone; };
  EXPECT_FALSE(Tell({exposes}).ok());
  EXPECT_EQ(TextBehind(1), "u r {f:k=b} {f:k=a}");
  // Before the next owner reads, the source gets another value.
  const ChangeEvent later = Event({"k=b@3"});
  Restart();
  ASSERT_TRUE(Tell({exposes}).ok());
  ExpectRebuilt();
  ASSERT_TRUE(Tell({later}).ok());
  ExpectRebuilt();
}

TEST_F(AmbiguousTest, ARecheckOfARowThatIsRightStillWritesItsEnvelope) {
  ASSERT_TRUE(Tell({Event({"k=a@1"})}).ok());
  Must(ApplyRequests(&world_, owner_.get(), {RecheckOf("r")}));
  EXPECT_THAT(TextBehind(1), ::testing::StartsWith("u r {f:k=a} {f:k=a}"));
  ExpectRebuilt();
}

TEST_F(AmbiguousTest, ANewRowOfABackfillIsRead) {
  world_.ApplyToSource({.table = "source", .row = "old", .cells = {ParseCell("k=a@1")}});
  Must(ApplyRequests(&world_, owner_.get(), {ImageOf(&world_, "old")}));
  EXPECT_EQ(Text(), "r old {f:k=a}");
  EXPECT_EQ(Envelope(0).at("source").at("snapshot"), "true");
  EXPECT_EQ(Envelope(0).at("source").at("sequence"), nullptr);
}

}  // namespace
}  // namespace fensi::testing

// Cells at the edges of what HBase allows: right in the index, or a dead letter that says why.
#include <gtest/gtest.h>

#include "base/hbase_limits.h"
#include "tests/indexer/support/scenario.h"

namespace fensi::testing {
namespace {

ChangeEvent PutOf(const std::string& row, const std::string& qualifier, const std::string& value, int64_t timestamp) {
  return {.table = "source",
          .row = row,
          .cells = {{.family = "f", .qualifier = qualifier, .timestamp = timestamp, .value = value}},
          .sequence_id = 1};
}

/// Tells one event and answers how the index differs: at once; and after its column was deleted and written again, once
/// with the state from the cache and once with what was stored.
std::string After(Scenario* s, ChangeEvent event) {
  const auto tell = [s](ChangeEvent* told, CellType type) {
    told->cells[0].type = type;
    s->world()->ApplyToSource(*told);
    s->Tells({*told});
    ++told->sequence_id;
    ++told->cells[0].timestamp;
    return s->Difference();
  };
  std::string difference = tell(&event, CellType::kPut);
  for (const char* states : {"from the cache", "as stored"}) {
    for (const CellType type : {CellType::kDeleteColumn, CellType::kPut}) {
      if (difference.empty() && !tell(&event, type).empty()) difference = states + s->Difference();
    }
    s->Restarts();
  }
  return difference;
}

TEST(EdgeCases, ValuesThatAreNoUtf8) {
  Scenario s(ValueRule());
  EXPECT_EQ(After(&s, PutOf("r", "k", std::string("\xff\x00\xfe", 3), 5)), "");
  EXPECT_EQ(s.Index().size(), 1u);
}

TEST(EdgeCases, RowKeysWithZeroBytes) {
  Scenario s(ValueRule());
  EXPECT_EQ(After(&s, PutOf(std::string("\0a\0", 3), "k", "b", 5)), "");
  EXPECT_EQ(After(&s, PutOf(std::string("\0a", 2), "k", "b", 5)), "");
  EXPECT_EQ(s.Index().size(), 2u);
}

TEST(EdgeCases, AnEmptyQualifierIsAColumn) {
  Scenario s(FanOutRule());
  EXPECT_EQ(After(&s, PutOf("r", "", "b", 5)), "");
  EXPECT_EQ(s.Index().count({"b", "f:r."}), 1u);
}

TEST(EdgeCases, AnEmptyValueGivesNoEntryAndALetter) {
  Scenario s(ValueRule());
  s.Tells({PutOf("r", "k", "b", 5)});
  s.Tells({PutOf("r", "k", "", 6)});
  EXPECT_TRUE(s.Index().empty());
  ASSERT_EQ(s.world()->letters()->letters().size(), 1u);
  EXPECT_NE(s.world()->letters()->letters()[0].reason.find("empty"), std::string::npos);
}

TEST(EdgeCases, TimestampsOfClientsInThePastAndTheFuture) {
  Scenario s(ValueRule());
  EXPECT_EQ(After(&s, PutOf("r", "k", "b", 0)), "");
  EXPECT_EQ(After(&s, PutOf("r", "k", "c", int64_t{1} << 60)), "");
  EXPECT_EQ(After(&s, PutOf("r", "k", "d", 7)), "");
}

TEST(EdgeCases, ATimestampThatLeavesNoRoomForAnotherIsADeadLetter) {
  Scenario s(ValueRule());
  s.Tells({PutOf("r", "k", "b", kMaxSourceTime + 1)});
  EXPECT_TRUE(s.Index().empty());
  ASSERT_EQ(s.world()->letters()->letters().size(), 1u);
  EXPECT_NE(s.world()->letters()->letters()[0].reason.find("No later change of the row could follow"),
            std::string::npos);
}

TEST(EdgeCases, FamilyDeletesAtTheLastTimestampAreAppliedAndTheIndexGoesOn) {
  for (const Rule& rule : {QualifierRule(), ValueRule()}) {
    Scenario s(rule);
    s.Tells({PutOf("r", "k", "b", 5)});
    for (uint64_t i = 0; i < 4; ++i) {
      ChangeEvent gone = PutOf("r", "", "", INT64_MAX - 1);
      gone.cells[0].type = CellType::kDeleteFamily;
      gone.sequence_id = 10 + i;
      s.Tells({gone});
    }
    EXPECT_TRUE(s.Index().empty());
    EXPECT_TRUE(s.world()->letters()->letters().empty());
    s.Tells({PutOf("other", "k", "b", 5)});
    EXPECT_EQ(s.Index().size(), 1u) << "the index goes on";
  }
}

TEST(EdgeCases, APutAndADeleteOfOneColumnInOneEventIsADelete) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=a@4")});
  s.Tells({s.Happens("k=b@5 DC:k@5")});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_TRUE(s.Index().empty());
}

TEST(EdgeCases, AnEventOfAnotherTableIsSkippedAndCounted) {
  Scenario s(ValueRule());
  ChangeEvent other = PutOf("r", "k", "b", 5);
  other.table = "other";
  s.Tells({other});
  EXPECT_TRUE(s.Index().empty());
  EXPECT_EQ(s.world()->counters()->skipped, 1);
}

TEST(EdgeCases, AKeyTooLongForARowIsADeadLetterAndTheOldEntryGoes) {
  Scenario s(ValueRule());
  s.Tells({PutOf("r", "k", "b", 5)});
  s.Tells({PutOf("r", "k", std::string(40'000, 'x'), 6)});
  EXPECT_TRUE(s.Index().empty());
  EXPECT_EQ(s.world()->letters()->letters().size(), 1u);
}

TEST(EdgeCases, AValueTooLargeForTheStateIsADeadLetterAndTheOldEntryGoes) {
  Scenario s(ValueRule());
  s.Tells({PutOf("r", "k", "b", 5)});
  s.Tells({PutOf("r", "v", std::string(indexer::kMaxKeptValueBytes + 1, 'x'), 6)});
  EXPECT_TRUE(s.Index().empty());
  EXPECT_EQ(s.world()->letters()->letters().size(), 1u);
  s.Tells({PutOf("r", "v", "small", 7)});
  EXPECT_EQ(s.Index(), (Entries{{{"b", "f:r"}, "small"}}));
}

TEST(EdgeCases, ADeleteOfUnknownKindReadsTheSource) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=b@5")});
  s.Tells({s.Happens("?:k@6")});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_TRUE(s.Index().empty());
  EXPECT_EQ(s.world()->counters()->source_reads, 2) << "a first and a second look";
}

TEST(EdgeCases, ADeleteOfUnknownKindWithoutASourceIsADeadLetter) {
  Scenario s(ValueRule());
  s.Tells({s.Happens("k=b@5")});
  ChangeEvent lost = PutOf("r", "k", "", 6);
  lost.cells[0].type = CellType::kUnknownDelete;
  s.Tells({lost});
  ASSERT_EQ(s.world()->letters()->letters().size(), 1u);
  EXPECT_NE(s.world()->letters()->letters()[0].reason.find("began without its source table"), std::string::npos);
}

TEST(EdgeCases, ARowOfTenThousandColumnsCostsPerEventWhatItsColumnCosts) {
  Scenario s(QualifierRule());
  std::vector<ChangeEvent> events;
  for (int i = 0; i < 10'000; ++i) events.push_back(PutOf("r", "q" + std::to_string(i), "x", 5));
  s.Tells(events);
  s.Restarts();
  size_t state_cells = 0;
  s.world()->counters()->state_reads = 0;
  s.Tells({PutOf("r", "q77", "y", 6)});
  Result<std::vector<store::Row>> state =
      s.world()->store()->Scan("inverse_state", {.columns = {{"s", std::nullopt}}, .max_versions = 9, .raw = true});
  ASSERT_TRUE(state.ok());
  for (const Cell& cell : state->front().cells) state_cells += cell.timestamp == 6 ? 1 : 0;
  EXPECT_EQ(state_cells, 1u) << "one column changed, one state cell was written";
  EXPECT_EQ(s.Index().size(), 10'000u);
  s.Tells({s.Happens("DF@9")});
  EXPECT_TRUE(s.Index().empty());
}

TEST(EdgeCases, AListOfManyItemsThatCannotBeMappedIsAFewLetters) {
  Scenario s({"list",
              "    each: '{f:k | split \",\"}'\n    row: '{item | int | decimal}'\n    columns: { 'f:{row}': '' }\n",
              {}});
  std::string bad;
  for (int i = 0; i < 200'000; ++i) bad += "x" + std::to_string(i) + ",";
  s.Tells({s.Happens("k=" + bad + "@11")});
  EXPECT_EQ(s.world()->letters()->letters().size(), 21u);
  EXPECT_NE(s.world()->letters()->letters().back().reason.find("more errors of this event"), std::string::npos);
  // What was told before is not told again, and is not compared one by one with what is new.
  s.Tells({s.Happens("k=7," + bad + "@12")});
  EXPECT_EQ(s.world()->letters()->letters().size(), 21u);
  EXPECT_EQ(s.Index(), (Entries{{{"7", "f:r"}, ""}}));
}

}  // namespace
}  // namespace fensi::testing

// Rows whose state is more than a cell may hold: the row goes on, a letter says what it lost, nobody else is touched.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/state/unit.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

constexpr size_t kMebibyte = size_t{1} << 20;

/// Its state is one of the whole row, and every column of the family is in it.
Rule WholeRowRule() {
  return {"whole",
          "    each: f:a*\n    row: '{value}'\n    columns: { 'f:{row | without .}.{qualifier}': '' }\n"
          "    when: ['{f:m | default b} != a']\n",
          [](const std::string& row, const SourceModel::VisibleRow& cells, Entries* out) {
            for (const auto& [column, value] : cells) {
              if (column.second.starts_with('a')) (*out)[{value.value, "f:" + row + "." + column.second}] = "";
            }
          }};
}

std::string LongName(int i) { return "a" + std::to_string(10'000 + i) + std::string(30'000, 'x'); }

class UnitBounds : public ::testing::Test {
 protected:
  static ChangeEvent Event(CellType type, const std::string& qualifier, int64_t timestamp, std::string value = "") {
    Cell cell{.family = "f", .qualifier = qualifier, .timestamp = timestamp, .type = type, .value = std::move(value)};
    return {.table = "source", .row = "r", .cells = {cell}};
  }
  static ChangeEvent Put(const std::string& qualifier, const std::string& value, int64_t timestamp) {
    return Event(CellType::kPut, qualifier, timestamp, value);
  }
  static void Happens(Scenario* s, const std::vector<ChangeEvent>& events) {
    for (const ChangeEvent& event : events) s->world()->ApplyToSource(event);
    s->Tells(events);
  }
  /// Puts and deletes so many columns, in batches.
  static void PutAndDelete(Scenario* s, int columns) {
    std::vector<ChangeEvent> events;
    for (int i = 0; i < columns; ++i) {
      events.push_back(Put(LongName(i), "b", 10 + 2 * i));
      events.push_back(Event(CellType::kDeleteColumn, LongName(i), 11 + 2 * i));
    }
    Happens(s, events);
  }
};

TEST_F(UnitBounds, AValueThatDoesNotFitRaisesNoVersionWhenItIsToldAgain) {
  Scenario s(CompositeRule());
  const ChangeEvent first = Put("k", std::string(6 * kMebibyte, 'x'), 5);
  const ChangeEvent second = Put("m", std::string(6 * kMebibyte + 1, 'y'), 6);
  s.Tells({first, second});
  const auto version = [&s] {
    const auto rows = s.world()->store()->Scan(s.world()->index().state_table(), {});
    Must(rows.status());
    return rows->front().cells.front().timestamp;
  };
  const int64_t before = version();
  s.Tells({second});
  s.Tells({first, second});
  EXPECT_EQ(version(), before);
}

TEST_F(UnitBounds, TwoLargeValuesInOneRowAreALetterAndTheRowGoesOn) {
  Scenario s(CompositeRule());
  s.Tells({Put("k", std::string(6 * kMebibyte, 'x'), 5)});
  s.Tells({Put("m", std::string(6 * kMebibyte, 'y'), 6)});
  EXPECT_TRUE(s.Index().empty());
  const auto letters = s.world()->letters()->letters();
  ASSERT_FALSE(letters.empty());
  EXPECT_THAT(letters[0].reason, HasSubstr("for all values of the row"));
  s.Restarts();
  s.Tells({Put("k", "small", 7)});
  s.Tells({Put("m", "too", 8)});
  EXPECT_EQ(s.Index(), (Entries{{{"small-too", "f:r"}, "8"}}));
}

TEST_F(UnitBounds, DeletedColumnsThatDoNotFitIntoAStateAreForgotten) {
  Scenario s(WholeRowRule());
  ASSERT_EQ(s.world()->index().state_scope(), mapping::StateScope::kRow);
  PutAndDelete(&s, 400);
  Happens(&s, {Put("a", "b", 100'000)});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_TRUE(s.world()->letters()->letters().empty());
}

TEST_F(UnitBounds, ALatePutOfAForgottenColumnIsAskedFromTheSource) {
  Scenario s(WholeRowRule(), Scenario::Source::kRead);
  PutAndDelete(&s, 400);
  s.Restarts();
  Happens(&s, {Put(LongName(0), "late", 9)});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_TRUE(s.Index().empty()) << "its delete is forgotten, but the source knows it";
  EXPECT_GT(s.world()->counters()->source_reads, 0);
  Happens(&s, {Put(LongName(0), "new", 100'000)});
  EXPECT_EQ(s.Difference(), "");
  EXPECT_EQ(s.Index().size(), 1u);
}

TEST_F(UnitBounds, ALatePutOfAForgottenColumnWithoutASourceIsALetter) {
  Scenario s(WholeRowRule());
  PutAndDelete(&s, 400);
  s.Tells({Put(LongName(0), "late", 9)});
  ASSERT_EQ(s.world()->letters()->letters().size(), 1u);
  EXPECT_THAT(s.world()->letters()->letters()[0].reason, HasSubstr("it is unknown whether version"));
}

TEST_F(UnitBounds, AForgottenColumnThatComesBackKnowsThatItsOldDeletesAreForgotten) {
  const ChangeEvent late = Put(LongName(0), "late", 9);
  const std::vector<std::vector<ChangeEvent>> comebacks = {
      {Put(LongName(0), "new", 100'000), late, Event(CellType::kDelete, LongName(0), 100'000)},
      {Event(CellType::kDelete, LongName(0), 10), late},
  };
  for (const std::vector<ChangeEvent>& comeback : comebacks) {
    Scenario s(WholeRowRule());
    PutAndDelete(&s, 400);
    Happens(&s, comeback);
    ASSERT_EQ(s.world()->letters()->letters().size(), 1u);
    EXPECT_THAT(s.world()->letters()->letters()[0].reason, HasSubstr("it is unknown whether version"));
  }
}

TEST_F(UnitBounds, MoreLiveColumnsThanAStateHoldsAreLettersAndTheRowGoesOn) {
  Scenario s(WholeRowRule());
  std::vector<ChangeEvent> events;
  for (int i = 0; i < 400; ++i) events.push_back(Put(LongName(i), "b", 10 + i));
  s.Tells(events);
  EXPECT_GT(s.Index().size(), 200u);
  EXPECT_EQ(s.Index().size() + s.world()->letters()->letters().size(), 400u) << "each that is left out is a letter";
  EXPECT_THAT(s.world()->letters()->letters()[0].reason, HasSubstr("left out"));
}

TEST_F(UnitBounds, AFamilysMarkerIsAllThatIsKeptOfWhatItHides) {
  indexer::Unit unit;
  for (int i = 0; i < 100; ++i) {
    unit.FindOrAdd("f", "old" + std::to_string(i))->Put({5, 1, INT64_MAX, "value"}, false);
    unit.FindOrAdd("f", "old" + std::to_string(i))->DeleteColumn(6, 2);
  }
  unit.FindOrAdd("f", "new")->Put({9, 3, INT64_MAX, "value"}, false);
  unit.FindOrAdd("g", "other")->Put({5, 1, INT64_MAX, "value"}, false);
  unit.families->FindOrAdd("f")->DeleteFamily(8, 4);
  indexer::Prune(*unit.families, &unit);
  ASSERT_EQ(unit.columns.size(), 2u);
  EXPECT_EQ(unit.columns[0].qualifier, "new");
  EXPECT_EQ(unit.columns[1].family, "g");
}

TEST_F(UnitBounds, DeletedVersionsAreKeptOnlyAboveTheMarkerAndOnlySoMany) {
  indexer::ColumnState column;
  for (int64_t time = 1; time <= 100'000; ++time) column.DeleteVersion(time * 7919 % 100'003, true);
  EXPECT_EQ(column.deleted_versions.size(), indexer::kMaxDeletedVersions);
  const indexer::IncomingPut late{.timestamp = 3, .sequence_id = 1, .expires_at = INT64_MAX, .value = "b"};
  EXPECT_TRUE(column.Unsure(late, nullptr));
  column.DeleteColumn(100'003, 1);
  EXPECT_TRUE(column.deleted_versions.empty());
  EXPECT_FALSE(column.Unsure(late, nullptr)) << "the marker hides it";
}

TEST_F(UnitBounds, ADeletedVersionBelowThoseThatAreKeptIsNoChangeWhenItIsToldAgain) {
  indexer::ColumnState column;
  for (size_t i = 0; i <= indexer::kMaxDeletedVersions; ++i) column.DeleteVersion(static_cast<int64_t>(10 + i), true);
  EXPECT_EQ(column.unsure, 10);
  EXPECT_FALSE(column.DeleteVersion(10, true));
  EXPECT_FALSE(column.DeleteVersion(9, true));
}

TEST_F(UnitBounds, AColumnWhoseOldVersionsAreLostIsOneLetterAndNoFlood) {
  Scenario s(ValueRule());
  std::vector<ChangeEvent> events;
  for (int i = 0; i < 100; ++i) events.push_back(Put("k", "b", 10 + i));
  for (int i = 0; i < 100; ++i) events.push_back(Event(CellType::kDelete, "k", 109 - i));
  for (int i = 0; i < 50; ++i) events.push_back(Put("v", "v" + std::to_string(i), 200 + i));
  s.Tells(events);
  EXPECT_EQ(s.world()->letters()->letters().size(), 1u);
}

}  // namespace
}  // namespace fensi::testing

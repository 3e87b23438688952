// A stored state that cannot be decoded is damage of its unit: the row is rebuilt from the source, or its events become
// dead letters, and the index goes on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/bytes.h"
#include "indexer/state/layout.h"
#include "indexer/state/state_table.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

const std::string kGarbage[] = {"", "\xff\xff", "a stranger's words"};

struct Place {
  std::string row;
  Cell cell;
};

/// All that is stored of row r.
std::vector<Place> CellsOfRowR(World* world) {
  std::vector<Place> places;
  const auto rows = world->store()->Scan(world->index().state_table(), {.max_rows = 1'000});
  Must(rows.status());
  for (const store::Row& row : *rows) {
    for (const Cell& cell : row.cells) {
      const bool note = cell.family == indexer::kMarkerFamily && !cell.qualifier.empty();
      const bool of_r = row.row == "r" || cell.qualifier == "r";
      if (of_r && cell.family != indexer::kIndexFamily && !note) places.push_back({row.row, cell});
    }
  }
  return places;
}

void Damage(World* world, const Place& place, const std::string& garbage) {
  store::RowMutation mutation{place.row, {place.cell}};
  mutation.cells.front().value = garbage;
  Must(world->store()->Put(world->index().state_table(), {&mutation, 1}).status());
}

/// Row r with an entry, a delete and a doubt behind it, and row other.
void MakeHistory(Scenario* s) {
  s->Tells({s->Happens("k=a@11 v=x@11 m=p@11"), s->Happens("k=a@11 m=p@11", "other")});
  s->Tells({s->Happens("DF@12"), s->Happens("k=b@20 v=y@20 m=q@20")});
  s->Tells({s->Happens("k=c@19")});  // late: it leaves doubt
  s->Restarts();
}

class DamagedState : public ::testing::TestWithParam<const char*> {
 protected:
  static Rule RuleOf(const std::string& name) {
    const std::vector<Rule> rules = AllRules();
    return *std::find_if(rules.begin(), rules.end(), [&](const Rule& rule) { return rule.name == name; });
  }
  static const std::vector<consumer::DeadLetter>& Letters(Scenario* s) {
    return letters_ = s->world()->letters()->letters();
  }
  static inline std::vector<consumer::DeadLetter> letters_;
};

TEST_P(DamagedState, IsRebuiltFromTheSource) {
  const Rule rule = RuleOf(GetParam());
  Scenario first(rule, Scenario::Source::kRead);
  MakeHistory(&first);
  const size_t cells = CellsOfRowR(first.world()).size();
  ASSERT_GE(cells, 1U);
  for (size_t i = 0; i < cells; ++i) {
    for (const std::string& garbage : kGarbage) {
      Scenario s(rule, Scenario::Source::kRead);
      MakeHistory(&s);
      const Place place = CellsOfRowR(s.world())[i];
      Damage(s.world(), place, garbage);
      const std::string what =
          "cell " + place.cell.family + ":" + Escape(place.cell.qualifier) + " = '" + Escape(garbage) + "'";
      s.Tells({s.Happens("k=b@30 v=y@30 m=q@30"), s.Happens("k=d@30", "other")});
      EXPECT_EQ(s.Difference(), "") << what;
      s.Tells({s.Happens("k=e@40 v=z@40 m=s@40")});
      EXPECT_EQ(s.Difference(), "") << what;
      ASSERT_THAT(Letters(&s), Not(IsEmpty())) << what;
      EXPECT_THAT(Letters(&s).front().reason, HasSubstr("is damaged: column")) << what;
      EXPECT_THAT(Letters(&s).front().reason, HasSubstr("rebuilt from the source row")) << what;
      s.Restarts();
      const size_t told = Letters(&s).size();
      s.Tells({s.Happens("k=f@50 v=w@50 m=t@50"), s.Happens("k=g@50", "other")});
      EXPECT_EQ(s.Difference(), "") << what;
      if (place.cell.family != indexer::kMarkerFamily) {
        EXPECT_THAT(Letters(&s), SizeIs(told)) << what;
      }
    }
  }
}

TEST_P(DamagedState, WithoutASourceGoesToTheDeadLettersAndTheRestGoesOn) {
  const Rule rule = RuleOf(GetParam());
  Scenario s(rule);
  s.Tells({s.Happens("k=a@11 v=x@11 m=p@11"), s.Happens("k=a@11 m=p@11", "other")});
  s.Restarts();
  for (const Place& place : CellsOfRowR(s.world())) {
    if (place.cell.family == indexer::kStateFamily) Damage(s.world(), place, "\xff");
  }
  const Entries before = s.Index();
  s.Tells({s.Happens("k=b@30 v=y@30 m=q@30"), s.Happens("k=c@30 m=q@30", "other")});
  ASSERT_THAT(Letters(&s), Not(IsEmpty()));
  for (const consumer::DeadLetter& letter : Letters(&s)) {
    EXPECT_EQ(letter.row, "r");
    EXPECT_THAT(letter.reason, HasSubstr("does not read its source table"));
  }
  const Entries after = s.Index();
  EXPECT_NE(before, after) << "the other row is followed";
  for (const auto& [cell, value] : before) {
    if (cell.first.find("other") == std::string::npos && cell.second.find("other") == std::string::npos) {
      EXPECT_TRUE(after.contains(cell)) << "what the index has of the row stays";
    }
  }
  const size_t told = Letters(&s).size();
  s.Tells({s.Happens("k=d@40 v=y@40 m=q@40")});
  EXPECT_GT(Letters(&s).size(), told) << "also when the state was met before";
}

INSTANTIATE_TEST_SUITE_P(Rules, DamagedState, ::testing::Values("value", "fan-out", "qualifier", "composite"));

TEST(DamagedStates, AConversionAsksTheSourceOfThem) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=a@11")});
  Damage(s.world(), CellsOfRowR(s.world()).front(), "\xff");
  indexer::StateScan scan(&s.world()->index(), s.world()->store(), s.world()->layout());
  std::vector<indexer::StoredState> page;
  const auto more = scan.Next(&page);
  ASSERT_TRUE(more.ok()) << more.status().message();
  ASSERT_THAT(page, SizeIs(1));
  EXPECT_TRUE(page.front().open);
}

}  // namespace
}  // namespace fensi::testing

// Up to which time an index has put entries of a row, whichever way its states lie.
#include "indexer/entry_versions.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/index_meta.h"
#include "indexer/mirror/floors.h"
#include "indexer/state/registers.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::EntryVersions;

/// As the index keeps it: the row of an index that was begun.
std::vector<int64_t> Newest(World* world, const std::vector<indexer::EntryUnit>& units) {
  const auto newest = EntryVersions(&world->index(), world->store()).Newest(units);
  Must(newest.status());
  return *newest;
}

TEST(EntryVersions, AreThoseOfTheStates) {
  for (const Rule& rule : {ValueRule(), QualifierRule()}) {
    Scenario s(rule, Scenario::Source::kRead);
    Must(indexer::IndexMeta(&s.world()->index(), s.world()->store()).Open());
    const auto row = indexer::MetaRow(&s.world()->index(), s.world()->store());
    const std::string buckets =
        s.world()->layout().buckets() ? std::to_string(1 << *s.world()->layout().bucket_bits) : "";
    if (!buckets.empty()) Must(row.Write("buckets", 9, buckets));
    s.Tells({s.Happens("k=a@11"), s.Happens("k=a@17", "other")});
    const bool by_column = rule.name == "qualifier";
    const auto unit = [&](const std::string& name) {
      return indexer::EntryUnit{name, by_column ? "f" : "", by_column ? "k" : ""};
    };
    EXPECT_THAT(Newest(s.world(), {unit("r"), unit("other"), unit("absent")}), ElementsAre(11, 17, indexer::kNoTime));
    s.Tells({s.Happens("DC:k@15")});  // a marker is a register, too
    const int64_t raised = Newest(s.world(), {unit("r")}).front();
    EXPECT_GT(raised, 11);
    EXPECT_THAT(Newest(s.world(), {{"r", "", ""}}), ElementsAre(raised)) << "by its name alone: all column units";
    const auto rows = s.world()->store()->Scan(s.world()->index().table(), {});
    for (const store::Row& each : *rows) {
      for (const Cell& cell : each.cells) {
        if (cell.qualifier == "r") {
          EXPECT_LE(cell.timestamp, raised);
        }
      }
    }
  }
}

TEST(EntryVersions, OfAnIndexThatNobodyBeganNobodyKnows) {
  Scenario s(ValueRule(), Scenario::Source::kRead);
  s.Tells({s.Happens("k=a@11")});
  EXPECT_THAT(Newest(s.world(), {{"r", "", ""}}), ElementsAre(INT64_MAX));
  Must(s.world()->store()->DropTable(s.world()->index().state_table()));
  EXPECT_THAT(Newest(s.world(), {{"r", "", ""}}), ElementsAre(INT64_MAX));
}

TEST(EntryVersions, OfAMirrorAreItsFloors) {
  World world(MirrorValueRule(), true);
  Must(indexer::IndexMeta(&world.index(), world.store()).Open());
  EXPECT_THAT(Newest(&world, {{"r", "", ""}}), ElementsAre(indexer::kNoTime));
  for (const auto& [row, floor] :
       {std::pair<const char*, int64_t>{"mirror/t/0", 70}, {"mirror/t/1", 90}, {"mirror/u/0", 80}}) {
    const store::RowMutation kept{
        row, {{.family = "i", .qualifier = indexer::kFloorColumn, .timestamp = floor, .value = std::to_string(floor)}}};
    Must(world.store()->Put(world.index().state_table(), {&kept, 1}).status());
  }
  EXPECT_THAT(Newest(&world, {{"r", "", ""}, {"s", "", ""}}), ElementsAre(90, 90));
}

}  // namespace
}  // namespace fensi::testing

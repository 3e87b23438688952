// What is said of an index stays said of that one, and a later index of its name begins anew.
#include "meta/index_record.h"

#include <gmock/gmock.h>

#include "tests/meta/meta_world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using meta::IndexDescriptor;
using meta::IndexRecord;
using meta::Phase;

constexpr char kFirst[] = "1111111111111111", kSecond[] = "2222222222222222";

IndexDescriptor Facts(const std::string& incarnation) {
  return {incarnation, "fensi", "fensi_state", "guanzhu", "guanzhu", "abcd"};
}

class IndexRecordTest : public ::testing::Test {
 protected:
  meta::IndexState State() {
    const auto state = record_.Read();
    EXPECT_TRUE(state.ok()) << state.status().message();
    return state->value_or(meta::IndexState());
  }
  MetaWorld world_;
  IndexRecord record_{world_.Row(meta::IndexRow("fensi"))};
};

TEST_F(IndexRecordTest, NobodyRegisteredIt) { EXPECT_FALSE(record_.Read()->has_value()); }

TEST_F(IndexRecordTest, ANewIndexIsBuilding) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  EXPECT_EQ(State().incarnation, kFirst);
  EXPECT_EQ(State().phase, Phase::kBuilding);
  EXPECT_EQ(State().complete, std::nullopt);
  EXPECT_EQ(world_.Shown("index:fensi", "state_table"), "fensi_state");
}

TEST_F(IndexRecordTest, RegisteringAgainWritesNothing) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  using Call = store::FaultyStore::Call;
  const auto writes = [&] { return world_.faulty().Calls(Call::kPut) + world_.faulty().Calls(Call::kCompareAndPut); };
  const int before = writes();
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  EXPECT_EQ(writes(), before);
}

TEST_F(IndexRecordTest, AFactThatChangedIsSaidAnew) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  IndexDescriptor moved = Facts(kFirst);
  moved.topic = "other";
  ASSERT_TRUE(record_.Register(moved).ok());
  EXPECT_EQ(world_.Shown("index:fensi", "topic"), "other");
}

TEST_F(IndexRecordTest, AnIndexBornAnewInheritsNothing) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  ASSERT_TRUE(record_.SetPhase(kFirst, Phase::kLive).ok());
  ASSERT_TRUE(record_.SetBackfilled(kFirst, "today").ok());
  ASSERT_TRUE(record_.NoteComplete(kFirst, 1'000).ok());
  ASSERT_TRUE(record_.Register(Facts(kSecond)).ok());
  ASSERT_TRUE(record_.SetPhase(kFirst, Phase::kRetired).ok());  // of a late process
  EXPECT_EQ(State().incarnation, kSecond);
  EXPECT_EQ(State().phase, Phase::kBuilding);
  EXPECT_EQ(State().backfilled, "");
  EXPECT_EQ(State().complete, std::nullopt);
}

TEST_F(IndexRecordTest, ANameBelongsToOneIndex) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  std::string IndexDescriptor::*const parts[] = {&IndexDescriptor::table, &IndexDescriptor::state_table,
                                                 &IndexDescriptor::source};
  for (std::string IndexDescriptor::*const part : parts) {
    IndexDescriptor other = Facts(kSecond);
    other.*part = "of_another";
    for (const Status& refused : {record_.Register(other), record_.CheckName(other)}) {
      EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
      EXPECT_THAT(refused.message(),
                  HasSubstr("The table records: index table fensi, state table fensi_state, source table guanzhu"));
      EXPECT_THAT(refused.message(), HasSubstr("of_another"));
    }
    EXPECT_EQ(State().incarnation, kFirst);
  }
  EXPECT_TRUE(record_.CheckName(Facts("")).ok());
  EXPECT_TRUE(record_.CheckName(Facts(kSecond)).ok()) << "it was made again";
  ASSERT_TRUE(record_.NoteDropped(kFirst).ok());
  IndexDescriptor other = Facts(kSecond);
  other.table = "of_another";
  EXPECT_TRUE(record_.Register(other).ok()) << "the name is free";
}

TEST_F(IndexRecordTest, MarksOfARowThatAPersonDeletedAskForItsRegistration) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  const store::RowMutation gone{"index:fensi", {{.family = "i", .timestamp = 1'000, .type = CellType::kDeleteFamily}}};
  ASSERT_TRUE(world_.faulty().Delete(MetaWorld::kTable, {&gone, 1}).ok());
  const meta::Marks marks{{{0, 2'000}}, 1, "markers"};
  EXPECT_EQ(record_.NoteMarks(kFirst, marks).status().code(), StatusCode::kNotFound);
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  ASSERT_TRUE(record_.NoteMarks(kFirst, marks).ok());
  EXPECT_EQ(State().complete, 2'000);
}

TEST_F(IndexRecordTest, TwoThatRegisterDifferentIndexesAtOnceAreToldSo) {
  bool once = false;
  world_.faulty().SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call == store::FaultyStore::Call::kCompareAndPut && !std::exchange(once, true)) {
      EXPECT_TRUE(record_.Register(Facts(kSecond)).ok());
    }
    return Status();
  });
  const Status status = record_.Register(Facts(kFirst));
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr(kSecond));
  EXPECT_EQ(State().incarnation, kSecond);
}

TEST_F(IndexRecordTest, ADroppedOneIsGoneAndItsNameIsFreeForALaterOne) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  ASSERT_TRUE(record_.SetPhase(kFirst, Phase::kRetired).ok());
  ASSERT_TRUE(record_.NoteComplete(kFirst, 1'000).ok());
  for (int twice = 0; twice < 2; ++twice) {
    ASSERT_TRUE(record_.NoteDropped(kFirst).ok());
    EXPECT_FALSE(record_.Read()->has_value());
  }
  EXPECT_EQ(world_.Shown("index:fensi", std::string("phase/") + kFirst), "");
  ASSERT_TRUE(record_.Register(Facts(kSecond)).ok());
  EXPECT_EQ(State().incarnation, kSecond);
  EXPECT_EQ(State().phase, Phase::kBuilding);
  ASSERT_TRUE(record_.NoteDropped(kFirst).ok());  // of a late process
  EXPECT_EQ(State().incarnation, kSecond);
}

TEST_F(IndexRecordTest, ADeathInAnyCallOfADropIsMendedByAnother) {
  using When = store::FaultyStore::When;
  for (int death = 0; death < 8; ++death) {
    const std::string incarnation = std::string(15, '3') + std::to_string(death);
    ASSERT_TRUE(record_.Register(Facts(incarnation)).ok());
    ASSERT_TRUE(record_.SetPhase(incarnation, Phase::kRetired).ok());
    const auto when = death % 2 == 0 ? When::kBefore : When::kAfter;
    world_.faulty().FailCall(death / 2 + 1, when, Status(StatusCode::kInternal, "death"));
    EXPECT_FALSE(record_.NoteDropped(incarnation).ok()) << death;
    const auto seen = record_.Read();
    ASSERT_TRUE(seen.ok());
    EXPECT_TRUE(!seen->has_value() || (*seen)->phase == Phase::kRetired) << "never anything in between " << death;
    ASSERT_TRUE(record_.NoteDropped(incarnation).ok());
    EXPECT_FALSE(record_.Read()->has_value());
    EXPECT_EQ(world_.Shown("index:fensi", "phase/" + incarnation), "") << death;
  }
}

TEST_F(IndexRecordTest, CompleteNeverFalls) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  ASSERT_TRUE(record_.NoteComplete(kFirst, 2'000).ok());
  ASSERT_TRUE(record_.NoteComplete(kFirst, 1'000).ok());
  EXPECT_EQ(State().complete, 2'000);
}

TEST_F(IndexRecordTest, PhasesGoThereAndBack) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  for (const Phase phase : {Phase::kPartial, Phase::kLive, Phase::kBuilding, Phase::kRetired}) {
    ASSERT_TRUE(record_.SetPhase(kFirst, phase).ok());
    EXPECT_EQ(State().phase, phase);
  }
}

TEST_F(IndexRecordTest, ABackfillThatEndsTakesNoIndexFromADrop) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  bool once = false;  // retired between the look and the write
  world_.faulty().SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call == store::FaultyStore::Call::kCompareAndPut && !std::exchange(once, true)) {
      EXPECT_TRUE(record_.SetPhase(kFirst, Phase::kRetired).ok());
    }
    return Status();
  });
  for (int twice = 0; twice < 2; ++twice) {
    const Status live = record_.SetPhase(kFirst, Phase::kLive);
    EXPECT_EQ(live.code(), StatusCode::kConfiguration);
    EXPECT_THAT(live.message(), HasSubstr("the index is being dropped"));
    EXPECT_EQ(State().phase, Phase::kRetired);
  }
  ASSERT_TRUE(record_.UndoRetire(kFirst, Phase::kPartial).ok());
  EXPECT_EQ(State().phase, Phase::kPartial);
}

TEST_F(IndexRecordTest, OfTwoDropsOneHasRetiredTheIndex) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  ASSERT_TRUE(record_.SetPhase(kFirst, Phase::kLive).ok());
  bool once = false;  // another drop between the look and the write
  world_.faulty().SetObserver([&](store::FaultyStore::Call call, const std::string&) {
    if (call == store::FaultyStore::Call::kCompareAndPut && !std::exchange(once, true)) {
      EXPECT_EQ(*record_.Retire(kFirst, "first"), Phase::kLive);
    }
    return Status();
  });
  EXPECT_EQ(*record_.Retire(kFirst, "second"), std::nullopt);
  EXPECT_EQ(*record_.Retire(kFirst, "third"), std::nullopt);
  EXPECT_EQ(State().phase, Phase::kRetired);
}

TEST_F(IndexRecordTest, ADropGoesOnOnlyAsLongAsItsIndexIsRetired) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  EXPECT_EQ(record_.IsRetired(kFirst).status().code(), StatusCode::kConfiguration);
  ASSERT_TRUE(record_.Retire(kFirst, "drop").ok());
  EXPECT_TRUE(*record_.IsRetired(kFirst));
  ASSERT_TRUE(record_.NoteDropped(kFirst).ok());
  EXPECT_FALSE(*record_.IsRetired(kFirst)) << "another drop has ended";
  ASSERT_TRUE(record_.Register(Facts(kSecond)).ok());
  EXPECT_EQ(record_.IsRetired(kFirst).status().code(), StatusCode::kConfiguration);
}

TEST_F(IndexRecordTest, ANameThatAnIndexHasMeanwhileIsNotRegisteredFirst) {
  ASSERT_TRUE(record_.RegisterFirst(Facts(kFirst)).ok());
  EXPECT_EQ(record_.RegisterFirst(Facts(kSecond)).code(), StatusCode::kConfiguration);
  EXPECT_EQ(State().incarnation, kFirst);
}

TEST_F(IndexRecordTest, WhatCannotBeUnderstoodIsNamed) {
  for (const std::string column : {"phase", "complete"}) {
    ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
    ASSERT_TRUE(world_.Row("index:fensi").Write(column + "/" + kFirst, 5, "12x").ok());
    const auto state = record_.Read();
    EXPECT_EQ(state.status().code(), StatusCode::kInternal);
    EXPECT_THAT(state.status().message(), HasSubstr("index:fensi, column i:" + column));
    ASSERT_TRUE(world_.Row("index:fensi").Write(column + "/" + kFirst, 6, column == "phase" ? "live" : "6").ok());
  }
}

meta::Marks MarksOf(std::map<int32_t, int64_t> by_partition, int32_t partitions) {
  return {std::move(by_partition), partitions, "markers"};
}

TEST_F(IndexRecordTest, IsAsCompleteAsItsSlowestPartition) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  // What the writer is told is what others read.
  const auto after = [&](meta::Marks marks) {
    const auto complete = record_.NoteMarks(kFirst, marks);
    EXPECT_TRUE(complete.ok()) << complete.status().ToString();
    EXPECT_EQ(State().complete, *complete);
    return *complete;
  };
  EXPECT_EQ(after(MarksOf({{0, 50}}, 3)), std::nullopt);
  EXPECT_EQ(after(MarksOf({{1, 70}}, 3)), std::nullopt);
  EXPECT_EQ(after(MarksOf({{2, 60}}, 3)), 50);
  EXPECT_EQ(after(MarksOf({{0, 90}, {1, 90}}, 3)), 60);
  EXPECT_EQ(after(MarksOf({{0, 95}}, 4)), 60) << "the topic has one more partition, which nobody knows yet";
  EXPECT_EQ(State().basis, "markers");
}

TEST_F(IndexRecordTest, AMarkNeverFallsAndIsOfOneIncarnation) {
  ASSERT_TRUE(record_.Register(Facts(kFirst)).ok());
  ASSERT_TRUE(record_.NoteMarks(kFirst, MarksOf({{0, 50}}, 1)).ok());
  ASSERT_TRUE(record_.NoteMarks(kFirst, MarksOf({{0, 40}}, 1)).ok());
  EXPECT_EQ(State().complete, 50);
  ASSERT_TRUE(record_.Register(Facts(kSecond)).ok());
  EXPECT_EQ(State().complete, std::nullopt);
  EXPECT_EQ(record_.NoteMarks(kFirst, MarksOf({{0, 60}}, 1)).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(State().complete, std::nullopt) << "a late owner of the former index";
}

}  // namespace
}  // namespace fensi::testing

// What a move from states to a stateless index does, refuses and survives (docs/decisions/0019-mirror.md).
#include "indexer/conversion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "indexer/index_meta.h"
#include "indexer/state/unit_codec.h"
#include "tests/indexer/support/moved.h"
#include "tests/indexer/support/scenario.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::Conversion;
using indexer::IndexMeta;
using indexer::SchemeChangeStage;
using store::FaultyStore;

/// A story that begins with states.
class Moved {
 public:
  explicit Moved(const Rule& rule) : story_(rule, Scenario::Source::kRead) {
    BeginWithStates(world());
    story_.Restarts();
  }
  Scenario* operator->() { return &story_; }
  World* world() { return story_.world(); }
  void Moves() {
    Must(Move(world()));
    story_.Restarts();
  }
  /// What a dry run says.
  Result<Conversion::Found> Look() {
    return Conversion(&world()->index(), world()->store(), world()->letters(), world()->clock()).Look();
  }

 private:
  Scenario story_;
};

/// So long ago that the floor is what the states say.
constexpr int64_t kLongAgo = -1'000'000;

TEST(ConversionTest, AnIndexWithStatesIsAMirrorAfterwards) {
  for (const Rule& rule : MirrorRules()) {
    Moved s(rule);
    s->Tells({s->Happens("k=b@11 v=c@12"), s->Happens("k=d@13", "q")});
    s.Moves();
    EXPECT_EQ(s->Difference(), "") << rule.name;
    IndexMeta meta(&s.world()->index(), s.world()->store());
    Must(meta.Open());
    EXPECT_EQ(meta.scheme(), mapping::Scheme::kStateless);
    s->Tells({s->Happens("DF@14"), s->Happens("k=e@14", "q")});
    EXPECT_EQ(s->Difference(), "") << rule.name;
    const Result<bool> left = indexer::HasStates(s.world()->index(), s.world()->store());
    Must(left.status());
    EXPECT_FALSE(*left);
  }
}

TEST(ConversionTest, ADryRunCountsAndWritesNothing) {
  Moved s(MirrorValueRule());
  s->Tells({s->Happens("k=b@11"), s->Happens("k=d@13", "q")});
  s->DiesBeforeStates({s->Happens("D:k@13", "q")});
  s.world()->faulty()->SetObserver([](FaultyStore::Call call, const std::string&) {
    const bool writes = call == FaultyStore::Call::kPut || call == FaultyStore::Call::kDelete ||
                        call == FaultyStore::Call::kCompareAndPut;
    EXPECT_FALSE(writes);
    return Status();
  });
  Conversion conversion(&s.world()->index(), s.world()->faulty(), s.world()->letters(), s.world()->clock());
  const Result<Conversion::Found> found = conversion.Look();
  Must(found.status());
  EXPECT_EQ(found->stage, SchemeChangeStage::kNotStarted);
  EXPECT_EQ(found->units, 2);
  EXPECT_EQ(found->open, 1);
  EXPECT_GE(found->newest, 13);
  EXPECT_FALSE(found->nothing_to_do);
}

TEST(ConversionTest, ASecondTimeThereIsNothingToDo) {
  Moved s(MirrorEachValueRule());
  s->Tells({s->Happens("k=b@11")});
  s.Moves();
  const Result<Conversion::Found> found = s.Look();
  Must(found.status());
  EXPECT_TRUE(found->nothing_to_do);
  Must(Move(s.world()));
  EXPECT_EQ(s->Difference(), "");
}

/// Index and mirror know nothing of a delete of what was not there; the state does.
TEST(ConversionTest, WhatIsToldBelowAStateIsAskedFor) {
  Moved s(MirrorValueRule());
  s->Tells({s->Happens("DC:k@20")});
  s.world()->clock()->Set(kLongAgo);
  s.Moves();
  s.world()->clock()->Set(100);
  s->Tells({s->Happens("k=c@20")});
  EXPECT_EQ(s->Difference(), "");
  EXPECT_THAT(s->Index(), IsEmpty());
}

/// A11 across the move: which sequence ids were told before it, nobody has kept.
TEST(ConversionTest, ADeleteOfBeforeThatIsToldAfterItIsAskedFor) {
  Moved s(MirrorValueRule());
  const ChangeEvent gone = s->Happens("DC:k@15");
  s.world()->CompactSource();
  s->Tells({s->Happens("k=a@10")});
  s.world()->clock()->Set(20);
  s.Moves();
  s.world()->clock()->Set(100);
  s->Tells({gone});
  EXPECT_EQ(s->Difference(), "");
  EXPECT_THAT(s->Index(), SizeIs(1));
}

/// An entry stands above the newest time of its row, and a death leaves one where no state tells of it.
TEST(ConversionTest, WhatADeadOwnerWroteAboveTheTimesOfItsEventsIsPassed) {
  for (const char* later : {"DC:v@50", "v=d@50"}) {
    Moved s(MirrorColumnsRule());
    const std::vector<ChangeEvent> dead = {s->Happens("k=a@90"), s->Happens("v=c@12")};
    s->DiesBeforeStates(dead);
    s.world()->clock()->Set(kLongAgo);
    s.Moves();
    s.world()->clock()->Set(100);
    s->Tells(dead);
    EXPECT_EQ(s->Difference(), "");
    s->Tells({s->Happens(later)});
    EXPECT_EQ(s->Difference(), "") << later;
  }
}

/// Until then every change of the table would be a question.
TEST(ConversionTest, WhatIsFarAheadOfTheClockIsNotMovedAndTheIndexIsAsItWas) {
  for (const bool dies : {false, true}) {
    Moved s(MirrorValueRule());
    const auto far = s->Happens("k=b@" + std::to_string(101 + Conversion::kFarMillis));
    s->Tells({s->Happens("k=a@11", "other")});
    dies ? s->DiesBeforeStates({far}) : s->Tells({far});
    const Status refused = Move(s.world());
    EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
    EXPECT_THAT(refused.message(),
                HasSubstr(dies ? "has an entry or a delete marker of time 3600101" : "has a state of time 3600101"));
    const indexer::MetaRow row(&s.world()->index(), s.world()->store(), s.world()->clock());
    const auto scheme = row.Read("scheme");
    EXPECT_EQ(indexer::SchemeText(*scheme), "state 2") << "whoever runs it goes on";
    s->Restarts();
    s->Tells({far});
    EXPECT_EQ(s->Difference(), "");
  }
}

TEST(ConversionTest, WhoIsSeenToRunItTheSecondTimeGoesOn) {
  Moved s(MirrorValueRule());
  s->Tells({s->Happens("k=a@11")});
  int asked = 0;
  const Status refused = Move(s.world(), nullptr, [&] {
    return ++asked == 1 ? Status() : Status(StatusCode::kConfiguration, "somebody runs it");
  });
  EXPECT_EQ(refused.message(), "somebody runs it");
  const indexer::MetaRow row(&s.world()->index(), s.world()->store(), s.world()->clock());
  EXPECT_EQ(indexer::SchemeText(*row.Read("scheme")), "state 2");
  Must(indexer::IndexMeta(WithStates(MirrorValueRule()).get(), s.world()->store(), s.world()->clock()).Open());
}

TEST(ConversionTest, ColumnsOfBeforeAreKnownToADeleteOfTheirFamily) {
  Moved s(MirrorEachTimeRule());
  s->Tells({s->Happens("k=b@11 v=c@11")});
  s.world()->clock()->Set(kLongAgo);
  s.Moves();
  s->Tells({s->Happens("DF@50")});
  EXPECT_EQ(s->Difference(), "");
  EXPECT_THAT(s->Index(), IsEmpty());
}

/// What an attempt left of a row in doubt when it died; whoever told it does not tell it again.
TEST(ConversionTest, WhatWasOpenIsAskedFromTheSource) {
  for (const Rule& rule : {MirrorValueRule(), MirrorEachValueRule()}) {
    Moved s(rule);
    s->Tells({s->Happens("k=b@11")});
    s->DiesBeforeStates({s->Happens("k=c@12 D:k@12")});
    const ChangeEvent now{.table = "source", .row = "r", .cells = {ParseCell("k=d@13")}};
    s.world()->ApplyToSource(now);
    s.Moves();
    EXPECT_EQ(s->Difference(), "") << rule.name;
  }
}

TEST(ConversionTest, ThatItIsRunIsNoticedBeforeAnythingIsWritten) {
  Moved s(MirrorValueRule());
  const Status runs(StatusCode::kConfiguration, "it is run");
  EXPECT_EQ(Move(s.world(), nullptr, [&] { return runs; }).message(), "it is run");
  const auto before = WithStates(s.world()->rule());
  EXPECT_TRUE(IndexMeta(before.get(), s.world()->store()).Open().ok());
}

/// Who could not ask the second time does not know whether to take it back.
TEST(ConversionTest, AMoveThatHasBegunIsRunByNobodyAndGoesOn) {
  Moved s(MirrorValueRule());
  s->Tells({s->Happens("k=b@11")});
  int asked = 0;
  const Status away(StatusCode::kUnavailable, "Kafka is away");
  EXPECT_EQ(Move(s.world(), nullptr, [&] { return ++asked == 2 ? away : Status(); }).message(), "Kafka is away");
  for (const auto& index : {WithStates(s.world()->rule()), CompileRule(s.world()->rule())}) {
    const Status opened = IndexMeta(index.get(), s.world()->store()).Open();
    EXPECT_EQ(opened.code(), StatusCode::kConfiguration);
    EXPECT_THAT(opened.message(), HasSubstr("is being converted to stateless"));
    EXPECT_THAT(opened.message(), HasSubstr("fensi convert MAPPING inverse … --execute"));
  }
  Result<Conversion::Found> found = s.Look();
  Must(found.status());
  EXPECT_EQ(found->stage, SchemeChangeStage::kStarted);
  s.Moves();
  EXPECT_EQ(s->Difference(), "");
}

/// Paused since before the move, it would go on with states.
TEST(ConversionTest, WhoSleptWhileItWasMovedGetsNoPartition) {
  Moved s(MirrorValueRule());
  const auto before = WithStates(s.world()->rule());
  IndexMeta sleeper(before.get(), s.world()->store());
  Must(sleeper.Open());
  const consumer::Opening opening{std::make_shared<FakeAssignment>(), std::nullopt, 0, 9};
  EXPECT_TRUE(sleeper.Begin(opening).ok());
  s.Moves();
  const Status refused = sleeper.Begin(opening).status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("converted to another mode while this process used the index"));
}

/// Its answers of the source would stand above what the owners that have begun meanwhile were told.
TEST(ConversionTest, OfTwoTheFirstDoesNothingMore) {
  Moved s(MirrorValueRule());
  s->Tells({s->Happens("k=b@11")});
  int asked = 0;
  const auto other_is_faster = [&] {
    if (++asked < 2) return Status();
    Must(Move(s.world()));
    s.world()->clock()->Advance(std::chrono::seconds(10));
    s.world()->faulty()->SetObserver([](FaultyStore::Call call, const std::string& table) {
      EXPECT_FALSE(call == FaultyStore::Call::kPut || call == FaultyStore::Call::kDelete) << table;
      return Status();
    });
    return Status();
  };
  const Status first = Move(s.world(), s.world()->faulty(), other_is_faster);
  EXPECT_EQ(first.code(), StatusCode::kFenced);
  EXPECT_THAT(first.message(), HasSubstr("another 'fensi convert' is converting the index"));
  s->Restarts();
  s->Tells({s->Happens("k=c@12")});
  EXPECT_EQ(s->Difference(), "");
}

/// A beginning has two stages: what the index is, and its name.
TEST(ConversionTest, AnIndexThatDiedInAnyCallOfItsBeginningIsMovedOrHasNotBegun) {
  int moved = 0, unnamed = 0, calls = 1;
  for (int call = 1; call <= calls; ++call) {
    World world(MirrorValueRule(), true);
    world.set_states(true);
    const auto states = WithStates(world.rule());
    world.faulty()->FailCall(call, FaultyStore::When::kBefore, Status(StatusCode::kInternal, "the process is dead"));
    (void)IndexMeta(states.get(), world.faulty(), world.clock()).Open();
    world.faulty()->Heal();
    calls = std::max(calls, world.faulty()->Calls() + 1);
    const auto found = Conversion(&world.index(), world.store(), world.letters(), world.clock()).Look();
    if (!found.ok()) {
      EXPECT_THAT(found.status().message(), HasSubstr("has not begun")) << call;
      continue;
    }
    unnamed += found->unnamed ? 1 : 0;
    Must(Move(&world));
    IndexMeta meta(&world.index(), world.store(), world.clock());
    Must(meta.Open());
    EXPECT_FALSE(meta.incarnation().empty()) << call;
    ++moved;
  }
  EXPECT_GT(unnamed, 0);
  EXPECT_GT(moved, unnamed);
}

class Refusals : public ::testing::Test {
 protected:
  /// The text, of a world that is not moved.
  std::string Refused(Moved* s, const mapping::Index& index) {
    Conversion conversion(&index, s->world()->store(), s->world()->letters(), s->world()->clock());
    const Status looked = conversion.Look().status(), moved = conversion.Execute(Nobody);
    EXPECT_EQ(looked.code(), StatusCode::kConfiguration);
    EXPECT_EQ(looked.message(), moved.message());
    return looked.message();
  }
  std::string Refused(Moved* s) { return Refused(s, s->world()->index()); }
  static void Say(Moved* s, const std::string& column, const std::string& value) {
    Must(indexer::MetaRow(&s->world()->index(), s->world()->store()).Write(column, 9, value));
  }
};

TEST_F(Refusals, OfAMappingThatSaysStatesItIsSaidWhatToSay) {
  Moved s(MirrorValueRule());
  EXPECT_THAT(Refused(&s, *WithStates(MirrorValueRule())), HasSubstr("lacks 'mode: stateless'"));
}

TEST_F(Refusals, AnotherDefinitionIsNotMoved) {
  Moved s(MirrorValueRule());
  EXPECT_THAT(Refused(&s, *CompileRule(MirrorTimeRule())), HasSubstr("its definition changed"));
}

TEST_F(Refusals, WhatANewerVersionBeganIsNotMoved) {
  Moved newer(MirrorValueRule()), other(MirrorValueRule()), unit(MirrorValueRule());
  Say(&newer, "format", "99");
  EXPECT_THAT(Refused(&newer), HasSubstr("a newer fensi wrote it"));
  Say(&other, "scheme", "state 7");
  EXPECT_THAT(Refused(&other), HasSubstr("'state 7', which this version does not know"));
  Say(&unit, "unit", "column of a source row");
  EXPECT_THAT(Refused(&unit), HasSubstr("keeps one state for each column"));
}

TEST_F(Refusals, WithoutASourceThereIsNothingToAsk) {
  Moved kept(MirrorValueRule()), gone(MirrorValueRule());
  Say(&kept, "source", "kept");
  EXPECT_THAT(Refused(&kept), HasSubstr("began without its source table"));
  Must(gone.world()->store()->DropTable("source"));
  EXPECT_THAT(Refused(&gone), HasSubstr("source table source is missing"));
}

TEST_F(Refusals, WhatHasNotBegunIsNotMoved) {
  Scenario s(MirrorValueRule(), Scenario::Source::kRead);
  Conversion conversion(&s.world()->index(), s.world()->store(), s.world()->letters(), s.world()->clock());
  EXPECT_THAT(conversion.Look().status().message(), HasSubstr("has not begun"));
}

TEST(ConversionTest, AMappingThatSaysMirrorNamesTheCommand) {
  Moved s(MirrorValueRule());
  const Status opened = IndexMeta(&s.world()->index(), s.world()->store()).Open();
  EXPECT_EQ(opened.code(), StatusCode::kConfiguration);
  EXPECT_THAT(opened.message(),
              HasSubstr("convert the index to stateless (fensi convert MAPPING inverse … --execute)"));
}

}  // namespace
}  // namespace fensi::testing

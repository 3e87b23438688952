// Images and rechecks, one rule after the other: the named cases of docs/maintenance.md, what a request may not do, and
// how much of a bad scan is told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "indexer/requests/dead_letter_limit.h"
#include "tests/indexer/support/told_log.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/indexer/support/unique_rules.h"
#include "tests/indexer/support/zombie_store.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using consumer::Request;
using consumer::Suspect;

/// A row's story with scans: what happens before the stream is told by images only.
class Requests : public ::testing::Test {
 protected:
  explicit Requests(const Rule& rule = ValueRule()) : world_(rule, true), owner_(world_.NewMaintainer(true)) {}

  void Before(const std::string& cell) {
    world_.ApplyToSource({.table = "source", .row = "r", .cells = {ParseCell(cell)}});
  }
  void Tells(const std::string& cell) {
    log_.Happens(cell);
    TellsLast();
  }
  void TellsLast() {
    const consumer::Batch batch = log_.Part(log_.size() - 1, 1);
    Must(owner_->Apply(batch));
    Must(world_.RereadSource(owner_.get(), batch));
  }
  void Asks(const std::vector<Request>& requests) { Must(ApplyRequests(&world_, owner_.get(), requests)); }
  void Image() { Asks({ImageOf(&world_, "r")}); }
  void Restarts() { owner_ = world_.NewMaintainer(false); }
  void Plants(const std::string& row, Cell cell) {
    cell.family = "f";
    WriteCells({.table = "inverse", .row = row, .cells = {cell}}, "inverse", world_.store());
  }
  std::vector<consumer::DeadLetter> Letters() { return world_.letters()->letters(); }

  World world_;
  ToldLog log_{&world_};
  std::unique_ptr<indexer::IndexMaintainer> owner_;
};

TEST_F(Requests, AnImageTellsWhatWasBeforeTheStream) {
  Before("k=a@5");
  Before("v=x@6");
  Image();
  EXPECT_EQ(world_.Actual(), (Entries{{{"a", "f:r"}, "x"}}));
  Tells("k=b@7");
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, ASecondImageChangesNothing) {
  Before("k=a@5");
  Image();
  const int64_t puts = world_.counters()->puts, deletes = world_.counters()->deletes;
  Restarts();
  Image();
  EXPECT_EQ(world_.counters()->puts, puts);
  EXPECT_EQ(world_.counters()->deletes, deletes);
  EXPECT_EQ(world_.counters()->source_reads, 0);
}

TEST_F(Requests, F24AnImageTellsTheMarkersThatHideWhatTheStreamTellsLate) {
  Before("DF@12");
  Tells("k=b@11");
  Image();
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, F25AnImageIsComparedWithTheRegisters) {
  Before("DF@12");
  Tells("k=b@11");
  Before("v=x@13");
  world_.CompactSource();
  Image();
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, F26WhatAnImageDoesNotShowMayHaveComeSince) {
  Before("v=x@13");
  const Request image = ImageOf(&world_, "r");
  Tells("k=b@14");
  Asks({image});
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_EQ(world_.Actual().size(), 1u);
}

TEST_F(Requests, AnImageAloneNeverRemoves) {
  Tells("k=b@11");
  Request image{.table = "source", .row = "r", .incarnation = kIncarnation};
  image.partial = true;
  image.cells = {ParseCell("DC:k@12")};
  Asks({image});
  EXPECT_EQ(world_.Difference(), "") << "the source shows it";
  EXPECT_GT(world_.counters()->source_reads, 0);
}

TEST_F(Requests, APartOfAnImageIsNotComparedWithTheRest) {
  Before("k=a@5");
  Before("v=x@6");
  Request part = ImageOf(&world_, "r");
  part.partial = true;
  part.cells.pop_back();
  Asks({part});
  EXPECT_EQ(world_.counters()->source_reads, 0);
}

// A bulk load may bring a value at the time of a value that is there.
TEST_F(Requests, APartOfAnImageWithAnotherValueOfItsMillisecondIsInDoubt) {
  Tells("k=a@5");
  Before("k=b@5");
  Request part = ImageOf(&world_, "r");
  part.partial = true;
  Asks({part});
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_GT(world_.counters()->source_reads, 0);
}

TEST_F(Requests, AnImageNeverReplacesWhatTheStreamToldOfItsMillisecond) {
  Before("k=a@5");
  const Request image = ImageOf(&world_, "r");
  Tells("k=b@5");
  Asks({image});
  EXPECT_EQ(world_.Difference(), "");
}

/// What the look after an image left open may be a change that the source does not show yet.
TEST_F(Requests, AnImageThatIsOlderThanWhatTheSourceShowsLateLeavesNoOldEntry) {
  Before("k=a@5");
  const Request image = ImageOf(&world_, "r");
  world_.ShowSourceLate(1);
  Tells("k=b@6");
  Asks({image});
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, ARecheckPutsWhatIsMissing) {
  Tells("k=a@5");
  Plants("a", {.qualifier = "r", .timestamp = 5, .type = CellType::kDelete});
  EXPECT_NE(world_.Difference(), "");
  Asks({RecheckOf("r")});
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, F34WhatARecheckReadDoesNotEnterTheRegisters) {
  Tells("k=a@5");
  log_.Happens("k=b@6");
  log_.Happens("DC:k@7");
  world_.ShowSourceLate(1);
  Asks({RecheckOf("r")});
  owner_ = world_.NewMaintainer(false);
  world_.ShowSource();
  const consumer::Batch rest = log_.From(1);
  Must(owner_->Apply(rest));
  Must(world_.RereadSource(owner_.get(), rest));
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_EQ(world_.Actual(), Entries());
}

TEST_F(Requests, F35ASuspectThatNobodyToldOfGoes) {
  Tells("k=a@5");
  Plants("c", {.qualifier = "r", .timestamp = 30, .value = "foreign"});
  Asks({RecheckOf("r")});
  EXPECT_NE(world_.Difference(), "") << "no rule tells that the row has it";
  Asks({RecheckOf("r", {{"inverse", "c", "f", "r", 30}})});
  EXPECT_EQ(world_.Difference(), "");
  Tells("k=c@8");
  EXPECT_EQ(world_.Difference(), "") << "what removed it must not hide what comes later";
}

TEST_F(Requests, F36ARecheckStandsAboveWhatIsThereMarkersToo) {
  Tells("k=a@5");
  for (const CellType type : {CellType::kPut, CellType::kDelete, CellType::kDeleteColumn}) {
    Plants("a", {.qualifier = "r", .timestamp = 50, .type = type, .value = type == CellType::kPut ? "foreign" : ""});
    Asks({RecheckOf("r")});
    EXPECT_EQ(world_.Difference(), "") << CellTypeName(type);
    Restarts();
  }
  Plants("a", {.timestamp = 70, .type = CellType::kDeleteFamily});
  Asks({RecheckOf("r")});
  EXPECT_EQ(world_.Difference(), "");
  Tells("k=b@9");
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, ASuspectGoesUpToTheVersionThatWasFoundAndNotWhatWasPutSince) {
  Tells("k=a@5");
  const Request stale = RecheckOf("q", {{"inverse", "a", "f", "r", 4}});
  Asks({stale});
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(Requests, ARecheckOfARowThatTheSourceDoesNotHaveRemovesItsEntries) {
  Tells("k=a@5");
  Tells("DF@6");
  Plants("a", {.qualifier = "r", .timestamp = 40, .value = "x"});
  Asks({RecheckOf("r", {{"inverse", "a", "f", "r", 40}})});
  EXPECT_EQ(world_.Actual(), Entries());
}

TEST_F(Requests, SuspectsThatAreNoCellsOfTheIndexAreLeftAlone) {
  Tells("k=a@5");
  Before("k=a@5");
  const std::vector<Suspect> foreign = {{"source", "r", "f", "k", 5},
                                        {"inverse_state", "r", "s", "", 5},
                                        {"inverse", "a", "", "", 5},
                                        {"inverse", "a", "g", "r", 5},
                                        {"inverse", "a", "f", "r", INT64_MAX}};
  Asks({RecheckOf("r", foreign)});
  EXPECT_EQ(Letters().size(), foreign.size());
  EXPECT_EQ(world_.Difference(), "");
  for (const auto& letter : Letters()) {
    EXPECT_EQ(letter.topic, "inverse.requests");
    EXPECT_THAT(letter.reason, HasSubstr(" skipped: "));
  }
}

TEST_F(Requests, AMarkerThatNothingCanBePutAboveIsNamed) {
  Tells("k=a@5");
  Plants("a", {.qualifier = "r", .timestamp = INT64_MAX - 4, .type = CellType::kDeleteColumn});
  Asks({RecheckOf("r")});
  ASSERT_EQ(Letters().size(), 1u);
  EXPECT_THAT(Letters()[0].reason,
              HasSubstr("index cell inverse a f:r holds a put or a delete marker of time 92233720368"));
  EXPECT_THAT(Letters()[0].reason, HasSubstr("set hbase.hstore.time.to.purge.deletes of the table to 0"));
  Tells("k=b@9");
  EXPECT_EQ(world_.Actual(), (Entries{{{"b", "f:r"}, "none"}})) << "the row goes on";
}

TEST_F(Requests, ForAnotherIncarnationAreSkippedAndCounted) {
  Before("k=a@5");
  Request stale = ImageOf(&world_, "r");
  stale.incarnation = "ffffffffffffffff";
  Asks({stale});
  EXPECT_EQ(world_.Actual(), Entries());
  EXPECT_EQ(world_.counters()->stale_requests, 1);
  EXPECT_EQ(world_.counters()->requests, 1);
  EXPECT_TRUE(Letters().empty());
}

TEST_F(Requests, OfAnotherTableOrNoneAtAllAreLettersWithTheirCoordinates) {
  Request other = ImageOf(&world_, "r");
  other.table = "elsewhere";
  consumer::RequestBatch batch = AskFor(&world_, {other, other}, 7);
  batch.records[1].decoded = Status(StatusCode::kInvalidArgument, "no request");
  batch.records[1].value = "garbage";
  Must(owner_->Apply(indexer::Told(world_.index(), kIncarnation, std::make_shared<consumer::RequestBatch>(batch))));
  ASSERT_EQ(Letters().size(), 2u);
  EXPECT_THAT(Letters()[0].reason,
              HasSubstr("the request is about table elsewhere, and the source of index inverse is source"));
  EXPECT_EQ(Letters()[0].topic, "inverse.requests");
  EXPECT_EQ(Letters()[0].offset, 7);
  EXPECT_EQ(Letters()[1].offset, 8);
  EXPECT_EQ(Letters()[1].original, "garbage");
}

/// The state of r claims a key that went to another row, and was not told of what the source shows now.
TEST_F(Requests, ARecheckLeavesAUniqueKeyThatIsAnotherRowsByNow) {
  World world({"unique", "    row: '{f:k}'\n    columns: { 'f:r': '{row}' }\n    unique: true\n", nullptr}, true);
  const auto owner = world.NewMaintainer(true);
  const auto tells = [&](const std::string& row, const std::string& cell) {
    const ChangeEvent event{.table = "source", .row = row, .cells = {ParseCell(cell)}, .sequence_id = 1};
    world.ApplyToSource(event);
    Must(owner->Apply(world.MakeBatch({&event, 1})));
  };
  tells("r", "k=a@5");
  world.ApplyToSource({.table = "source", .row = "r", .cells = {ParseCell("k=b@6")}});
  tells("other", "k=a@20");
  const Cell marker{.family = "f", .qualifier = "r", .timestamp = 60, .type = CellType::kDeleteColumn};
  WriteCells({.table = "inverse", .row = "b", .cells = {marker}}, "inverse", world.store());
  Must(ApplyRequests(&world, owner.get(), {RecheckOf("r")}));
  EXPECT_EQ(world.Actual(), (Entries{{{"a", "f:r"}, "other"}, {{"b", "f:r"}, "r"}}));
}

/// While the owner of row r reads the index, "other" takes the key, which its own owner follows at once.
TEST_F(Requests, ARecheckNeverStandsAboveTheRowThatTakesItsUniqueKeyMeanwhile) {
  World world(UniqueKeyRule(), true);
  const auto owner = world.NewMaintainer(true), others = world.NewMaintainer(false, world.store());
  const auto event = [](const std::string& row, const std::string& cell) {
    return ChangeEvent{.table = "source", .row = row, .cells = {ParseCell(cell)}, .sequence_id = 1};
  };
  const auto tells = [&](indexer::IndexMaintainer* keeper, const ChangeEvent& told) {
    Must(keeper->Apply(world.MakeBatch({&told, 1})));
  };
  const ChangeEvent first = event("r", "k=a@5"), gone = event("r", "DC:k@19"), taken = event("other", "k=a@20");
  world.ApplyToSource(first);
  tells(owner.get(), first);
  bool met = false;
  world.faulty()->SetObserver([&](store::FaultyStore::Call call, const std::string& table) {
    if (call != store::FaultyStore::Call::kScan || table != "inverse" || std::exchange(met, true)) return Status();
    world.ApplyToSource(gone);
    world.ApplyToSource(taken);
    tells(others.get(), taken);
    return Status();
  });
  Must(ApplyRequests(&world, owner.get(), {RecheckOf("r")}));
  EXPECT_TRUE(met);
  world.faulty()->SetObserver({});
  tells(owner.get(), gone);
  EXPECT_EQ(world.Difference(), "");
}

TEST_F(Requests, ARecheckOfAnIndexWithoutASourceTableIsALetterWhateverItsUnits) {
  for (const Rule& rule : {ValueRule(), FanOutRule()}) {
    World world(rule, false);
    const auto owner = world.NewMaintainer(true);
    Must(ApplyRequests(&world, owner.get(), {RecheckOf("r")}));
    ASSERT_EQ(world.letters()->letters().size(), 1u) << rule.name;
    EXPECT_THAT(world.letters()->letters().front().reason, HasSubstr("cannot read the source row again"));
  }
}

TEST(DeadLetterLimit, OfAJobIsAThousandAndOfManyJobsNoMoreMemory) {
  indexer::DeadLetterLimit bound;
  const auto taken = [&bound](const std::string& job) {
    size_t letters = 0;
    for (int i = 0; i < 5'000; ++i) letters += bound.Take(job) ? 1 : 0;
    return letters;
  };
  EXPECT_EQ(taken("first"), 1'000u);
  EXPECT_EQ(taken("second"), 1'000u);
  EXPECT_EQ(taken("first"), 0u);
  size_t told = 0;
  for (int job = 0; job < 1'000; ++job) told += taken(std::to_string(job));
  EXPECT_EQ(told, (indexer::DeadLetterLimit::kJobs - 2 + 1) * 1'000);
}

/// A scan of a table of which no row can be mapped.
TEST_F(Requests, OfImagesWithoutEntriesTheFirstAreToldAndAllAreCounted) {
  std::vector<Request> images;
  for (int i = 0; i < 1'500; ++i) {
    Request image{.table = "source", .row = "r" + std::to_string(i), .incarnation = kIncarnation, .job = "scan"};
    image.cells = {ParseCell("k=@5")};
    images.push_back(image);
  }
  World world({"fixed", "    row: '{f:k | fixed 2}'\n    columns: { 'f:{row}': '' }\n", nullptr}, true);
  const auto owner = world.NewMaintainer(true);
  Must(ApplyRequests(&world, owner.get(), images));
  EXPECT_EQ(world.counters()->unmappable_images, 1'500);
  EXPECT_EQ(world.letters()->letters().size(), 1'000u);
}

TEST_F(Requests, ARecheckWithoutASourceTableIsALetter) {
  World world(ValueRule(), false);
  const auto owner = world.NewMaintainer(true);
  Must(owner->Apply(ToldOf(&world, {RecheckOf("r")})));
  ASSERT_EQ(world.letters()->letters().size(), 1u);
  EXPECT_THAT(world.letters()->letters()[0].reason, HasSubstr("cannot read the source row again: index inverse"));
}

class EachRequests : public Requests {
 protected:
  EachRequests() : Requests(FanOutRule()) {}
};

TEST_F(EachRequests, AnImageIsComparedWithColumnsThatItDoesNotShow) {
  Before("DF@12");
  Tells("k=b@11");
  Before("v=x@13");
  world_.CompactSource();
  Restarts();
  Image();
  EXPECT_EQ(world_.Difference(), "");
}

TEST_F(EachRequests, ARecheckWithoutColumnsIsOfAllThatHaveAStateOrStandInTheSource) {
  Tells("k=a@5");
  Before("v=x@6");
  Plants("a", {.qualifier = "r.k", .timestamp = 40, .type = CellType::kDeleteColumn});
  Restarts();
  Asks({RecheckOf("r")});
  EXPECT_EQ(world_.Difference(), "");
  EXPECT_EQ(world_.Actual().size(), 2u);
}

TEST_F(EachRequests, ARecheckOfNamedColumnsLeavesTheOthersAlone) {
  Tells("k=a@5");
  Tells("v=x@6");
  Plants("a", {.qualifier = "r.k", .timestamp = 40, .type = CellType::kDeleteColumn});
  Plants("x", {.qualifier = "r.v", .timestamp = 40, .type = CellType::kDeleteColumn});
  Request recheck = RecheckOf("r");
  recheck.columns = {{"f", "k"}, {"f", "k"}, {"elsewhere", "k"}};
  Asks({recheck});
  EXPECT_EQ(world_.Actual(), (Entries{{{"a", "f:r.k"}, "5"}}));
}

/// The states of an owner that knows every key it saw: columns that only the source had are among them from now on.
TEST_F(EachRequests, ColumnsThatARecheckFoundAreSeen) {
  world_.set_tight(true);
  owner_ = world_.NewMaintainer(true);
  Before("k=a@5");
  Asks({RecheckOf("r")});
  EXPECT_EQ(world_.Difference(), "");
  for (int i = 0; i < 50; ++i) Asks({RecheckOf("other" + std::to_string(i))});
  Tells("k=b@9");
  EXPECT_EQ(world_.Difference(), "");
}

class SharedRequests : public Requests {
 protected:
  SharedRequests() : Requests(SharedRule()) {}
};

TEST_F(SharedRequests, SuspectsGoByTheirVersionAloneAndWhatShouldStandIsPutAgain) {
  Tells("k=a@5");
  Plants("a", {.timestamp = 4, .value = "other row"});
  Plants("a", {.timestamp = 30, .value = "foreign"});
  Plants("a", {.timestamp = 5, .type = CellType::kDelete});
  EXPECT_EQ(world_.Actual(), (Entries{{{"a", "f:"}, "foreign"}}));
  world_.CompactIndex(true);
  Asks({RecheckOf("r", {{"inverse", "a", "f", "", 30}, {"inverse", "a", "f", "", 5}})});
  EXPECT_EQ(world_.Actual(), (Entries{{{"a", "f:"}, "a"}})) << "at its version, though it was a suspect";
  Tells("DC:k@9");
  EXPECT_EQ(world_.Actual(), (Entries{{{"a", "f:"}, "other row"}}));
}

TEST_F(SharedRequests, AnImageTellsWhatWasBeforeTheStream) {
  Before("k=a@5");
  Image();
  EXPECT_EQ(world_.Difference(), "");
  Tells("k=b@7");
  EXPECT_EQ(world_.Difference(), "");
}

}  // namespace
}  // namespace fensi::testing

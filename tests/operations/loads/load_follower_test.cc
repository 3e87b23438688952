// The rows of a bulk load are read once everything before it is applied, and the load is forgotten once every image of
// it is applied (M27).
#include "operations/loads/load_follower.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "indexer/meta_row.h"
#include "meta/bulk_loads.h"
#include "meta/index_record.h"
#include "tests/sweep/support/backfill_world.h"

namespace fensi::operations {
namespace {

using meta::BulkLoads;
using meta::LoadedRegion;
using store::RegionBounds;
using sweep::MustBe;
using sweep::RowRange;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::UnorderedElementsAre;

constexpr char kIncarnation[] = "0123456789abcdef";

TEST(RowsOfLoads, AreThoseOfTheirRegions) {
  const std::vector<RegionBounds> regions = {{"a", "", "d"}, {"d", "d", "m"}, {"m", "m", ""}};
  const auto rows = [&](const std::vector<LoadedRegion>& loads) { return RowsOfLoads(loads, regions); };
  EXPECT_THAT(rows({{.region = "d", .row = "d"}}), ElementsAre(RowRange{"d", "m"}));
  EXPECT_THAT(rows({{.region = "m", .row = "m"}}), ElementsAre(RowRange{"m", ""}));
  EXPECT_THAT(rows({{.region = "a", .row = std::string(1, '\0')}}), ElementsAre(RowRange{std::string(1, '\0'), "d"}));
}

TEST(RowsOfLoads, OfARegionThatIsNotThereGoToTheEndOfTheTable) {
  const std::vector<RegionBounds> split = {{"a", "", "d"}, {"d1", "d", "g"}, {"d2", "g", "m"}, {"m", "m", ""}};
  EXPECT_THAT(RowsOfLoads({{.region = "d", .row = "d"}}, split), ElementsAre(RowRange{"d", ""}))
      << "the region that begins at d now is a part of the loaded one";
  EXPECT_THAT(RowsOfLoads({{.row = "x"}}, {{"", "", ""}}), ElementsAre(RowRange{"x", ""})) << "of no name";
}

TEST(RowsOfLoads, AreJoined) {
  const std::vector<RegionBounds> regions = {{"a", "", "d"}, {"d", "d", "m"}, {"m", "m", "t"}, {"t", "t", ""}};
  const LoadedRegion d{.region = "d", .row = "d"}, m{.region = "m", .row = "m"}, gone{.region = "x", .row = "f"};
  const LoadedRegion t{.region = "t", .row = "t"};
  EXPECT_THAT(RowsOfLoads({m, d, d}, regions), ElementsAre(RowRange{"d", "t"}));
  EXPECT_THAT(RowsOfLoads({d, t}, regions), ElementsAre(RowRange{"d", "m"}, RowRange{"t", ""}));
  EXPECT_THAT(RowsOfLoads({gone, m, d}, regions), ElementsAre(RowRange{"d", ""}));
}

/// What owners and the stream of the index have done: all of it, unless a test says otherwise.
struct Done {
  sweep::Acknowledged acknowledged;
  int64_t unapplied_requests = 0, unapplied_events = 0;
  Status of_requests;  // of the question how many wait
};

class ToldOwners final : public Owners {
 public:
  explicit ToldOwners(Done* done) : done_(done) {}
  const std::string& incarnation() const override { return incarnation_; }
  std::string Text() const override { return "a test"; }
  void Bound(sweep::RowSnapshotOptions*) const override {}
  Result<std::unique_ptr<sweep::RequestSink>> Sink(std::function<Status()>) override {
    return std::unique_ptr<sweep::RequestSink>(std::make_unique<sweep::MemorySink>(&done_->acknowledged));
  }
  Result<Offsets> Ends() const override {
    return Offsets{{0, static_cast<int64_t>(done_->acknowledged.requests.size())}};
  }
  Result<int64_t> Waiting(const Offsets&) const override {
    FENSI_RETURN_IF_ERROR(done_->of_requests);
    return done_->unapplied_requests;
  }

 private:
  Done* const done_;
  const std::string incarnation_ = kIncarnation;
};

class ToldStream final : public AppliedStream {
 public:
  explicit ToldStream(Done* done) : done_(done) {}
  Result<Owners::Offsets> Ends() override { return Owners::Offsets{{0, 10}}; }
  Result<int64_t> Waiting(const Owners::Offsets&) override { return done_->unapplied_events; }

 private:
  Done* const done_;
};

class LoadFollowerTest : public ::testing::Test, public LoadListener {
 protected:
  static constexpr int kRows = 30;

  LoadFollowerTest() {
    world_.PutRows(kRows);
    MustBe(Store()->CreateTable(meta::MetaTable(Index().state_table()), {}));
    MustBe(indexer::MetaRow(&Index(), Store()).Write("incarnation", 1, kIncarnation));
  }
  const mapping::Index& Index() { return world_.world().index(); }
  store::Store* Store() { return world_.world().faulty(); }
  BulkLoads Loads() {
    return {meta::VersionedMetaRow(Store(), "fensi_meta", meta::LoadsRow(Index().name()), world_.world().clock()),
            kIncarnation};
  }
  void Load(int first_row, uint64_t sequence_id = 7) {
    MustBe(Loads().Note({.region = "r1",
                         .sequence_id = sequence_id,
                         .row = sweep::BackfillWorld::RowKey(first_row),
                         .written = 50,
                         .met = 60}));
  }
  LoadFollower Follower() {
    return LoadFollower({.index = &Index(),
                         .store = Store(),
                         .meta_table = "fensi_meta",
                         .clock_skew = std::chrono::milliseconds(5),
                         .clock = world_.world().clock(),
                         .listener = this,
                         .find_owners = [this]() -> Result<std::unique_ptr<Owners>> {
                           return std::unique_ptr<Owners>(std::make_unique<ToldOwners>(&done_));
                         },
                         .find_stream = [this]() -> Result<std::unique_ptr<AppliedStream>> {
                           return std::unique_ptr<AppliedStream>(std::make_unique<ToldStream>(&done_));
                         },
                         .go_on = [this] { return go_on_ ? go_on_() : Status(); }});
  }
  size_t Waiting() { return Loads().Waiting()->size(); }
  size_t Rows() { return done_.acknowledged.rows.size(); }

  void Progress(const LoadProgress& progress) override { progress_ = progress; }
  void Begins(int64_t regions, size_t) override { begun_ += regions; }
  void Ends(int64_t rows) override { ended_rows_ += rows; }

  sweep::BackfillWorld world_;
  Done done_;
  std::function<Status()> go_on_;
  LoadProgress progress_;
  int64_t begun_ = 0, ended_rows_ = 0;
};

TEST_F(LoadFollowerTest, WithoutALoadReadsNothing) {
  LoadFollower follower = Follower();
  MustBe(follower.Turn());
  EXPECT_EQ(Rows(), 0u);
  EXPECT_EQ(progress_.waiting, 0);
}

TEST_F(LoadFollowerTest, ReadsTheRowsOfTheLoadAndForgetsIt) {
  Load(10);
  LoadFollower follower = Follower();
  MustBe(follower.Turn());
  EXPECT_EQ(Rows(), 20u) << "from the first row of the region to the end";
  EXPECT_FALSE(done_.acknowledged.rows.contains(sweep::BackfillWorld::RowKey(9)));
  EXPECT_EQ(Waiting(), 0u);
  EXPECT_EQ(begun_, 1);
  EXPECT_EQ(ended_rows_, 20);
  EXPECT_EQ(progress_.waiting, 0);
  for (const consumer::Request& request : done_.acknowledged.requests) EXPECT_EQ(request.incarnation, kIncarnation);
  MustBe(follower.Turn());
  EXPECT_EQ(ended_rows_, 20) << "once";
}

TEST_F(LoadFollowerTest, ReadsNothingBeforeTheChangesFromBeforeTheLoadAreApplied) {
  Load(10);
  done_.unapplied_events = 1;
  int asked = 0;
  go_on_ = [&] {
    EXPECT_EQ(Rows() > 0 && done_.unapplied_events > 0, false);
    if (++asked == 5) {
      EXPECT_EQ(progress_.waits_for, "waits until the changes from before the load are applied");
      EXPECT_EQ(progress_.waiting, 1);
      EXPECT_EQ(progress_.since, 60);
      done_.unapplied_events = 0;
    }
    return Status();
  };
  MustBe(Follower().Turn());
  EXPECT_GE(asked, 5);
  EXPECT_EQ(Rows(), 20u);
}

TEST_F(LoadFollowerTest, ReadsNothingBeforeTheWatermarkHasPassedTheLoad) {
  const meta::IndexRecord record({Store(), "fensi_meta", meta::IndexRow(Index().name()), world_.world().clock()});
  MustBe(record.Register({.incarnation = kIncarnation}));
  const auto note = [&](int64_t time) { MustBe(record.NoteMarks(kIncarnation, {{{0, time}}, 1, "markers"}).status()); };
  note(55);  // the load was written at 50, and clocks may differ by 5
  Load(10);
  int asked = 0;
  go_on_ = [&] {
    EXPECT_TRUE(asked >= 20 || Rows() == 0);
    if (++asked == 20) note(56);
    return Status();
  };
  MustBe(Follower().Turn());
  EXPECT_GE(asked, 20);
  EXPECT_EQ(Rows(), 20u);
}

TEST_F(LoadFollowerTest, AWatermarkThatStandsStillHoldsNothingUp) {
  const meta::IndexRecord record({Store(), "fensi_meta", meta::IndexRow(Index().name()), world_.world().clock()});
  MustBe(record.Register({.incarnation = kIncarnation}));
  MustBe(record.NoteMarks(kIncarnation, {{{0, 10}}, 1, "markers"}).status());
  Load(10);
  const auto began = world_.world().clock()->MonotonicNow();
  MustBe(Follower().Turn());
  EXPECT_GE(world_.world().clock()->MonotonicNow() - began, LoadFollower::kStill);
  EXPECT_EQ(Rows(), 20u);
}

TEST_F(LoadFollowerTest, ForgetsALoadOnlyWhenItsImagesAreApplied) {
  Load(10);
  done_.unapplied_requests = 1;
  int asked = 0;
  go_on_ = [&] {
    if (Rows() < 20) return Status();
    EXPECT_EQ(Waiting(), 1u);
    return ++asked < 5 ? Status() : Status(StatusCode::kCancelled, "asked to stop");
  };
  EXPECT_EQ(Follower().Turn().code(), StatusCode::kCancelled);
  EXPECT_EQ(Waiting(), 1u);
  go_on_ = nullptr;
  done_.unapplied_requests = 0;
  MustBe(Follower().Turn());
  EXPECT_EQ(Waiting(), 0u);
  EXPECT_EQ(begun_, 1) << "the next process continues the job";
}

TEST_F(LoadFollowerTest, ALoadThatIsMetWhileAJobReadsIsOfTheNextJob) {
  Load(10);
  bool met = false;
  go_on_ = [&] {
    if (Rows() > 0 && !std::exchange(met, true)) {
      Load(10);     // again
      Load(25, 8);  // another
    }
    return Status();
  };
  LoadFollower follower = Follower();
  MustBe(follower.Turn());
  ASSERT_TRUE(met);
  EXPECT_EQ(Waiting(), 2u);
  EXPECT_EQ(progress_.waiting, 2);
  MustBe(follower.Turn());
  EXPECT_EQ(Waiting(), 0u);
  EXPECT_EQ(begun_, 3);
  EXPECT_EQ(done_.acknowledged.rows.at(sweep::BackfillWorld::RowKey(25)), 2);
}

TEST_F(LoadFollowerTest, LostRequestsBeginAnotherJob) {
  Load(10);
  done_.of_requests = Status(StatusCode::kConfiguration, "Kafka deleted requests");
  EXPECT_EQ(Follower().Turn().code(), StatusCode::kConfiguration);
  EXPECT_EQ(Waiting(), 1u);
  const int before = done_.acknowledged.rows.empty() ? 0 : done_.acknowledged.rows.begin()->second;
  done_.of_requests = Status();
  MustBe(Follower().Turn());
  EXPECT_EQ(Waiting(), 0u);
  EXPECT_EQ(done_.acknowledged.rows.begin()->second, before + 1) << "every row again";
}

TEST_F(LoadFollowerTest, OfTwoProcessesBothWorkOnOneJobAndOneEndsIt) {
  Load(0);
  bool inside = false;
  LoadFollower one = Follower(), other = Follower();
  go_on_ = [&] {
    if (Rows() == 0 || std::exchange(inside, true)) return Status();
    MustBe(other.Turn());
    EXPECT_EQ(Waiting(), 0u);
    return Status();
  };
  MustBe(one.Turn());
  EXPECT_TRUE(inside);
  EXPECT_EQ(begun_, 1) << "one job";
  EXPECT_EQ(ended_rows_, kRows) << "ended once";
  EXPECT_EQ(Rows(), static_cast<size_t>(kRows));
}

TEST_F(LoadFollowerTest, ACrashAtAnyCallContinuesOrRepeats) {
  using Call = store::FaultyStore::Call;
  for (int dies_at = 1;; ++dies_at) {
    done_ = Done();
    Load(10);
    int calls = 0;
    bool died = false;
    world_.world().faulty()->SetObserver([&](Call, const std::string&) {
      died = died || ++calls == dies_at;
      return died ? Status(StatusCode::kCancelled, "the process died") : Status();
    });
    const Status first = Follower().Turn();
    world_.world().faulty()->SetObserver(nullptr);
    if (!died) {
      MustBe(first);
      break;
    }
    EXPECT_EQ(Rows() == 20 || Waiting() == 1, true) << "at call " << dies_at;
    for (int i = 0; i < 5 && Waiting() > 0; ++i) MustBe(Follower().Turn());
    ASSERT_EQ(Rows(), 20u) << "at call " << dies_at;
    ASSERT_EQ(Waiting(), 0u) << "at call " << dies_at;
  }
}

}  // namespace
}  // namespace fensi::operations

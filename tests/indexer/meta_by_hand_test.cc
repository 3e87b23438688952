// A person deletes cells by which processes agree, in the HBase shell. Every command that writes them afterwards ends:
// what it wrote is read, or it says where and why not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>
#include <string>
#include <vector>

#include "indexer/index_meta.h"
#include "indexer/meta_row.h"
#include "indexer/requests/position.h"
#include "meta/alias_record.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "sweep/jobs/board.h"
#include "sweep/scrub/lease.h"
#include "tests/indexer/support/world.h"
#include "tests/support/matchers.h"

namespace fensi::testing {
namespace {

using indexer::MetaRow;
using meta::VersionedMetaRow;

constexpr char kMeta[] = "fensi_meta", kIncarnation[] = "0123456789abcdef";
constexpr int64_t kDeletedAt = 1'800'000'000'000;  // the shell deletes up to its own time
constexpr int kEndlessCalls = 3'000;

class MetaByHandTest : public ::testing::Test {
 protected:
  /// What writes some cells of a row, and whether they are read afterwards.
  struct Writer {
    std::string name;
    std::function<VersionedMetaRow()> row;
    std::function<Status()> write;
    std::function<bool()> shown;
  };

  MetaByHandTest() { Must(world_.store()->CreateTable(meta::MetaTable(kMeta), {})); }

  VersionedMetaRow Row(const std::string& name) { return {world_.faulty(), kMeta, name, world_.clock()}; }
  MetaRow OwnRow() { return {&world_.index(), world_.faulty(), world_.clock()}; }
  meta::IndexRecord Record() { return meta::IndexRecord(Row("index:x")); }
  meta::AliasRecord Alias() { return meta::AliasRecord(Row("alias:a")); }

  Status SwitchAlias() {
    const auto known = Alias().Read();
    // As 'fensi switch --remove' does where the row is broken.
    if (known.status().code() == StatusCode::kInternal) FENSI_RETURN_IF_ERROR(Alias().Remove().status());
    const auto now = Alias().Read();
    FENSI_RETURN_IF_ERROR(now.status());
    target_ = {"x" + std::to_string(++switches_), kIncarnation};
    return Alias().Switch(*now, target_);
  }

  /// A whole job: made, worked on and ended.
  Status DoJob() {
    const auto known = sweep::Board::Find(Row("job:x:verify"));
    FENSI_RETURN_IF_ERROR(known.status());
    const sweep::Job job{"job" + std::to_string(++jobs_), 1, "args", {}};
    const auto made = sweep::Board::Make(Row("job:x:verify"), *known, job, {{"", ""}});
    FENSI_RETURN_IF_ERROR(made.status());
    EXPECT_EQ(made->name, job.name);
    return WorkOnJob();
  }
  Status WorkOnJob() {
    const sweep::Board board(Row("job:x:verify"), "job" + std::to_string(jobs_));
    const auto view = board.Look();
    FENSI_RETURN_IF_ERROR(view.status());
    sweep::HeartbeatMonitor watch{std::chrono::milliseconds(0)};
    auto seat = board.Take(*view, &watch, "worker", 0, std::chrono::milliseconds(1));
    FENSI_RETURN_IF_ERROR(seat.status());
    if (!seat->has_value()) return Status(StatusCode::kInternal, "no seat");
    if (damage_job_) damage_job_();
    FENSI_RETURN_IF_ERROR(board.Beat(&**seat).status());
    (*seat)->place = {"z", 7, 7, true};
    FENSI_RETURN_IF_ERROR(board.Advance(**seat));
    FENSI_RETURN_IF_ERROR(board.Steer({sweep::Wish::kRun, 5, 0}));
    return board.End(77);
  }
  bool JobIsDone() {
    const auto view = sweep::Board(Row("job:x:verify"), "job" + std::to_string(jobs_)).Look();
    return view.ok() && view->sum().done && view->job.ended_at == 77 && view->job.pace.rows_per_second == 5;
  }

  Status NotePosition() {
    indexer::RequestsPosition position(&world_.index(), OwnRow(), 0);
    FENSI_RETURN_IF_ERROR(position.Open({0, 9}).status());
    FENSI_RETURN_IF_ERROR(position.Note(5));
    return position.Done(5);
  }

  Status TakeLease() {
    sweep::ScrubLease lease(Row("job:x:scrub"), "scrub", "w" + std::to_string(++workers_), world_.clock());
    for (int looks = 0; looks < 3; ++looks) {
      const auto taken = lease.Take();
      FENSI_RETURN_IF_ERROR(taken.status());
      if (taken->has_value()) return lease.Move(**taken).status();
      world_.clock()->Advance(sweep::ScrubLease::kSilence);
    }
    return Status(StatusCode::kInternal, "the lease is not to be had");
  }

  std::vector<Writer> Writers() {
    const auto record = [this] { return Row("index:x"); };
    const auto state = [this] { return Record().Read()->value_or(meta::IndexState()); };
    const auto registered = [this] { return Record().Register({kIncarnation, "t", "s", "src", "topic", "f"}); };
    const auto then = [registered](auto more) {
      return [registered, more] {
        const Status first = registered();
        return first.ok() ? more() : first;
      };
    };
    return {
        {"alias", [this] { return Row("alias:a"); }, [this] { return SwitchAlias(); },
         [this] { return (*Alias().Read())->current == target_; }},
        {"register", record, registered, [=] { return state().facts.state_table == "s"; }},
        {"phase", record, then([this] { return Record().SetPhase(kIncarnation, meta::Phase::kLive); }),
         [=] { return state().phase == meta::Phase::kLive; }},
        {"verified", record,
         then([this] { return Record().SetVerified(kIncarnation, "v" + std::to_string(++verified_)); }),
         [this, state] { return state().verified == "v" + std::to_string(verified_); }},
        {"marks", record, then([this] {
           return Record().NoteMarks(kIncarnation, {{{0, kDeletedAt + ++marks_}}, 1, "markers"}).status();
         }),
         [this, state] { return state().complete == kDeletedAt + marks_; }},
        {"dropped", record, then([this] { return Record().NoteDropped(kIncarnation); }),
         [this] { return !Record().Read()->has_value(); }},
        {"job", [this] { return Row("job:x:verify"); }, [this] { return DoJob(); }, [this] { return JobIsDone(); }},
        {"pause", [this] { return OwnRow(); },
         [this] { return OwnRow().Set(indexer::kPauseColumn, "because " + std::to_string(++pauses_)); },
         [this] { return *indexer::ReadPause(OwnRow()) == "because " + std::to_string(pauses_); }},
        {"requests", [this] { return OwnRow(); }, [this] { return NotePosition(); },
         [this] { return (*OwnRow().Read("requests/0"))->value.starts_with("5 5 "); }},
        {"lease", [this] { return Row("job:x:scrub"); }, [this] { return TakeLease(); },
         [this] { return (*Row("job:x:scrub").Read("scrub"))->value.starts_with("w" + std::to_string(workers_)); }},
    };
  }

  void DeleteAll(const VersionedMetaRow& row, CellType type) {
    store::RowMutation gone{row.row(), {}};
    const auto cells = row.ReadAll();
    Must(cells.status());
    const bool of_family = type == CellType::kDeleteFamily;
    if (of_family) gone.cells.push_back({.family = "i", .timestamp = kDeletedAt, .type = type});
    for (const auto& [qualifier, cell] : *cells) {
      const int64_t at = type == CellType::kDelete ? cell.timestamp : kDeletedAt;
      if (!of_family) gone.cells.push_back({.family = "i", .qualifier = qualifier, .timestamp = at, .type = type});
    }
    if (!gone.cells.empty()) Must(world_.store()->Delete(row.table(), {&gone, 1}).status());
  }
  static VersionedMetaRow::Cells CellsOf(const VersionedMetaRow& row) {
    auto cells = row.ReadAll();
    Must(cells.status());
    return std::move(*cells);
  }
  void DeleteColumn(const VersionedMetaRow& row, const std::string& qualifier) {
    const store::RowMutation gone{
        row.row(), {{.family = "i", .qualifier = qualifier, .timestamp = kDeletedAt, .type = CellType::kDeleteColumn}}};
    Must(world_.store()->Delete(row.table(), {&gone, 1}).status());
  }

  /// A loop without end makes calls without end.
  void BoundCalls() {
    calls_ = 0;
    world_.faulty()->SetObserver([this](store::FaultyStore::Call, const std::string&) {
      return ++calls_ < kEndlessCalls ? Status() : Status(StatusCode::kInternal, "it does not end");
    });
  }
  void WriteAgain(const Writer& writer, const std::string& what) {
    BoundCalls();
    const Status status = writer.write();
    EXPECT_LT(calls_, kEndlessCalls) << writer.name << " after the delete of " << what;
    if (status.ok()) {
      EXPECT_TRUE(writer.shown()) << writer.name << " after the delete of " << what;
    } else {
      EXPECT_THAT(status.message(), HasSubstr(writer.row().table())) << writer.name << " after the delete of " << what;
    }
  }

  World world_{ValueRule(), true};
  meta::IndexName target_;
  std::function<void()> damage_job_;
  int switches_ = 0, jobs_ = 0, workers_ = 0, verified_ = 0, marks_ = 0, pauses_ = 0, calls_ = 0;
};

TEST_F(MetaByHandTest, WhatIsWrittenAfterTheDeleteOfAWholeRowIsRead) {
  for (const CellType type : {CellType::kDeleteFamily, CellType::kDeleteColumn, CellType::kDelete}) {
    for (const Writer& writer : Writers()) {
      for (int again = 0; again < 2; ++again) {
        BoundCalls();
        Must(writer.write());
        ASSERT_TRUE(writer.shown()) << writer.name;
        DeleteAll(writer.row(), type);
        BoundCalls();
        const Status status = writer.write();
        EXPECT_TRUE(status.ok()) << writer.name << ": " << status.message();
        EXPECT_TRUE(status.ok() && writer.shown()) << writer.name << " after " << CellTypeName(type);
      }
    }
  }
}

TEST_F(MetaByHandTest, WhatIsWrittenAfterTheDeleteOfAnyColumnIsReadOrRefused) {
  for (size_t i = 0; i < Writers().size(); ++i) {
    const Writer writer = Writers()[i];
    Must(writer.write());
    std::vector<std::string> columns;
    for (const auto& [qualifier, cell] : CellsOf(writer.row())) columns.push_back(qualifier);
    ASSERT_FALSE(columns.empty());
    for (const std::string& column : columns) {
      DeleteColumn(writer.row(), column);
      WriteAgain(writer, column);
    }
  }
}

TEST_F(MetaByHandTest, AJobWhoseCellsAreDeletedUnderItsWorkerEndsItsWork) {
  Must(DoJob());
  std::vector<std::string> kinds;
  for (const auto& [qualifier, cell] : CellsOf(Row("job:x:verify"))) {
    kinds.push_back(qualifier.substr(0, qualifier.find('/')));
  }
  for (const std::string& kind : kinds) {
    damage_job_ = [this, kind] {
      for (const auto& [qualifier, cell] : CellsOf(Row("job:x:verify"))) {
        if (qualifier.starts_with(kind)) DeleteColumn(Row("job:x:verify"), qualifier);
      }
      if (kind == "at") DeleteColumn(Row("job:x:verify"), "at/job" + std::to_string(jobs_) + "/00000");
    };
    BoundCalls();
    const Status status = DoJob();
    EXPECT_LT(calls_, kEndlessCalls) << kind;
    const sweep::Board board(Row("job:x:verify"), "job" + std::to_string(jobs_));
    const bool gone = board.Look().status().code() == StatusCode::kConfiguration;  // whoever looks next is told
    EXPECT_TRUE(status.ok() ? JobIsDone() || gone : status.code() == StatusCode::kConfiguration)
        << kind << ": " << status.message();
    if (kind == "at") {
      EXPECT_THAT(status.message(), HasSubstr("--cancel"));
    }
  }
}

TEST_F(MetaByHandTest, ALeaseThatIsDeletedWhileItIsMovedIsTakenAgain) {
  sweep::ScrubLease lease(Row("job:x:scrub"), "scrub", "w", world_.clock());
  const auto place = lease.Take();
  ASSERT_TRUE(place.ok() && place->has_value());
  world_.faulty()->SetObserver([this](store::FaultyStore::Call call, const std::string&) {
    if (call == store::FaultyStore::Call::kCompareAndPut) DeleteColumn(Row("job:x:scrub"), "scrub");
    return Status();
  });
  const auto moved = lease.Move(**place);
  EXPECT_TRUE(moved.ok()) << "the scrub would rest for a minute: " << moved.status().message();
  EXPECT_FALSE(moved.ok() && *moved) << "nobody can know whose it is";
  world_.faulty()->SetObserver(nullptr);
  EXPECT_TRUE(lease.Take()->has_value());
}

TEST_F(MetaByHandTest, AnOriginBelowADeleteIsNotDrawnTwice) {
  indexer::IndexMeta meta(&world_.index(), world_.store());
  Must(meta.Open());
  const auto begin = [&] { return meta.Begin({std::make_shared<FakeAssignment>("t"), std::nullopt, 0, 9}); };
  ASSERT_TRUE(begin()->fresh);
  DeleteColumn(OwnRow(), "birth/t/0");
  const auto again = begin();
  EXPECT_EQ(again.status().code(), StatusCode::kConfiguration) << "it would take the partition for one without states";
  EXPECT_THAT(again.status().message(), HasSubstr("major_compact"));
}

}  // namespace
}  // namespace fensi::testing

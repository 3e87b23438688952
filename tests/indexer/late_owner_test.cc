// The second look asks for no intents (docs/maintenance.md): tried with an owner that is paused in each of its writes,
// which arrives before each call of the next owner, whatever the looks of both see of the source, and whether the
// second one reads the intent or not.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <ostream>
#include <tuple>
#include <utility>

#include "store/wrapped_store.h"
#include "tests/indexer/support/told_log.h"

namespace fensi::testing {
namespace {

/// Is paused in its n-th write, and has lost the partition when it comes back: that write arrives with Arrive(), and
/// whatever it would still write then.
class PausedOwner final : public store::ForwardingStore {
 public:
  PausedOwner(World* world, int write)
      : ForwardingStore(world->store()), left_(write), maintainer_(world->NewMaintainer(false, this, assignment_)) {}

  /// False: it comes to its end before.
  bool IsPausedIn(World* world, const consumer::Batch& batch) {
    const Status applied = maintainer_->Apply(batch);
    if (applied.ok()) (void)world->RereadSource(maintainer_.get(), batch);
    return left_ <= 0;
  }
  void Arrive() {
    for (const Write& write : std::exchange(late_, {})) {
      Must((write.deletes ? behind()->Delete(write.table, write.rows) : behind()->Put(write.table, write.rows))
               .status());
    }
  }

  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    return IsLate(table, rows, false) ? None() : ForwardingStore::Put(table, rows);
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    return IsLate(table, rows, true) ? None() : ForwardingStore::Delete(table, rows);
  }

 private:
  struct Write {
    std::string table;
    std::vector<store::RowMutation> rows;
    bool deletes;
  };
  std::unique_ptr<Store> Over(std::unique_ptr<Store>) override { return nullptr; }  // nobody asks
  static Result<std::vector<store::RejectedRow>> None() { return std::vector<store::RejectedRow>(); }
  bool IsLate(const std::string& table, std::span<const store::RowMutation> rows, bool deletes) {
    if (--left_ > 0) return false;
    assignment_->Lose();
    late_.push_back({table, {rows.begin(), rows.end()}, deletes});
    return true;
  }

  const std::shared_ptr<FakeAssignment> assignment_ = std::make_shared<FakeAssignment>();
  int left_;
  std::vector<Write> late_;
  const std::unique_ptr<indexer::IndexMaintainer> maintainer_;
};

/// What happened to one row: before both owners came, what they are told, and what they are not told yet.
struct Story {
  bool forgotten_marker;  // the source is compacted after the first event
  std::vector<std::string> before, told, ahead;
};

void PrintTo(const Story& story, std::ostream* out) {
  *out << (story.forgotten_marker ? "compacted" : "not compacted");
  for (const auto* events : {&story.before, &story.told, &story.ahead})
    *out << " " << ::testing::PrintToString(*events);
}

/// Events that the source does not show yet at each look; the last look of all sees everything.
struct Sight {
  size_t paused, next;
};

/// How the owners know a state, and where it lies.
enum class Memory { kRemember, kReadBuckets, kReadRows };

class LateOwner : public ::testing::TestWithParam<std::tuple<Memory, Story>> {
 protected:
  static constexpr int kMostWrites = 12, kMostCalls = 30;
  /// The state is read again for the second look.
  static bool Forgetful() { return std::get<Memory>(GetParam()) != Memory::kRemember; }

  void Begin(World* world, ToldLog* log) {
    const Story& story = std::get<Story>(GetParam());
    world->Reset();
    world->set_tight(false);
    if (std::get<Memory>(GetParam()) == Memory::kReadRows) world->set_layout({});
    for (const std::string& cell : story.before) {
      log->Happens(cell);
      if (story.forgotten_marker && log->size() == 1) world->CompactSource();
    }
    const auto first = world->NewMaintainer(true);
    Must(first->Apply(log->From(0)));
    Must(world->RereadSource(first.get(), log->From(0)));
    world->set_tight(Forgetful());
  }

  /// What the owners are told. Where they are forgetful, behind it rows that take the place of this one in the cache.
  consumer::Batch Tell(World* world, ToldLog* log, Sight sight) {
    const Story& story = std::get<Story>(GetParam());
    const size_t from = log->size();
    const int others = Forgetful() ? 3 : 0;
    for (int i = 0; i < others; ++i) log->Happens("m=x@12", "other" + std::to_string(i));
    world->ShowSourceLate(sight.paused);
    for (const std::string& cell : story.told) log->Happens(cell);
    consumer::Batch batch = log->From(from);
    std::rotate(batch.records.begin(), batch.records.begin() + others, batch.records.end());
    return batch;
  }

  /// What is wrong after it, or nothing; no value: the owner makes fewer writes, or the next one fewer calls.
  std::optional<std::string> Play(World* world, int write, int call, Sight sight) {
    const Story& story = std::get<Story>(GetParam());
    ToldLog log(world);
    Begin(world, &log);
    const consumer::Batch batch = Tell(world, &log, sight);
    const size_t told = log.size();
    for (const std::string& cell : story.ahead) log.Happens(cell);
    PausedOwner paused(world, write);
    if (!paused.IsPausedIn(world, batch)) return std::nullopt;
    world->ShowSourceLate(sight.next);
    int calls = 0;
    world->faulty()->SetObserver([&](store::FaultyStore::Call, const std::string&) {
      if (++calls == call) paused.Arrive();
      return Status();
    });
    const auto next = world->NewMaintainer(false);
    Must(next->Apply(batch));
    const int64_t reads = world->counters()->state_reads;
    Must(world->RereadSource(next.get(), batch));
    read_again_ += world->counters()->state_reads - reads;
    world->faulty()->SetObserver({});
    paused.Arrive();
    if (calls < call - 1) return std::nullopt;
    return Ends(world, &log, told);
  }

  /// The row's further life with one owner for each event.
  static std::string Ends(World* world, ToldLog* log, size_t told) {
    const auto tell = [&](size_t event) {
      const auto owner = world->NewMaintainer(false);
      Must(owner->Apply(log->Part(event, 1)));
      Must(world->RereadSource(owner.get(), log->Part(event, 1)));
    };
    for (; told < log->size(); ++told) tell(told);
    std::string wrong = world->Difference();
    for (const char* cell : {"k=d@30", "D:k@30", "m=d@31", "DF@40"}) {
      log->Happens(cell);
      tell(log->size() - 1);
      if (wrong.empty()) wrong = world->Difference();
    }
    return wrong;
  }

  int64_t read_again_ = 0;  // states, for second looks
};

TEST_P(LateOwner, ChangesNothingWhereverItsWriteArrives) {
  World world(TwoPartRule(), true);
  const Story& story = std::get<Story>(GetParam());
  const size_t events = story.told.size() + story.ahead.size();
  int played = 0, last_write = 0;
  for (size_t paused = 0; paused <= events; ++paused) {
    for (size_t next = 0; next <= paused; ++next) {
      for (int write = 1; write <= kMostWrites; ++write) {
        for (int call = 1; call <= kMostCalls; ++call) {
          const std::optional<std::string> wrong = Play(&world, write, call, {paused, next});
          if (!wrong) break;
          ++played;
          last_write = std::max(last_write, write);
          ASSERT_EQ(*wrong, "") << "write " << write << " at call " << call << ", late " << paused << " " << next;
        }
      }
    }
  }
  std::printf("%d lives, paused in up to %d writes\n", played, last_write);
  EXPECT_GE(played, 100);
  EXPECT_EQ(read_again_ > 0, Forgetful());
}

INSTANTIATE_TEST_SUITE_P(
    Stories, LateOwner,
    ::testing::Combine(::testing::Values(Memory::kRemember, Memory::kReadBuckets, Memory::kReadRows),
                       ::testing::Values(Story{true, {"DF@15", "k=a@20"}, {"m=b@12"}, {"DC:m@13"}},
                                         Story{true, {"DF@15", "k=a@20"}, {"m=b@12", "m=c@13"}, {"DC:m@13"}},
                                         Story{false, {"k=a@10", "k=b@12", "m=x@9"}, {"D:k@12"}, {"D:k@10"}},
                                         Story{false, {"k=a@10", "k=b@11", "k=c@12"}, {"D:k@12", "D:k@11"}, {}})));

}  // namespace
}  // namespace fensi::testing

// Death at every place: a fixed history of 200 events is run again and again; the process dies at the n-th call of
// store, consumer or dead letters, for every n, before and after the call took effect, and starts again with other
// batch borders. In the end the index is exact, and no letter of a life without deaths is missing.
#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <set>

#include "indexer/index_runner.h"
#include "store/wrapped_store.h"
#include "tests/doubles/memory_source.h"
#include "tests/indexer/support/two_logs.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

constexpr size_t kEvents = 200;

std::vector<ChangeEvent> FixedHistory(uint64_t seed) {
  std::mt19937_64 random(seed);
  std::vector<ChangeEvent> events;
  for (size_t i = 0; i < kEvents; ++i) {
    ChangeEvent event{.table = "source", .row = "r" + std::to_string(random() % 12), .sequence_id = i + 1};
    Cell cell{.family = "f", .qualifier = std::string(1, "kvm"[random() % 3])};
    cell.timestamp = static_cast<int64_t>(10 + i / 2);  // two events share a millisecond
    cell.value = std::string(1, static_cast<char>('a' + random() % 4));
    const uint64_t kind = random() % 10;
    if (kind == 0) cell.type = CellType::kDeleteFamily;
    if (kind == 1) cell.type = CellType::kDeleteColumn;
    if (kind == 2) cell.type = CellType::kDelete;
    if (kind == 3) cell.value.clear();  // no entry has an empty row key
    if (kind == 4) cell.timestamp = -1;
    if (cell.type != CellType::kPut) cell.value.clear();
    if (cell.type == CellType::kDeleteFamily) cell.qualifier.clear();
    event.cells.push_back(cell);
    events.push_back(event);
  }
  return events;
}

/// Counts the calls of a process and lets it die at one of them: from there on every call fails.
class Fate {
 public:
  Fate(int dies_at, bool after) : dies_at_(dies_at), after_(after) {}

  bool DiesBefore() {
    if (++calls_ == dies_at_ && !after_) dead_ = true;
    return dead_;
  }
  bool DiesAfter() {
    if (calls_ == dies_at_ && after_) dead_ = true;
    return dead_;
  }
  int calls() const { return calls_; }
  bool dead() const { return dead_; }

 private:
  const int dies_at_;
  const bool after_;
  int calls_ = 0;
  bool dead_ = false;
};

const Status kDead(StatusCode::kInternal, "the process is dead");

/// Every call of the store passes the fate.
class MortalStore final : public store::DelegatingStore {
 public:
  MortalStore(store::Store* behind, Fate* fate) : DelegatingStore(behind), fate_(fate) {}
  Result<std::vector<store::RejectedRow>> Put(const std::string& table,
                                              std::span<const store::RowMutation> rows) override {
    return Run<Result<std::vector<store::RejectedRow>>>([&] { return behind()->Put(table, rows); });
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string& table,
                                                 std::span<const store::RowMutation> rows) override {
    return Run<Result<std::vector<store::RejectedRow>>>([&] { return behind()->Delete(table, rows); });
  }
  Result<bool> CompareAndPut(const std::string& table, const store::ConditionalPut& change) override {
    return Run<Result<bool>>([&] { return behind()->CompareAndPut(table, change); });
  }
  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> gets) override {
    return Run<Result<std::vector<store::Row>>>([&] { return behind()->Get(table, gets); });
  }
  Result<std::vector<store::Row>> GetSome(const std::string& table, std::span<const store::GetRequest> gets,
                                          size_t /*max_bytes*/) override {
    return Get(table, gets);
  }
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    return Run<Result<std::vector<store::Row>>>([&] { return behind()->Scan(table, request); });
  }
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string& table) override {
    return Run<Result<std::optional<store::TableDescriptor>>>([&] { return behind()->DescribeTable(table); });
  }

 private:
  template <typename Answer, typename Function>
  Answer Run(Function call) {
    if (fate_->DiesBefore()) return kDead;
    Answer answer = call();
    if (fate_->DiesAfter()) return kDead;
    return answer;
  }
  Fate* const fate_;
};

/// Place and reason of each letter that is durable. The place is the offset; where rows are read from the source, the
/// row: what is wrong with it is told of the last of its events in the batch, and batches have other borders after a
/// death.
using Letters = std::set<std::pair<std::string, std::string>>;

/// Every call of the sink passes the fate; what was not flushed dies with the process.
class MortalLetters final : public consumer::DeadLetterSink {
 public:
  MortalLetters(Letters* durable, bool by_row, Fate* fate) : durable_(durable), by_row_(by_row), fate_(fate) {}
  Status Send(const consumer::DeadLetter& letter) override {
    if (fate_->DiesBefore()) return kDead;
    pending_.emplace(by_row_ ? "row " + letter.row : std::to_string(letter.offset), letter.reason);
    return fate_->DiesAfter() ? kDead : Status();
  }
  Status Flush() override {
    if (fate_->DiesBefore()) return kDead;
    durable_->merge(pending_);
    return fate_->DiesAfter() ? kDead : Status();
  }

 private:
  Letters pending_;
  Letters* const durable_;
  const bool by_row_;
  Fate* const fate_;
};

/// One life of the process, to the end of the stream or to its death. One worker, so that calls come in one order.
Status Live(World* world, const std::shared_ptr<consumer::MemoryLog>& log, size_t batch_records, Fate* fate,
            Letters* durable) {
  MortalLetters letters(durable, world->with_source(), fate);
  MortalStore store(world->store(), fate);
  consumer::MemorySource source(
      log, {.batch_records = batch_records, .dies = [fate](std::string_view) { return fate->DiesBefore(); }});
  const auto index = std::shared_ptr<const mapping::Index>(&world->index(), [](const mapping::Index*) {});
  indexer::IndexRunner runner(index, &source, &store, &letters, world->clock(), {.workers = 1});
  return runner.Run();
}

void BeginAgain(World* world, const std::vector<ChangeEvent>& events) {
  world->Reset();
  for (ChangeEvent event : events) {
    std::erase_if(event.cells, [](const Cell& cell) { return cell.timestamp < 0; });
    world->ApplyToSource(event);
  }
}

std::shared_ptr<consumer::MemoryLog> LogOf(const std::vector<ChangeEvent>& events) {
  return std::make_shared<consumer::MemoryLog>(std::vector<std::vector<ChangeEvent>>{events});
}

/// The letters of a process that nothing happens to.
Letters LettersOfAPeacefulLife(World* world, const std::vector<ChangeEvent>& events) {
  BeginAgain(world, events);
  Letters letters;
  Fate unharmed(0, false);
  Must(Live(world, LogOf(events), 23, &unharmed, &letters));
  return letters;
}

/// Of the index and what it should hold; an entry without a row key is a letter instead.
std::string Difference(const World& world) {
  Entries wanted = world.Wanted();
  std::erase_if(wanted, [](const auto& entry) { return entry.first.first.empty(); });
  return DifferenceOf(wanted, world.Actual());
}

/// Those of `wanted` that are not there, as text.
std::string Missing(const Letters& wanted, const Letters& there) {
  std::string missing;
  for (const auto& [place, reason] : wanted) {
    if (!there.contains({place, reason})) missing += "\n  " + place + ": " + reason;
  }
  return missing;
}

/// Dies at every call in turn, before it and after it, and is begun again with other batches: exact each time.
class DyingEverywhere {
 public:
  DyingEverywhere(World* world, size_t second_batch) : world_(world), second_batch_(second_batch) {}

  /// `prepare` makes the world and its log anew; `check` says what is wrong after the second life, or nothing.
  void Run(const std::function<std::shared_ptr<consumer::MemoryLog>()>& prepare,
           const std::function<std::string(const Letters&)>& check) {
    int places = 0;
    for (const bool after : {false, true}) {
      for (int place = 1;; ++place, ++places) {
        const auto log = prepare();
        Letters letters;
        Fate fate(place, after);
        (void)Live(world_, log, 23, &fate, &letters);
        if (!fate.dead()) break;
        Fate unharmed(0, false);
        const Status rest = Live(world_, log, second_batch_, &unharmed, &letters);
        ASSERT_TRUE(rest.ok()) << rest.ToString() << " after a death at call " << place;
        ASSERT_EQ(check(letters), "") << "died " << (after ? "after" : "before") << " call " << place;
      }
    }
    EXPECT_GT(places, 50);
    std::printf("%-10s died at %d places, exact each time\n", world_->rule().name.c_str(), places);
  }

 private:
  World* const world_;
  const size_t second_batch_;
};

class EveryCrash : public ::testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(EveryCrash, EndsExact) {
  const auto [rule, with_source] = GetParam();
  World world(RulesWithSource()[static_cast<size_t>(rule)], with_source);
  const std::vector<ChangeEvent> events = FixedHistory(4711);
  const Letters wanted = LettersOfAPeacefulLife(&world, events);
  EXPECT_GT(wanted.size(), 1u);
  const auto prepare = [&] {
    BeginAgain(&world, events);
    return LogOf(events);
  };
  DyingEverywhere(&world, 17).Run(prepare, [&](const Letters& letters) {
    const std::string difference = Difference(world);
    return difference.empty() ? Missing(wanted, letters) : difference;
  });
}

/// The first events happened before the stream; scans tell them, and what somebody planted is asked for.
std::shared_ptr<consumer::MemoryLog> LogBesideRequests(World* world, const std::vector<ChangeEvent>& events) {
  BeginAgain(world, events);
  Must(indexer::MetaRow(&world->index(), world->store()).Write("incarnation", 1, kIncarnation));
  Must(indexer::IndexMeta(&world->index(), world->store()).Open());
  auto log = LogOf({events.begin() + static_cast<ptrdiff_t>(kEvents / 2), events.end()});
  log->at(0).requests.emplace();
  for (int row = 0; row < 12; ++row) {
    const std::string name = "r" + std::to_string(row);
    log->at(0).requests->push_back(ImageOf(world, name));
    log->at(0).requests->push_back(RecheckOf(name));
  }
  const std::string table = world->index().table();
  const Cell planted{.family = "f", .qualifier = "r1", .timestamp = 300, .value = "planted"};
  WriteCells({.table = table, .row = "foreign", .cells = {planted}}, table, world->store());
  log->at(0).requests->push_back(RecheckOf("r1", {{table, "foreign", "f", "r1", 300}}));
  return log;
}

class EveryCrashBesideRequests : public ::testing::TestWithParam<Rule> {};

TEST_P(EveryCrashBesideRequests, EndsExact) {
  World world(GetParam(), true);
  std::vector<ChangeEvent> events = FixedHistory(4711);
  std::erase_if(events, [](const ChangeEvent& event) { return event.cells.front().timestamp < 0; });
  DyingEverywhere(&world, 7).Run([&] { return LogBesideRequests(&world, events); },
                                 [&](const Letters&) { return Difference(world); });
}

INSTANTIATE_TEST_SUITE_P(Rules, EveryCrashBesideRequests, ::testing::ValuesIn(RulesWithSource()), RuleName);

INSTANTIATE_TEST_SUITE_P(Rules, EveryCrash,
                         ::testing::Combine(::testing::Range(0, static_cast<int>(AllRules().size())),
                                            ::testing::Bool()));
INSTANTIATE_TEST_SUITE_P(Mirrors, EveryCrash,
                         ::testing::Combine(::testing::Range(static_cast<int>(AllRules().size()),
                                                             static_cast<int>(RulesWithSource().size())),
                                            ::testing::Values(true)));

}  // namespace
}  // namespace fensi::testing

// The model's histories on a real HBase, with its own flushes, compactions, TTLs and delete markers. Without a TTL the
// clock is moved as in memory. With one it is the machine's, and the times of the histories are shorter.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <thread>

#include "store/open_store.h"
#include "tests/indexer/model/hbase_server.h"
#include "tests/indexer/model/model_generator.h"
#include "tests/indexer/model/model_life.h"
#include "tests/indexer/support/real_world.h"
#include "tests/indexer/support/rules.h"
#include "tests/indexer/support/world.h"

namespace fensi::testing {
namespace {

constexpr int kSideBySide = 6;  // they wait more than they compute
constexpr int kRounds = 3;      // in each a history of every kind without a TTL, and one with it
constexpr int kHurry = 25;      // TTLs of 8 s

struct ServersJob {
  uint64_t seed;
  ModelWish wish;
};

/// A conversion writes a minute ahead of the clock, so a TTL of seconds does not fit.
std::vector<ServersJob> AllJobs(int rounds, uint64_t seed) {
  std::vector<ServersJob> jobs;
  for (int round = 0; round < rounds; ++round) {
    for (const ModelKind& kind : AllKinds()) {
      jobs.push_back({seed++, {.kind = kind.name, .ttl = 0, .most_events = 16, .rows = 6, .unrest = 60}});
      if (kind.converted) continue;
      jobs.push_back(
          {seed++, {.kind = kind.name, .ttl = 1, .most_events = 12, .rows = 6, .unrest = 60, .hurry = kHurry}});
    }
  }
  return jobs;
}

class ServersSearch {
 public:
  ServersSearch() : admin_(FromEnvironment("FENSI_TEST_ADMIN")) {
    auto opened = store::OpenStore("thrift://" + FromEnvironment("FENSI_TEST_HBASE"));
    Must(opened.status());
    store_ = std::move(*opened);
  }

  void Run(const std::vector<ServersJob>& jobs) {
    // Mappings are compiled here, because that has one thread.
    std::vector<ModelHistory> histories;
    for (const ServersJob& job : jobs) {
      histories.push_back(SomeModelHistory(job.seed, job.wish));
      IndexOf(histories.back().setting);
      if (KindNamed(job.wish.kind).converted) IndexBeforeOf(histories.back().setting);
    }
    std::atomic<size_t> next = 0;
    std::vector<std::thread> threads;
    for (int i = 0; i < kSideBySide; ++i) {
      threads.emplace_back([&] {
        for (size_t job = next++; job < jobs.size(); job = next++) Play(jobs[job], histories[job]);
      });
    }
    for (std::thread& thread : threads) thread.join();
    for (const auto& [what, n] : counts_) std::printf("  %10lld  %s\n", static_cast<long long>(n), what.c_str());
  }

  int64_t Count(const std::string& what) { return counts_[what]; }

 private:
  /// Half of the histories without a TTL are of days ago, so that HBase drops their delete markers.
  void Play(const ServersJob& job, const ModelHistory& history) {
    const bool moves = job.wish.ttl == 0;
    FakeClock clock(SystemClock()->WallMillis() - (job.seed % 2 == 0 ? 3 * kDayMillis : 0));
    ModelCounts counts;
    std::string difference;
    try {
      HBaseServer server(store_.get(), admin_,
                         "model_" + std::to_string(getpid()) + "_" + std::to_string(job.seed) + "_",
                         moves ? static_cast<Clock*>(&clock) : SystemClock());
      ModelLife life(history, &server);
      difference = life.Differs(&counts);
      if (life.is_refused()) ++counts["mappings that are refused"];
      if (life.is_unlawful()) {
        difference.clear();
        counts = {{"histories outside of the law of unique and shared keys", 1}};
      }
    } catch (const std::exception& error) {
      difference = error.what();
    }
    Note(job, history, difference, counts);
  }

  void Note(const ServersJob& job, const ModelHistory& history, const std::string& difference,
            const ModelCounts& counts) {
    const std::lock_guard lock(mu_);
    ++counts_[job.wish.ttl == 0 ? "histories without a TTL" : "histories with a TTL"];
    for (const auto& [what, n] : counts) counts_[what] += n;
    if (counts.contains("rows")) counts_["rows: " + job.wish.kind] += counts.at("rows");
    if (!difference.empty()) ADD_FAILURE() << "seed " << job.seed << "\n" << history.Text() << difference;
  }

  const std::string admin_;
  std::unique_ptr<store::Store> store_;
  std::mutex mu_;
  ModelCounts counts_;  // guarded by mu_
};

int64_t ServersNumber(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

TEST(ModelOnHBase, HoldsForEveryKindOfIndex) {
  const int rounds = static_cast<int>(ServersNumber("FENSI_TEST_ROUNDS", kRounds));
  ServersSearch search;
  search.Run(AllJobs(rounds, static_cast<uint64_t>(ServersNumber("FENSI_TEST_SEED", 20'161'219))));
  EXPECT_GE(search.Count("rows"), 100 * rounds);
  for (const ModelKind& kind : AllKinds()) EXPECT_GE(search.Count("rows: " + kind.name), 1) << kind.name;
  for (const char* often : {"deaths before a call", "deaths after a call", "compactions of the source",
                            "compactions of the index", "events told again", "events told out of order",
                            "ends that passed", "conversions", "second looks", "source reads", "restarts"}) {
    EXPECT_GE(search.Count(often), rounds) << often;
  }
  EXPECT_LE(search.Count("comparisons that are given up"), search.Count("comparisons") / 50);
}

}  // namespace
}  // namespace fensi::testing

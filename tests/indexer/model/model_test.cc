// The promise on random histories in which time passes: an oracle that knows docs/consistency.md and HBase, and nothing
// of how the index is kept, says what each index must and may show. What a history may hold of everything is counted,
// and a count that is too small is a failure: a generator that never reaches a thing proves nothing of it.
//
// Its switches are in tests/README.md.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/indexer/model/model_generator.h"
#include "tests/indexer/model/model_life.h"
#include "tests/indexer/support/properties.h"

namespace fensi::testing {
namespace {

int64_t NumberFrom(const char* name, int64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::atoll(text);
}

std::string TextFrom(const char* name) {
  const char* text = std::getenv(name);
  return text == nullptr ? "" : text;
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

std::string DifferenceOf(const ModelHistory& history, ModelCounts* counts) {
  MemoryServer server(kModelStart);
  ModelLife life(history, &server);
  std::string difference = life.Differs(counts);
  if (life.is_refused()) ++(*counts)["mappings that are refused"];
  if (!life.is_unlawful()) return difference;
  ++(*counts)["histories outside of the law of unique and shared keys"];
  return "";
}

/// "missing:", "wrong:" and the like.
std::string ClassOf(const std::string& difference) { return difference.substr(0, difference.find(' ')); }

ModelHistory Smaller(const ModelHistory& history, const std::string& difference) {
  return Shrunk(history, [wanted = ClassOf(difference)](const ModelHistory& other) {
    ModelCounts counts;
    return ClassOf(DifferenceOf(other, &counts)) == wanted;
  });
}

/// Failures that look alike: the kind of index, of TTL and of difference.
std::string Signature(const ModelHistory& history, const std::string& difference) {
  const ModelSetting& setting = history.setting;
  std::string text = setting.kind +
                     (setting.exact              ? "-exact"
                      : setting.index_ttl_s == 0 ? ""
                                                 : "-ttl") +
                     (setting.min_versions > 0 ? "-min" : "") + (setting.has_source ? "" : "-nosource") + "-" +
                     ClassOf(difference);
  std::erase(text, ':');
  return text;
}

void Print(const ModelCounts& counts) {
  for (const auto& [what, n] : counts) std::printf("  %10lld  %s\n", static_cast<long long>(n), what.c_str());
}

/// One after the other, each from its line "setting" on.
std::vector<ModelHistory> Histories(const std::string& text) {
  std::vector<ModelHistory> histories;
  std::istringstream lines(text);
  std::string history;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("setting") && !history.empty()) histories.push_back(ModelHistory::Parse(history));
    if (line.starts_with("setting")) history.clear();
    history += line + "\n";
  }
  if (!history.empty()) histories.push_back(ModelHistory::Parse(history));
  return histories;
}

class Search {
 public:
  explicit Search(const ModelWish& wish) : wish_(wish), findings_(TextFrom("FENSI_MODEL_FINDINGS")) {}

  void Run(int64_t histories) {
    const int64_t first = NumberFrom("FENSI_MODEL_SEED", 1);
    const auto began = std::chrono::steady_clock::now();
    for (int64_t seed = first; seed < first + histories; ++seed) {
      Try(seed, seed - first + 1);
      if (::testing::Test::HasFailure() && findings_.empty()) return;
    }
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    std::printf("%lld histories of %lld rows in %.1f s (%.0f histories/s)\n", static_cast<long long>(histories),
                static_cast<long long>(counts_["rows"]), seconds, static_cast<double>(histories) / seconds);
    Print(counts_);
    Print(found_);
  }

  void ExpectAtLeast(const std::string& what, int64_t least) { EXPECT_GE(counts_[what], least) << what; }

 private:
  void Try(int64_t seed, int64_t tried) {
    const ModelHistory history = SomeModelHistory(static_cast<uint64_t>(seed), wish_);
    ++counts_["histories: " + history.setting.kind];
    const std::string difference = DifferenceOf(history, &counts_);
    if (difference.empty()) return;
    const std::string signature = Signature(history, difference);
    if (found_[signature]++ > 0) return;
    const ModelHistory small = wish_.backlog ? history : Smaller(history, difference);
    ModelCounts ignored;
    std::string difference_of_small;
    for (const char c : DifferenceOf(small, &ignored)) difference_of_small += c == '\n' ? "\n# " : std::string(1, c);
    const std::string text = "# seed " + std::to_string(seed) + ", after " + std::to_string(tried) + " histories\n" +
                             small.Text() + "# " + difference_of_small + "\n";
    ADD_FAILURE() << (text.size() < 20'000 ? text : text.substr(0, 20'000) + "…");
    if (!findings_.empty()) std::ofstream(findings_ + "/" + signature + ".txt") << text;
  }

  const ModelWish wish_;
  const std::string findings_;
  ModelCounts counts_, found_;
};

ModelWish AnyWish() {
  return {.kind = TextFrom("FENSI_MODEL_KIND"), .ttl = static_cast<int>(NumberFrom("FENSI_MODEL_TTL", -1))};
}

TEST(Model, HoldsOnTheHistoriesThatWereWrongOnce) {
  std::string text = ReadFile(TextFrom("FENSI_MODEL_REPLAY"));
  if (text.empty()) text = ReadFile(TextFrom("FENSI_ROOT") + "/tests/indexer/model/histories.txt");
  ASSERT_FALSE(text.empty());
  for (const ModelHistory& history : Histories(text)) {
    ModelCounts counts;
    EXPECT_EQ(DifferenceOf(history, &counts), "") << history.Text();
    if (!TextFrom("FENSI_MODEL_REPLAY").empty()) Print(counts);
  }
}

TEST(Model, HistoriesAreReadAsTheyArePrinted) {
  for (uint64_t seed = 1; seed < 200; ++seed) {
    const ModelHistory history = SomeModelHistory(seed, {});
    const ModelHistory read = ModelHistory::Parse(history.Text());
    EXPECT_EQ(read.setting, history.setting);
    EXPECT_EQ(read.steps, history.steps);
  }
}

TEST(Model, HoldsOnRandomHistories) {
  const int64_t histories = NumberFrom("FENSI_MODEL_HISTORIES", 120 * fensi::testing::Histories());
  Search search(AnyWish());
  search.Run(histories);
  if (HasFailure() || !AnyWish().kind.empty() || AnyWish().ttl == 0) return;
  for (const ModelKind& kind : AllKinds()) search.ExpectAtLeast("histories: " + kind.name, histories / 50);
  for (const char* often : {"put", "the same value again", "a value that returns", "a key that another row had",
                            "batches of 1", "batches of 2 to 9", "batches while the source is ahead",
                            "batches with the source level", "comparisons", "ends that passed", "events told again"}) {
    search.ExpectAtLeast(often, histories / 10);
  }
  for (const char* seldom : {"delete",
                             "delete_column",
                             "delete_family",
                             "delete_family_version",
                             "cells stamped in the past",
                             "puts with a TTL of their own",
                             "columns that ended by a TTL of their own",
                             "deaths before a call",
                             "deaths after a call",
                             "restarts",
                             "conversions",
                             "compactions of the source",
                             "compactions of the index",
                             "batches while the source shows late",
                             "second looks",
                             "reads that come too early",
                             "reads that numbers prove",
                             "numbers that are given out again",
                             "splits",
                             "source reads",
                             "events told out of order",
                             "puts below a delete marker that is compacted away",
                             "cells beyond their TTL that MIN_VERSIONS keeps",
                             "keys that a row took over in a backlog",
                             "batches without a source table",
                             "events without a sequence id"}) {
    search.ExpectAtLeast(seldom, histories / 200);
  }
}

/// Thousands of events in one batch, and all of them once more.
TEST(Model, HoldsInBatchesOfThousands) {
  for (const char* kind : {"row", "each-value", "unique", "stateless", "shared"}) {
    Search search({.kind = kind, .most_events = 10'000, .rows = 100, .backlog = true});
    search.Run(std::max<int64_t>(3, fensi::testing::Histories() / 500));
    if (!HasFailure()) search.ExpectAtLeast("batches of 1,000 and more", 1);
  }
}

}  // namespace
}  // namespace fensi::testing

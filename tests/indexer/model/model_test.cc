// The promise on random histories in which time passes: an oracle that knows docs/promise.md and HBase, and nothing of
// how the index is kept, says what each index must and may show.
//
// FENSI_MODEL_HISTORIES (how many), FENSI_MODEL_SEED (the first), FENSI_MODEL_KIND (one kind), FENSI_MODEL_TTL (0 or
// 1), FENSI_MODEL_REPLAY (a file with a history, as a failure prints it), FENSI_MODEL_FINDINGS (a folder: goes on after
// a failure and writes each kind of it there).
#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "tests/indexer/model/model_generator.h"
#include "tests/indexer/model/model_life.h"

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

std::string DifferenceOf(const ModelHistory& history, ModelCounts* counts) {
  ModelLife life(history);
  std::string difference = life.Differs(counts);
  if (life.is_refused()) ++(*counts)["mappings that are refused"];
  if (life.is_unlawful()) {
    ++(*counts)["histories outside of the law of unique keys"];
    return "";
  }
  return difference;
}

/// "missing:", "wrong:" and the like.
std::string ClassOf(const std::string& difference) { return difference.substr(0, difference.find(' ')); }

std::function<bool(const ModelHistory&)> FailsAs(const std::string& difference) {
  return [wanted = ClassOf(difference)](const ModelHistory& history) {
    ModelCounts counts;
    return ClassOf(DifferenceOf(history, &counts)) == wanted;
  };
}

void Print(const ModelCounts& counts) {
  for (const auto& [what, n] : counts) std::printf("  %10lld  %s\n", static_cast<long long>(n), what.c_str());
}

/// Failures that look alike: the kind of index, of TTL and of difference.
std::string Signature(const ModelHistory& history, const std::string& difference) {
  const ModelSetting& setting = history.setting;
  std::string text = setting.kind + (setting.exact ? "-exact" : setting.index_ttl_s == 0 ? "" : "-ttl") +
                     (setting.min_versions > 0 ? "-min" : "") + (setting.has_source ? "" : "-nosource") + "-" +
                     ClassOf(difference);
  std::erase(text, ':');
  return text;
}

TEST(Model, Replay) {
  const std::string path = TextFrom("FENSI_MODEL_REPLAY");
  if (path.empty()) GTEST_SKIP() << "FENSI_MODEL_REPLAY names no history";
  std::ifstream file(path);
  std::stringstream text;
  text << file.rdbuf();
  ModelCounts counts;
  EXPECT_EQ(DifferenceOf(ModelHistory::Parse(text.str()), &counts), "");
}

TEST(Model, HoldsOnRandomHistories) {
  const int64_t histories = NumberFrom("FENSI_MODEL_HISTORIES", 20'000), first = NumberFrom("FENSI_MODEL_SEED", 1);
  const std::string findings = TextFrom("FENSI_MODEL_FINDINGS");
  const ModelWish wish{.kind = TextFrom("FENSI_MODEL_KIND"), .ttl = static_cast<int>(NumberFrom("FENSI_MODEL_TTL", -1))};
  ModelCounts counts, found;
  const auto began = std::chrono::steady_clock::now();
  int64_t failed = 0;
  for (int64_t seed = first; seed < first + histories; ++seed) {
    const ModelHistory history = SomeModelHistory(static_cast<uint64_t>(seed), wish);
    ++counts["histories: " + history.setting.kind];
    const std::string difference = DifferenceOf(history, &counts);
    if (difference.empty()) continue;
    ++failed;
    const std::string signature = Signature(history, difference);
    if (found[signature]++ > 0) continue;
    const ModelHistory small = Shrunk(history, FailsAs(difference));
    ModelCounts ignored;
    const std::string text = "# seed " + std::to_string(seed) + ", after " + std::to_string(seed - first + 1) +
                             " histories\n" + small.Text() + "# " + DifferenceOf(small, &ignored);
    if (findings.empty()) {
      FAIL() << text;
    }
    std::string commented;
    for (const char c : text) commented += c == '\n' ? std::string("\n") : std::string(1, c);
    std::ofstream(findings + "/" + signature + ".txt") << commented << "\n";
  }
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  std::printf("%lld histories, %lld rows in %.1f s (%.0f histories/s), %lld failed\n",
              static_cast<long long>(histories), static_cast<long long>(counts["rows"]), seconds,
              static_cast<double>(histories) / seconds, static_cast<long long>(failed));
  Print(counts);
  Print(found);
  EXPECT_EQ(failed, 0);
}

}  // namespace
}  // namespace fensi::testing

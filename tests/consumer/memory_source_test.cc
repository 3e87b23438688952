#include "tests/doubles/memory_source.h"

#include <gtest/gtest.h>

namespace fensi::consumer {
namespace {

std::shared_ptr<MemoryLog> Log(std::vector<std::string> rows) {
  std::vector<ChangeEvent> events;
  for (std::string& row : rows) events.push_back({.table = "t", .row = std::move(row), .cells = {{.family = "f"}}});
  return std::make_shared<MemoryLog>(std::vector<std::vector<ChangeEvent>>{std::move(events)});
}

/// Works until the end; begins at the commit.
std::string Drain(MemorySource* source) {
  std::string rows;
  for (;;) {
    Work work = source->Next();
    if (std::holds_alternative<End>(work)) return rows;
    if (const auto* opening = std::get_if<Opening>(&work)) {
      if (!source->Begin(opening->assignment, opening->committed.value_or(opening->log_start)).ok()) return rows;
      continue;
    }
    const Batch& batch = std::get<Batch>(work);
    for (const Record& record : batch.records) rows += record.event.row;
    rows += "|";
    source->Done(batch);
  }
}

TEST(MemorySource, CutsBatchesWhereTheTestWants) {
  MemorySource source(Log({"a", "b", "c"}),
                      {.batch_border = [](int32_t, int64_t offset) { return offset == 0 ? 1 : 9; }});
  EXPECT_EQ(Drain(&source), "a|bc|");
}

TEST(MemorySource, CommitsSurviveTheSource) {
  const auto log = Log({"a", "b", "c"});
  int dones = 0;
  MemorySource dying(
      log, {.batch_records = 1, .dies = [&dones](std::string_view call) { return call == "done" && ++dones == 2; }});
  EXPECT_EQ(Drain(&dying), "a|b|");
  EXPECT_TRUE(dying.dead());
  MemorySource next(log, {});
  EXPECT_EQ(Drain(&next), "bc|");
}

TEST(MemorySource, ADeathFencesTheAssignments) {
  MemorySource source(Log({"a"}), {.dies = [](std::string_view call) { return call == "begin"; }});
  const Opening opening = std::get<Opening>(source.Next());
  EXPECT_TRUE(opening.assignment->Check().ok());
  EXPECT_EQ(source.Begin(opening.assignment, 0).code(), StatusCode::kFenced);
  EXPECT_EQ(opening.assignment->Check().code(), StatusCode::kFenced);
}

TEST(MemorySource, RevokeOpensThePartitionAgain) {
  MemorySource source(Log({"a"}));
  const Opening first = std::get<Opening>(source.Next());
  source.Revoke(0);
  EXPECT_EQ(first.assignment->Check().code(), StatusCode::kFenced);
  EXPECT_EQ(Drain(&source), "a|");
}

TEST(MemorySource, StopEndsEveryWorker) {
  MemorySource source(Log({"a"}));
  const Opening opening = std::get<Opening>(source.Next());
  source.Stop();
  EXPECT_EQ(opening.assignment->Check().code(), StatusCode::kCancelled);
  EXPECT_TRUE(std::holds_alternative<End>(source.Next()));
}

}  // namespace
}  // namespace fensi::consumer

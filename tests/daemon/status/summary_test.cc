// What `fensi run` says of an index that has ended.
#include <gtest/gtest.h>

#include "daemon/status/progress.h"

namespace fensi::daemon {
namespace {

using std::chrono::milliseconds;

TEST(Summary, NamesWhatThereIsAndNothingElse) {
  EXPECT_EQ(SummaryText("x", {.events = 1, .puts = 2}, milliseconds{900}),
            "index x: 1 event in 1 s: 2 puts, 0 deletes");
  EXPECT_EQ(
      SummaryText("x", {.events = 3000, .skipped = 1, .deletes = 1, .dead_letters = 4}, milliseconds{2000}),
      "index x: 3,000 events in 2 s (1,500/s): 0 puts, 1 delete, 1 event of other tables skipped, 4 dead letters");
}

TEST(Summary, SaysWhatBecameOfRequests) {
  EXPECT_EQ(SummaryText("x", {.requests = 7}, milliseconds{0}),
            "index x: 0 events in 0 s: 0 puts, 0 deletes, 7 requests");
  EXPECT_EQ(SummaryText("x", {.requests = 7, .stale_requests = 5, .unmappable_images = 1}, milliseconds{0}),
            "index x: 0 events in 0 s: 0 puts, 0 deletes, 7 requests (5 meant for the index as it was before it was "
            "created again, 1 reason why a scanned row lacks an entry)");
}

}  // namespace
}  // namespace fensi::daemon

// A scan of the source sees every row once, whatever its pages are, and says before which row all is handed on.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "store/wrapped_store.h"
#include "support/backfill_world.h"
#include "sweep/jobs/row_snapshot.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/matchers.h"
#include "tests/support/peak_memory.h"

namespace fensi::sweep {
namespace {

using consumer::Request;

constexpr long kMiB = 1024;  // in kilobytes

/// Cuts pages where nobody would: after so many rows and cells.
class OddPages final : public store::ForwardingStore {
 public:
  OddPages(store::Store* behind, size_t rows, size_t cells) : ForwardingStore(behind), rows_(rows), cells_(cells) {}
  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    store::ScanRequest odd = request;
    odd.max_rows = rows_;
    odd.max_cells = cells_;
    Result<std::vector<store::Row>> page = behind()->Scan(table, odd);
    // Shorter than what was asked for: the last row may go on.
    if (page.ok() && page->size() == rows_ && !page->back().goes_on) page->back().goes_on = true;
    return page;
  }

 private:
  std::unique_ptr<store::Store> Over(std::unique_ptr<store::Store> behind) override { return behind; }
  const size_t rows_, cells_;
};

class ImageScanTest : public ::testing::Test {
 protected:
  std::vector<Request> Scan(store::Store* store, const RowRange& range = {}) {
    std::vector<Request> requests;
    pages_.clear();
    RowSnapshotScan scan(&world_.world().index(), store, world_.world().clock(), world_.times,
                         {.incarnation = BackfillWorld::kIncarnation, .job = "j"}, [&](const Request& request) {
                           requests.push_back(request);
                           return Status();
                         });
    MustBe(scan.Run(range, [&](const RowSnapshotScan::Page& page) {
      pages_.push_back(page);
      // What lies before `next` was handed on.
      for (const Request& request : requests) handed_on_.insert(request.row);
      for (const std::string& row : rows_) {
        if (row < page.next) {
          EXPECT_TRUE(handed_on_.contains(row)) << row << " before " << page.next;
        }
      }
      return Status();
    }));
    return requests;
  }
  static std::vector<std::string> RowsOf(const std::vector<Request>& requests) {
    std::vector<std::string> rows;
    for (const Request& request : requests) {
      if (rows.empty() || rows.back() != request.row) rows.push_back(request.row);
    }
    return rows;
  }

  BackfillWorld world_{
      LoadFile("source: t\nindexes:\n  x:\n    table: x_table\n    each: f:*\n    row: '{qualifier}'\n    columns: { "
               "'f:{row}': '{value}' }\n")};
  std::vector<std::string> rows_;
  std::set<std::string> handed_on_;
  std::vector<RowSnapshotScan::Page> pages_;
};

TEST_F(ImageScanTest, AnEmptyTableIsOnePage) {
  EXPECT_THAT(Scan(world_.world().store()), IsEmpty());
  ASSERT_EQ(pages_.size(), 1U);
  EXPECT_TRUE(pages_[0].last);
  EXPECT_EQ(pages_[0].rows, 0);
}

TEST_F(ImageScanTest, ARangeWithoutRowsIsOnePage) {
  world_.world().PutSource("b", "f:a", "1");
  EXPECT_THAT(Scan(world_.world().store(), {"c", "d"}), IsEmpty());
  ASSERT_EQ(pages_.size(), 1U);
  EXPECT_TRUE(pages_[0].last);
}

TEST_F(ImageScanTest, BordersAreTakenExactly) {
  for (const char* row : {"a", "b", "c", "d"}) world_.world().PutSource(row, "f:a", "1");
  EXPECT_THAT(RowsOf(Scan(world_.world().store(), {"b", "d"})), ElementsAre("b", "c"));
}

TEST_F(ImageScanTest, HoweverPagesAreCutEveryCellComesOnce) {
  for (int i = 0; i < 9; ++i) {
    rows_.push_back(BackfillWorld::RowKey(i));
    for (int column = 0; column <= i % 4; ++column) {
      world_.world().PutSource(rows_.back(), "f:" + std::to_string(column), "v");
    }
  }
  for (const size_t rows : {1, 2, 3, 64}) {
    for (const size_t cells : {1, 2, 3, 5, 1000}) {
      handed_on_.clear();
      OddPages odd(world_.world().store(), rows, cells);
      size_t found = 0;
      int64_t passed = 0;
      const auto requests = Scan(&odd);
      for (const Request& request : requests) found += request.cells.size();
      for (const RowSnapshotScan::Page& page : pages_) passed += page.rows;
      EXPECT_THAT(RowsOf(requests), ::testing::ElementsAreArray(rows_)) << rows << " rows, " << cells << " cells";
      EXPECT_EQ(found, 21U) << rows << " rows, " << cells << " cells";
      EXPECT_EQ(passed, 9);
    }
  }
}

TEST_F(ImageScanTest, RowsAreSelectedByTimeAndReadWhole) {
  world_.world().PutSource("old", "f:a", "1", 10);
  world_.world().PutSource("both", "f:a", "1", 10);
  world_.world().PutSource("both", "f:b", "1", 20);
  world_.world().PutSource("young", "f:a", "1", 30);
  world_.times = store::ScanRequest::Times{20, 30};
  const auto requests = Scan(world_.world().store());
  ASSERT_THAT(RowsOf(requests), ElementsAre("both"));
  EXPECT_EQ(requests[0].cells.size(), 2U);
  EXPECT_FALSE(requests[0].partial);
}

TEST_F(ImageScanTest, ALostScannerEndsItWithTheReason) {
  world_.world().PutSource("a", "f:a", "1");
  world_.world().faulty()->FailCall(1, store::FaultyStore::When::kAfter, {}, store::FaultyStore::Call::kScan);
  RowSnapshotScan scan(&world_.world().index(), world_.world().faulty(), world_.world().clock(), std::nullopt, {},
                       [](const Request&) { return Status(); });
  EXPECT_EQ(scan.Run({}, [](const RowSnapshotScan::Page&) { return Status(); }).code(), StatusCode::kUnavailable);
}

TEST_F(ImageScanTest, AMillionColumnsTakeNoMoreMemoryThanAPage) {
  constexpr int kColumns = 1'000'000;
  for (int i = 0; i < kColumns;) {
    store::RowMutation row{"wide", {}};
    for (int end = i + 10'000; i < end; ++i) row.cells.push_back({"f", std::to_string(i), 1, CellType::kPut, "v", {}});
    MustBe(world_.world().store()->Put(world_.world().index().source_table(), {&row, 1}).status());
  }
  int64_t cells = 0;
  size_t largest = 0;
  const MemoryGrowth growth;
  RowSnapshotScan scan(&world_.world().index(), world_.world().store(), world_.world().clock(), std::nullopt,
                       {.incarnation = BackfillWorld::kIncarnation, .job = "j"}, [&](const Request& request) {
                         cells += static_cast<int64_t>(request.cells.size());
                         largest = std::max(largest, request.cells.size());
                         EXPECT_TRUE(request.partial);
                         return Status();
                       });
  MustBe(scan.Run({}, [](const RowSnapshotScan::Page&) { return Status(); }));
  EXPECT_EQ(cells, kColumns);
  EXPECT_LT(largest, 20'000U);
  EXPECT_LT(growth.Kilobytes(), 64 * kMiB);
}

}  // namespace
}  // namespace fensi::sweep

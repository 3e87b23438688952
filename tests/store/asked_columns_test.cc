#include "store/asked_columns.h"

#include <gtest/gtest.h>
#include <time.h>

#include <algorithm>

#include "store/hbase/messages/conversions.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using Columns = std::vector<GetRequest::Column>;

TEST(AskedColumns, OfNoneAreAll) {
  const Columns none;
  EXPECT_TRUE(AskedColumns(none).Has("f", "q"));
  EXPECT_FALSE(AskedColumns(none).HasWhole("f"));
}

TEST(AskedColumns, AreThoseThatWereNamed) {
  const Columns columns = {{"f", "q"}, {"f", ""}, {"g", std::nullopt}};
  const AskedColumns asked(columns);
  EXPECT_TRUE(asked.Has("f", "q") && asked.Has("f", "") && asked.Has("g", "any"));
  EXPECT_FALSE(asked.Has("f", "r") || asked.Has("h", "q"));
  EXPECT_TRUE(asked.HasWhole("g"));
  EXPECT_FALSE(asked.HasWhole("f") || asked.HasWhole("h"));
}

TEST(AskedColumns, OfAFamilyAndAColumnOfItAreTheFamilyInAnyOrder) {
  for (const Columns& columns : {Columns{{"f", "q"}, {"f", std::nullopt}}, Columns{{"f", std::nullopt}, {"f", "q"}}}) {
    EXPECT_TRUE(AskedColumns(columns).HasWhole("f"));
    EXPECT_TRUE(AskedColumns(columns).Has("f", "r"));
  }
}

std::string Name(size_t number) { return "column" + std::to_string(1'000'000 + number); }

ScanRequest RawScanOf(size_t columns) {
  ScanRequest request{.max_versions = 1, .raw = true};
  for (size_t i = 0; i < columns; ++i) request.columns.push_back({"f", Name(i)});
  return request;
}

/// Processor time of the thread, which a busy machine does not stretch; the least of three.
template <typename Work>
double Micros(Work work) {
  const auto now = [] {
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) / 1e3;
  };
  double least = 1e18;
  for (int i = 0; i < 3; ++i) {
    const double begin = now();
    work();
    least = std::min(least, now() - begin);
  }
  return least;
}

double MicrosToKeep(size_t columns, const std::vector<Cell>& cells) {
  const ScanRequest request = RawScanOf(columns);
  const AskedColumns asked(request.columns);
  return Micros([&] {
    std::vector<Cell> kept = cells;
    KeepWanted(request, asked, &kept);
    EXPECT_EQ(kept.size(), columns);
  });
}

TEST(KeepWanted, CostsForAThousandTimesTheColumnsNotTenTimesAsMuch) {
  std::vector<Cell> cells;
  for (size_t i = 0; i < 20'000; ++i) cells.push_back(PutCell("f:" + Name(i), 1, "v"));
  const double few = MicrosToKeep(10, cells), many = MicrosToKeep(10'000, cells);
  RecordProperty("few_us", std::to_string(few));
  RecordProperty("many_us", std::to_string(many));
  EXPECT_LT(many, 10 * few) << "a cell is compared with every column";
}

TEST(ToScan, CostsForTenTimesTheColumnsNotFortyTimesAsMuch) {
  const auto micros = [](size_t columns) {
    const ScanRequest request = RawScanOf(columns);
    return Micros([&] { EXPECT_EQ(ToScan(request).columns.size(), 1U); });
  };
  EXPECT_LT(micros(20'000), 40 * micros(2'000)) << "a column is compared with every other";
}

TEST(ToGet, CostsForTenTimesTheColumnsNotFortyTimesAsMuch) {
  const auto micros = [](size_t columns) {
    const GetRequest request{.row = "r", .columns = RawScanOf(columns).columns};
    return Micros([&] { EXPECT_EQ(ToGet(request).columns.size(), columns); });
  };
  EXPECT_LT(micros(20'000), 40 * micros(2'000)) << "a column is compared with every other";
}

}  // namespace
}  // namespace fensi::store

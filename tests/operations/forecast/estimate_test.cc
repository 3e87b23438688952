// Totals from samples, and sizes in HBase's files.
#include "operations/forecast/estimate.h"

#include <gtest/gtest.h>

#include <random>
#include <string>
#include <vector>

namespace fensi::operations {
namespace {

constexpr int32_t kBlock = 65536;

Population Counted(double rows, size_t drawn) {
  Population population{.size = {rows, rows, rows}, .rows = rows, .all = static_cast<double>(drawn) == rows};
  for (size_t i = 0; i < drawn; ++i) population.drawn.push_back({.run = i});
  return population;
}

TEST(Estimate, OfAWholeTableIsExact) {
  const Estimate total = TotalOf(Counted(3, 3), std::vector<double>{1, 2, 3});
  EXPECT_EQ(total.value, 6);
  EXPECT_TRUE(total.exact());
}

TEST(Estimate, OfAPartHoldsTheTotal) {
  std::mt19937_64 random(1);
  int held = 0;
  for (int sample = 0; sample < 200; ++sample) {
    std::vector<double> table, figures;
    double truth = 0;
    for (int i = 0; i < 1000; ++i) table.push_back(static_cast<double>(random() % 10));
    for (const double figure : table) truth += figure;
    for (size_t i = 0; i < 100; ++i) figures.push_back(table[i]);
    const Estimate total = TotalOf(Counted(1000, 100), figures);
    held += total.Holds(truth) ? 1 : 0;
    EXPECT_LT(total.high - total.low, truth / 2);
  }
  EXPECT_GE(held, 184);
}

TEST(Estimate, OfAFigureThatNoRowHasIsAtMostWhatChanceHides) {
  const Estimate total = TotalOf(Counted(10'000, 100), std::vector<double>(100, 0));
  EXPECT_EQ(total.low, 0);
  EXPECT_GT(total.high, 100);
  EXPECT_LT(total.high, 1000);
}

TEST(Estimate, ARunOfEqualRowsIsOneDraw) {
  Population apart = Counted(10'000, 100), together = apart;
  std::vector<double> figures;
  for (size_t i = 0; i < 100; ++i) {
    together.drawn[i].run = i / 10;
    figures.push_back(static_cast<double>(i / 10));
  }
  const Estimate wide = TotalOf(together, figures), narrow = TotalOf(apart, figures);
  EXPECT_DOUBLE_EQ(wide.value, narrow.value);
  EXPECT_GT(wide.high - wide.low, 2 * (narrow.high - narrow.low));
}

/// A region of half the bytes with rows of 1,000 bytes, and another with rows of 100 bytes.
TEST(Estimate, WeighsTheRowsOfRegionsByTheirSizes) {
  Population population{.size = {200'000, 200'000, 200'000}};
  for (size_t i = 0; i < 20; ++i) {
    const bool large = i < 10;
    population.drawn.push_back(
        {.run = i, .weight = 100'000.0 / (large ? 10'000 : 1'000), .size = large ? 1000.0 : 100.0});
  }
  const Estimate rows = TotalOf(population, std::vector<double>(20, 1));
  EXPECT_NEAR(rows.value, 100 + 1000, 1e-6);
}

TEST(Estimate, ABoundOfFewDrawsIsWide) {
  EXPECT_NEAR(StudentBound(10), 2.228, 0.01);
  EXPECT_NEAR(StudentBound(1000), 1.962, 0.01);
  EXPECT_GT(StudentBound(1), 12);
}

TEST(StoredBytes, AreThoseOfAKeyValue) {
  EXPECT_EQ(StoredBytes("row", "f", "q", 5, false), 4u + 4 + 2 + 3 + 1 + 1 + 1 + 8 + 1 + 5 + 1);
  EXPECT_EQ(StoredBytes("row", "f", "q", 5, true), StoredBytes("row", "f", "q", 5, false) + 13);
}

TEST(CompressedSize, TheIntervalOfASampleHoldsTheRatioOfTheTable) {
  for (const char* compression : {"GZ", "ZSTD"}) {
    CompressedSize table(compression, kBlock), sample(compression, kBlock);
    std::mt19937_64 random(7);
    double bytes = 0;
    for (int i = 0; i < 20'000; ++i) {
      const std::string row = "seller" + std::to_string(random() % 500) + "-" + std::to_string(random() % 1'000'000);
      const std::string value = "order number " + std::to_string(random() % 100'000);
      table.Add(row, "o", "no", value, 1482192000000 + i);
      if (i % 20 == 0) sample.Add(row, "o", "no", value, 1482192000000 + i);
      bytes += static_cast<double>(StoredBytes(row, "o", "no", value.size(), false));
    }
    const Estimate truth = table.Ratio(bytes), forecast = sample.Ratio(bytes);
    EXPECT_TRUE(forecast.Holds(truth.value)) << forecast.low << " " << truth.value << " " << forecast.high;
    EXPECT_LT(forecast.high, 0.9);
  }
}

TEST(CompressedSize, OfACompressionThatIsNotHereIsAtMostNone) {
  CompressedSize sample("SNAPPY", kBlock), none("NONE", kBlock);
  for (int i = 0; i < 100; ++i) sample.Add("row " + std::to_string(i), "f", "q", "a value as all others", i);
  EXPECT_EQ(sample.Ratio(1e6).high, 1);
  EXPECT_LT(sample.Ratio(1e6).low, 0.6);
  EXPECT_EQ(none.Ratio(1e6).value, 1);
}

TEST(CompressedSize, OfSmallBlocksIsWorse) {
  CompressedSize large("GZ", kBlock), small("GZ", 8192);
  // Each value comes again after some 20 KiB.
  std::mt19937 random(1);
  std::vector<std::string> values(300);
  for (std::string& value : values) {
    for (int i = 0; i < 40; ++i) value += static_cast<char>('a' + random() % 26);
  }
  for (size_t i = 0; i < 5000; ++i) {
    const std::string row = std::to_string(10'000 + i);
    for (CompressedSize* size : {&large, &small}) size->Add(row, "f", "q", values[i % values.size()], 1000);
  }
  EXPECT_GT(small.Ratio(1e5).value, 1.05 * large.Ratio(1e5).value);
}

/// The bytes beside the cells of a file of HBase 2.6.1.
TEST(FileOverhead, HasTheEndOfEachFile) {
  const FamilyFiles one{.cells = 1, .bytes = 50, .bloom_filter = "NONE", .block_size = kBlock};
  FamilyFiles sixteen = one;
  sixteen.files = 16;
  EXPECT_NEAR(FileOverhead(one).value, 5000, 100);
  EXPECT_NEAR(FileOverhead(sixteen).value, 80'000, 1600);
  EXPECT_EQ(FileOverhead({.cells = 0, .files = 16, .bloom_filter = "ROW", .block_size = kBlock}).value, 0);
}

double BloomOf(double rows, double files) {
  FamilyFiles family{.rows = rows, .cells = rows, .bytes = 50 * rows, .files = files, .block_size = kBlock};
  const double without = FileOverhead(family).value;
  family.bloom_filter = "ROW";
  return FileOverhead(family).value - without;
}

/// HBase makes chunks of 128 KiB for 109,396 keys, and halves the last one while half of it is enough.
TEST(FileOverhead, HasTheChunksOfTheBloomFilter) {
  EXPECT_DOUBLE_EQ(BloomOf(100'000, 1), 131'072);
  EXPECT_DOUBLE_EQ(BloomOf(30'000, 1), 65'536);
  EXPECT_DOUBLE_EQ(BloomOf(27'000, 1), 32'768);
  EXPECT_DOUBLE_EQ(BloomOf(120'000, 1), 131'072 + 16'384);
  EXPECT_DOUBLE_EQ(BloomOf(120'000, 4), 4 * 65'536);
}

TEST(FileOverhead, OfSmallBlocksIsLarger) {
  const FamilyFiles large{.cells = 1e5, .bytes = 1e7, .bloom_filter = "NONE", .block_size = kBlock};
  FamilyFiles small = large;
  small.block_size = 8192;
  EXPECT_NEAR(FileOverhead(small).value - FileOverhead(large).value, 1e7 / 8192 * 87 - 1e7 / kBlock * 99, 1000);
}

}  // namespace
}  // namespace fensi::operations

// Forecasts of small tables, and sources that allow none.
#include "operations/forecast/forecast.h"

#include <gmock/gmock.h>

#include <string>

#include "operations/forecast/estimate.h"
#include "operations/trial/trial.h"
#include "store/wrapped_store.h"
#include "tests/operations/forecast/example_tables.h"

namespace fensi::operations {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr char kBySeller[] =
    "source: orders\nindexes:\n  by-seller: { table: by_seller, row: '{o:seller | terminated}{row}', columns: { "
    "'o:no': "
    "'{o:no}' }, create: { families: { o: { compression: gz } }, split: { keys: ['m'] } } }\n";
constexpr int64_t kDay = 86'400'000;

std::string Key(int number) {
  char key[16];
  std::snprintf(key, sizeof key, "%06d", number);
  return key;
}

/// As a server that knows the sizes of regions: those of their cells.
class SizedStore final : public store::DelegatingStore {
 public:
  using DelegatingStore::DelegatingStore;
  Result<std::optional<std::vector<store::RegionSize>>> RegionSizes(const std::string&) override {
    return std::optional(sizes);
  }
  std::vector<store::RegionSize> sizes;
};

class ForecastTest : public ::testing::Test {
 protected:
  void Make(int rows, const std::vector<std::string>& splits, Columns (*row)(int number)) {
    std::map<std::string, Columns> all;
    for (int i = 0; i < rows; ++i) all[Key(i)] = row(i);
    MakeTable(store_.get(), "orders", splits, all, SystemClock()->WallMillis() - 10 * kDay);
  }

  Result<Forecast> Of(const std::string& mapping, const ForecastOptions& options = {}) {
    return MakeForecast(IndexOf(mapping), store_.get(), options, SystemClock());
  }

  std::shared_ptr<store::Store> store_ = store::OpenMemoryStore(SystemClock()).value();
};

Columns Order(int number) {
  return {{"o:seller", "seller" + std::to_string(number % 40)}, {"o:no", std::to_string(number)}};
}

TEST_F(ForecastTest, OfASmallTableIsExact) {
  Make(100, {"000050"}, &Order);
  const auto forecast = Of(kBySeller);
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_TRUE(forecast->whole_table);
  EXPECT_EQ(forecast->source_rows.value, 100);
  EXPECT_EQ(forecast->entries.value, 100);
  EXPECT_TRUE(forecast->entries.exact());
  EXPECT_EQ(forecast->states.value, 100);
  EXPECT_EQ(forecast->compression, "GZ");
  constexpr double kEndOfFile = 4900;
  EXPECT_LT(forecast->index_file_bytes.value - kEndOfFile, forecast->index_bytes.value);
  EXPECT_GT(forecast->index_file_bytes.value, kEndOfFile);
  EXPECT_THAT(forecast->hot_keys, SizeIs(10));
  EXPECT_THAT(forecast->parts, SizeIs(2));
  EXPECT_EQ(forecast->parts[1].share, 1) << "all keys begin with 's'";
  ASSERT_TRUE(forecast->growth_per_day.has_value()) << forecast->growth_unknown;
  EXPECT_NEAR(forecast->growth_per_day->value, 10, 1.2);
  EXPECT_EQ(forecast->advice.mode, "stateful");
}

TEST_F(ForecastTest, AChangeOfAKeyPutsRemovesAndWritesAState) {
  Make(200, {}, [](int number) { return Columns{{"o:seller", "seller" + std::to_string(number)}}; });
  const auto forecast =
      Of("source: orders\nindexes:\n  i: { table: i, row: '{o:seller | terminated}{row}', columns: { 'o:x': '' } }\n");
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  ASSERT_TRUE(forecast->puts.has_value());
  EXPECT_NEAR(forecast->puts->value, 1, 0.05);
  EXPECT_NEAR(forecast->removals->value, 1, 0.05);
  EXPECT_GE(forecast->state_writes->value, 1);
}

TEST_F(ForecastTest, SamplesOfRegionsHoldTheTruth) {
  Make(20'000, {"002000", "015000"}, [](int number) {
    Columns columns = Order(number);
    columns["o:text"] = std::string(static_cast<size_t>(number < 5000 ? 300 : 30 + number % 50), 't');
    return columns;
  });
  SizedStore sized(store_.get());
  sized.sizes = {{"", 0, 0}, {"002000", 0, 0}, {"015000", 0, 0}};
  store::ScanRequest all{.max_rows = 100'000};
  const auto rows = sized.Scan("orders", all);
  ASSERT_TRUE(rows.ok());
  for (const store::Row& row : *rows) {
    const size_t region = row.row < "002000" ? 0 : row.row < "015000" ? 1 : 2;
    for (const Cell& cell : row.cells) {
      sized.sizes[region].bytes +=
          static_cast<int64_t>(StoredBytes(row.row, cell.family, cell.qualifier, cell.value.size(), false));
    }
  }
  int held = 0;
  for (uint64_t seed = 1; seed <= 20; ++seed) {
    ForecastOptions options{.changes = false};
    options.sample = {.rows = 300, .seed = seed, .time_scan = false, .most_counted_bytes = 1000};
    const auto forecast = MakeForecast(IndexOf(kBySeller), &sized, options, SystemClock());
    ASSERT_TRUE(forecast.ok()) << forecast.status().message();
    EXPECT_FALSE(forecast->counted);
    EXPECT_LT(forecast->sampled_rows, 320u);
    held += forecast->entries.Holds(20'000) ? 1 : 0;
  }
  EXPECT_GE(held, 18);
}

TEST_F(ForecastTest, RowsThatAreGivenAreNotCounted) {
  Make(5000, {"001000"}, &Order);
  ForecastOptions options{.changes = false};
  options.sample = {.rows = 200, .table_rows = 5000, .time_scan = false};
  const auto forecast = Of(kBySeller, options);
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_FALSE(forecast->counted);
  EXPECT_NEAR(forecast->entries.value, 5000, 1);
  EXPECT_LT(forecast->sampled_rows, 210u);
}

TEST_F(ForecastTest, WarnsOfAKeyThatCollectsTooMuch) {
  Make(500, {}, [](int number) {
    return Columns{{"o:seller", number % 4 == 0 ? "giant" : "seller" + std::to_string(number)}, {"o:no", "1"}};
  });
  ForecastOptions options;
  options.sample.rows = 200;
  const auto forecast = Of(kBySeller, options);
  ASSERT_TRUE(forecast.ok());
  ASSERT_TRUE(forecast->too_large.has_value());
  EXPECT_EQ(forecast->too_large->key, "giant");
  const mapping::KeyShare& first = forecast->hot_keys.front();
  EXPECT_TRUE(first.at_least < 0.25 && 0.25 < first.at_most);
  EXPECT_THAT(ForecastText(*forecast), AllOf(HasSubstr("'giant' 2"), HasSubstr("any other key: at most"),
                                             HasSubstr("surely collects more than one entry in a hundred")));
}

TEST_F(ForecastTest, TheBoundOfAnyOtherKeyHoldsForKeysOfTheSample) {
  Make(2000, {}, [](int number) { return Columns{{"o:seller", "seller" + std::to_string(number % 20)}}; });
  const std::string mapping =
      "source: orders\nindexes:\n  i: { table: i, row: '{o:seller | terminated}{row}', columns: { 'o:x': '' } }\n";
  const auto forecast = Of(mapping);
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_GE(forecast->others_at_most, 1.0 / 20);
  const auto whole = Of(mapping, {.sample = {.rows = 2000}});
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_DOUBLE_EQ(whole->others_at_most, 1.0 / 20);
}

/// The row key has a hash of the key. One column has the key itself.
TEST_F(ForecastTest, AHashedKeyCountsWithAllItsColumns) {
  Make(100, {}, &Order);
  const auto forecast =
      Of("source: orders\nindexes:\n  i: { table: i, row: '{o:seller | md5 | hex | first 8}{row}', columns: { 'o:a': "
         "'{o:no}', 'o:seller': '{o:seller}' }, ignore_warnings: [no-range-scan] }\n");
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_EQ(forecast->hot_keys.front().key, "seller0");
  EXPECT_EQ(forecast->hot_keys.front().entries, 6u) << "three orders with two columns";
}

/// Without a source table an index that is stateless would keep states.
TEST_F(ForecastTest, AStatelessIndexHasNoStates) {
  Make(100, {}, &Order);
  const auto forecast =
      Of("source: orders\nindexes:\n  i: { table: i, row: '{row | reverse}', columns: { 'o:no': '{o:no}' }, mode: "
         "stateless }\n");
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  EXPECT_EQ(forecast->entries.value, 100);
  EXPECT_EQ(forecast->states.value, 0);
  EXPECT_EQ(forecast->state_bytes.value, 0);
  ASSERT_TRUE(forecast->state_writes.has_value());
  EXPECT_EQ(forecast->state_writes->value, 0);
  EXPECT_EQ(forecast->puts->value, 1);
}

constexpr char kByQualifier[] =
    "source: orders\nindexes:\n  i: { table: i, each: 'o:*', row: '{qualifier}', columns: { 'o:{row}': '{value}' }, "
    "create: { families: { o: { compression: gz } } } }\n";

TEST_F(ForecastTest, IndexRowsThatSourceRowsShareCountOnce) {
  Make(4000, {}, [](int number) { return Columns{{"o:" + std::to_string(number * 7919 % 300), "1"}}; });
  const auto part = Of(kByQualifier);
  ASSERT_TRUE(part.ok()) << part.status().message();
  EXPECT_TRUE(part->index_rows.Holds(300)) << part->index_rows.low << " " << part->index_rows.high;
  EXPECT_LT(part->index_rows.value, 400);
  const auto whole = Of(kByQualifier, {.sample = {.rows = 4000}});
  ASSERT_TRUE(whole.ok()) << whole.status().message();
  EXPECT_TRUE(whole->index_rows.exact());
  EXPECT_EQ(whole->index_rows.value, 300);
}

/// The columns of a source row have one long value, and the index has them far apart.
TEST_F(ForecastTest, WhatEntriesOfARowShareIsNotCompressedTogether) {
  Make(4000, {}, [](int number) {
    std::mt19937_64 random(static_cast<uint64_t>(number));
    std::string value;
    for (int i = 0; i < 40; ++i) value += static_cast<char>('!' + random() % 90);
    Columns columns;
    for (int i = 0; i < 5; ++i) columns["o:" + std::to_string(random() % 100'000)] = value;
    return columns;
  });
  ForecastOptions options;
  options.sample.rows = 400;
  const auto forecast = Of(kByQualifier, options);
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  constexpr double kValueShare = 0.4;  // of the bytes of a cell, which do not get smaller
  EXPECT_GT(forecast->index_file_bytes.value, kValueShare * forecast->index_bytes.value);
}

TEST_F(ForecastTest, StatesAreCompressedAsTheirSample) {
  Make(3000, {}, [](int number) {
    return Columns{{"o:seller", "a seller with a long name that compresses well " + std::to_string(number % 40)},
                   {"o:no", std::to_string(number)}};
  });
  const auto forecast = Of(kBySeller);
  ASSERT_TRUE(forecast.ok()) << forecast.status().message();
  constexpr double kMostOfBytes = 0.75;
  EXPECT_LT(forecast->state_file_bytes.high, kMostOfBytes * forecast->state_bytes.value);
}

TEST_F(ForecastTest, AdvisesSaltsForKeysThatGrow) {
  Make(400, {}, [](int number) { return Columns{{"o:time", Key(number)}}; });
  const auto growing =
      Of("source: orders\nindexes:\n  i: { table: i, row: '{o:time | terminated}{row}', columns: { 'o:x': '' } }\n");
  ASSERT_TRUE(growing.ok()) << growing.status().message();
  EXPECT_TRUE(growing->advice.growing);
  EXPECT_EQ(growing->advice.salts, 16u);
  const auto salted = Of(
      "source: orders\nindexes:\n  i: { table: i, row: '{row | salt 4}{o:time | terminated}{row}', columns: { 'o:x': "
      "'' }, ignore_warnings: [salted] }\n");
  ASSERT_TRUE(salted.ok()) << salted.status().message();
  EXPECT_THAT(salted->salts, SizeIs(4));
  EXPECT_EQ(salted->advice.salts, 4u);
}

TEST_F(ForecastTest, GrowthNeedsTimestampsThatAreTimes) {
  MakeTable(store_.get(), "orders", {}, {{"a", Order(1)}, {"b", Order(2)}}, 17);
  const auto forecast = Of(kBySeller);
  ASSERT_TRUE(forecast.ok());
  EXPECT_FALSE(forecast->growth_per_day.has_value());
  EXPECT_THAT(ForecastText(*forecast), HasSubstr("growth per day    unknown: the timestamps"));
}

TEST_F(ForecastTest, TheRatesGiveTheTimeOfTheBackfill) {
  Make(100, {}, &Order);
  const auto forecast = Of(kBySeller, {.scan_rate = 50, .write_rate = 10});
  ASSERT_TRUE(forecast.ok());
  EXPECT_EQ(forecast->scan_seconds->value, 2);
  EXPECT_EQ(forecast->write_seconds->value, 20) << "entries and states";
}

TEST_F(ForecastTest, AnEmptyTableHasNone) {
  ASSERT_TRUE(store_->CreateTable({"orders", {{.name = "o"}}}, {}).ok());
  const Status status = Of(kBySeller).status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("has no row with a column that index by-seller watches"));
}

TEST_F(ForecastTest, AMissingTableHasNone) { EXPECT_EQ(Of(kBySeller).status().code(), StatusCode::kNotFound); }

TEST_F(ForecastTest, RowsThatCannotBeMappedHaveNone) {
  Make(50, {}, [](int number) { return Columns{{"o:seller", number < 10 ? "7" : "x"}}; });
  const Status status = Of("source: orders\nindexes:\n  i: { table: i, row: '{o:seller | int | decimal 13}{row}', "
                           "columns: { 'o:x': '' } }\n")
                            .status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), AllOf(HasSubstr("40 of 50 sampled rows of orders cannot be mapped"),
                                      HasSubstr("fensi explain MAPPING --row")));
}

TEST_F(ForecastTest, ALargeTableOfAStoreWithoutSizesNeedsItsRows) {
  Make(100, {}, &Order);
  ForecastOptions options;
  options.sample.most_counted_rows = 50;
  const Status status = Of(kBySeller, options).status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("--table_rows"));
}

TEST_F(ForecastTest, ARowThatIsTooLargeIsNamed) {
  Make(3, {}, [](int number) { return Columns{{"o:seller", std::string(number == 1 ? 5000 : 5, 's')}}; });
  ForecastOptions options;
  options.sample.most_row_bytes = 4000;
  const Status status = Of(kBySeller, options).status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration);
  EXPECT_THAT(status.message(), HasSubstr("row '000001' of table orders has more than"));
}

constexpr char kWide[] =
    "source: orders\nindexes:\n  i: { table: i, each: 'o:*', row: '{qualifier | terminated}{row}', columns: { 'o:x': "
    "'' "
    "} }\n";

TEST_F(ForecastTest, ARowWithMuchOfAllEntriesIsNoted) {
  Make(200, {}, [](int number) {
    Columns columns{{"o:a", "1"}};
    for (int i = 0; number % 50 == 0 && i < 2000; ++i) columns["o:" + std::to_string(i)] = "1";
    return columns;
  });
  ForecastOptions options{.changes = false};
  options.sample.rows = 100;
  const auto forecast = Of(kWide, options);
  ASSERT_TRUE(forecast.ok());
  EXPECT_THAT(ForecastText(*forecast), HasSubstr("% of the sampled entries. The intervals do not hold"));
}

TEST_F(ForecastTest, ComparesWithTheTablesOfTheIndex) {
  Make(100, {}, &Order);
  const auto index = IndexOf(kBySeller);
  const auto forecast = Of(kBySeller);
  ASSERT_TRUE(forecast.ok());
  EXPECT_EQ(CountReality(*index, store_.get(), SystemClock()).status().code(), StatusCode::kNotFound);
  const auto trial = Trial::Start(index);
  const auto rows = store_->Scan("orders", {});
  ASSERT_TRUE(trial.ok() && rows.ok());
  for (const store::Row& row : *rows) {
    ASSERT_TRUE((*trial)->Apply({{.table = "orders", .row = row.row, .cells = row.cells}}, nullptr).ok());
  }
  const auto reality = CountReality(*index, (*trial)->store(), SystemClock());
  ASSERT_TRUE(reality.ok()) << reality.status().message();
  for (const Compared& one : Compare(*forecast, *reality)) {
    EXPECT_TRUE(one.forecast.Holds(one.reality)) << one.figure << " " << one.forecast.value << " " << one.reality;
  }
  const std::string text = ComparisonText(*forecast, Compare(*forecast, *reality));
  EXPECT_THAT(text, HasSubstr("  entries           forecast 100, found 100: inside\n"));
  EXPECT_THAT(ComparisonJson(*forecast, Compare(*forecast, *reality)), HasSubstr(R"("found":100.0,"inside":true)"));
}

TEST_F(ForecastTest, TablesThatCannotBeListedCannotBeCompared) {
  Make(1, {}, &Order);
  const auto index = IndexOf(
      "source: orders\nindexes:\n  i: { table: 'i_{o:seller@ts | time %Y%m%d%H}', retention: 3000d, row: '{row}', "
      "columns: { 'o:x': '{o:seller}' } }\n");
  const Status refused = CountReality(*index, store_.get(), SystemClock()).status();
  EXPECT_EQ(refused.code(), StatusCode::kConfiguration);
  EXPECT_THAT(refused.message(), HasSubstr("fensi cannot list all period tables"));
  EXPECT_THAT(refused.message(), HasSubstr("so --compare cannot count the entries. Leave out --compare"));
}

TEST_F(ForecastTest, JsonHasTheFiguresWithTheirIntervals) {
  Make(10, {}, &Order);
  const auto forecast = Of(kBySeller);
  ASSERT_TRUE(forecast.ok());
  EXPECT_THAT(ForecastJson(*forecast),
              AllOf(HasSubstr(R"("index":"by-seller")"),
                    HasSubstr(R"("entries":{"value":10.0,"low":10.0,"high":10.0})"), HasSubstr(R"("advice":{)")));
}

}  // namespace
}  // namespace fensi::operations

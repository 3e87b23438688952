// What a comparison takes in memory does not depend on how large the tables are, nor on how much of them is wrong.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdio>

#include "support/sweep_world.h"
#include "tests/mapping/mapping_testing.h"
#include "tests/support/peak_memory.h"

namespace fensi::sweep {
namespace {

#ifdef FENSI_SANITIZED
constexpr int kRows = 100'000;
#else
constexpr int kRows = 1'000'000;
#endif
constexpr long kMiB = 1024;  // in kilobytes

/// Source rows that all follow m, and so an index of one row with as many columns; made when they are asked for.
class WideStore final : public store::Store {
 public:
  explicit WideStore(bool index_is_empty) : index_is_empty_(index_is_empty) {}

  Result<std::vector<store::Row>> Get(const std::string& table, std::span<const store::GetRequest> requests) override {
    std::vector<store::Row> rows;
    for (const store::GetRequest& request : requests) {
      store::Row row{request.row, {}};
      if (table == "t") row.cells = {CellOf("from", "m")};
      if (table != "t" && !index_is_empty_) {
        for (const auto& column : request.columns) row.cells.push_back(CellOf(*column.qualifier, "1"));
      }
      rows.push_back(std::move(row));
    }
    return rows;
  }

  Result<std::vector<store::Row>> Scan(const std::string& table, const store::ScanRequest& request) override {
    return table == "t" ? SourcePage(request) : IndexPage(request);
  }

  Result<std::vector<store::RejectedRow>> Put(const std::string&, std::span<const store::RowMutation>) override {
    return Refused();
  }
  Result<std::vector<store::RejectedRow>> Delete(const std::string&, std::span<const store::RowMutation>) override {
    return Refused();
  }
  Result<bool> CompareAndPut(const std::string&, const store::ConditionalPut&) override { return Refused(); }
  Status CreateTable(const store::TableDescriptor&, const std::vector<std::string>&) override { return Refused(); }
  Result<std::optional<store::TableDescriptor>> DescribeTable(const std::string&) override { return Refused(); }
  Result<std::vector<std::string>> TableNames() override { return Refused(); }
  Result<std::vector<std::string>> RegionStarts(const std::string&) override { return Refused(); }
  Status DropTable(const std::string&) override { return Refused(); }

 private:
  static Status Refused() { return Status(StatusCode::kInternal, "a comparison only reads"); }

  static std::string RowKey(int number) {
    char key[16];
    std::snprintf(key, sizeof key, "r%09d", number);
    return key;
  }
  static int NumberOf(const std::string& key) { return key.size() < 10 ? 0 : std::stoi(key.substr(1, 9)); }

  static Cell CellOf(const std::string& qualifier, const std::string& value) {
    Cell cell;
    cell.family = "f1";
    cell.qualifier = qualifier;
    cell.timestamp = 1;
    cell.value = value;
    return cell;
  }

  Result<std::vector<store::Row>> SourcePage(const store::ScanRequest& request) const {
    const int first = NumberOf(request.start_row) + (request.start_row.size() > 10 ? 1 : 0);
    const int last = std::min<int>(kRows, first + static_cast<int>(request.max_rows));
    std::vector<store::Row> page;
    for (int i = first; i < last; ++i) page.push_back({RowKey(i), {CellOf("from", "m")}});
    return page;
  }

  Result<std::vector<store::Row>> IndexPage(const store::ScanRequest& request) const {
    if (index_is_empty_ || request.start_row > "m") return std::vector<store::Row>();
    const int first = request.behind ? NumberOf(request.behind->qualifier) + 1 : 0;
    const int last = std::min<int>(kRows, first + static_cast<int>(request.max_cells));
    store::Row row{"m", {}};
    for (int i = first; i < last; ++i) row.cells.push_back(CellOf(RowKey(i), "1"));
    row.goes_on = last < kRows;
    if (row.cells.empty()) return std::vector<store::Row>();
    return std::vector<store::Row>{std::move(row)};
  }

  const bool index_is_empty_;
};

class Counting final : public FindingSink {
 public:
  Status Add(const Finding&) override {
    ++count;
    return Status();
  }
  int count = 0;
};

/// A whole comparison with a WideStore.
class WideComparison {
 public:
  explicit WideComparison(bool index_is_empty) : store_(index_is_empty) {
    clock_.on_sleep = [&] { most_open_ = std::max<int64_t>(most_open_, comparison_.counts().open); };
  }
  /// How much memory it took, in KiB.
  int64_t Run() {
    const MemoryGrowth growth;
    EXPECT_TRUE(comparison_.Run().ok());
    return growth.Kilobytes();
  }
  int found() const { return sink_.count; }
  int64_t most_open() const { return most_open_; }
  const Counts& counts() const { return comparison_.counts(); }

 private:
  const std::shared_ptr<const mapping::Index> index_ = FollowIndex();
  WorldClock clock_;
  WideStore store_;
  Counting sink_;
  int64_t most_open_ = 0;
  Comparison comparison_{index_.get(), &store_, &clock_, {}, &sink_};
};

TEST(Bounds, OfAMillionEntriesInOneIndexRowAFewPagesAreInMemory) {
  WideComparison whole(false);
  EXPECT_LT(whole.Run(), 80 * kMiB);
  EXPECT_EQ(whole.found(), 0);
  EXPECT_EQ(whole.counts().good, kRows);
  EXPECT_EQ(whole.counts().cells, kRows);
}

TEST(Bounds, OfAMillionMissingEntriesAHundredThousandAreInMemory) {
  WideComparison whole(true);
  EXPECT_LT(whole.Run(), 160 * kMiB);
  EXPECT_EQ(whole.found(), kRows);
  EXPECT_LE(whole.most_open(), 100'000);
}

TEST(Bounds, SuspectsWithLongKeysAreFewer) {
  const auto index = FollowIndex();
  SweepWorld world(index);
  const std::string longest(30'000, 'k');
  constexpr int kMany = 3'000;
  for (int i = 0; i < kMany; ++i) world.PutSource("r" + std::to_string(i), "f1:from", longest);
  int64_t most = 0;
  world.clock()->on_sleep = [&] { most = std::max<int64_t>(most, world.counts().open); };
  EXPECT_EQ(world.Compare().size(), size_t{kMany});
  EXPECT_LT(most, kMany);  // 64 MiB of them
  EXPECT_GT(most, 1'000);
}

}  // namespace
}  // namespace fensi::sweep

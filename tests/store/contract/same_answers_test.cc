// Random histories on HBase and on the embedded store, and the answers compared.
//
// Left out is what HBase itself answers differently from one moment to the next: once flushed, puts that are hidden or
// beyond VERSIONS and markers that other markers make superfluous are gone from raw reads, and a version delete no
// longer uncovers an older put that was beyond VERSIONS.
#include <algorithm>
#include <cstdlib>
#include <random>

#include "store/embedded/embedded_store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using enum CellType;

constexpr int kRows = 400;
constexpr int kManyVersions = 1000;

/// FENSI_TEST_SEED repeats a run.
unsigned Seed() {
  const char* given = std::getenv("FENSI_TEST_SEED");
  return given != nullptr ? static_cast<unsigned>(std::strtoul(given, nullptr, 10)) : std::random_device{}();
}

struct HistoryRules {
  int timestamps = 6;                // 1 to this
  bool version_deletes_in_f = true;  // f keeps one version, g three
};

class SameAnswers : public StoreContract {
 protected:
  void SetUp() override {
    table_ = NewTable();
    const TableDescriptor description{table_, {{.name = "f"}, {.name = "g", .max_versions = 3}}};
    ASSERT_TRUE(embedded_->CreateTable(description, {}).ok());
  }

  int Any(int limit) { return static_cast<int>(random_() % static_cast<unsigned>(limit)); }

  std::string AnyColumn(const std::string& family) {
    static constexpr const char* kQualifiers[] = {"", "a", "b"};
    return family + ":" + kQualifiers[Any(3)];
  }

  Cell AnyMarker(const HistoryRules& rules) {
    const std::string family = Any(2) == 0 ? "f" : "g";
    const bool version = (family == "g" || rules.version_deletes_in_f) && Any(2) == 0;
    const int64_t timestamp = 1 + Any(rules.timestamps);
    if (Any(3) == 0) return Marker(version ? kDeleteFamilyVersion : kDeleteFamily, family, timestamp);
    return Marker(version ? kDelete : kDeleteColumn, AnyColumn(family), timestamp);
  }

  RowMutation AnyMutation(const HistoryRules& rules, bool deletes) {
    RowMutation mutation{"row" + std::to_string(Any(kRows)), {}};
    for (int i = 1 + Any(3); i > 0; --i) {
      const std::string value = "v" + std::to_string(++values_);
      mutation.cells.push_back(deletes ? AnyMarker(rules)
                                       : PutCell(AnyColumn(Any(2) == 0 ? "f" : "g"), 1 + Any(rules.timestamps), value));
    }
    return mutation;
  }

  /// A batch of puts and a batch of deletes, to both stores.
  void Step(const HistoryRules& rules) {
    for (bool deletes : {false, true}) {
      std::vector<RowMutation> batch;
      for (int i = 0; i < (deletes ? kRows : 3 * kRows); ++i) batch.push_back(AnyMutation(rules, deletes));
      for (Store* target : {&store(), static_cast<Store*>(embedded_.get())}) {
        const auto rejected = deletes ? target->Delete(table_, batch) : target->Put(table_, batch);
        ASSERT_TRUE(rejected.ok() && rejected->empty()) << rejected.status().ToString();
      }
    }
  }

  /// Without a bound in one page.
  std::vector<std::string> Answer(Store& target, ScanRequest request) {
    request.max_rows = 2 * kRows;
    std::vector<std::string> lines;
    for (bool more = true; more;) {
      const auto rows = target.Scan(table_, request);
      if (!rows.ok()) return {rows.status().ToString()};
      for (const Row& row : *rows) {
        const std::string name = row.row + ": ";
        if (lines.empty() || !lines.back().starts_with(name)) lines.push_back(name);
        lines.back() += RowText(row) + ", ";
      }
      more = ToNextPage(*rows, &request);
    }
    return lines;
  }

  /// The first row that differs, and how; empty: none.
  std::string Difference(const ScanRequest& request) {
    const std::vector<std::string> hbase = Answer(store(), request);
    const std::vector<std::string> embedded = Answer(*embedded_, request);
    const auto [h, e] = std::mismatch(hbase.begin(), hbase.end(), embedded.begin(), embedded.end());
    if (h == hbase.end() && e == embedded.end()) return "";
    const std::string row = std::min(RowOf(h, hbase), RowOf(e, embedded));
    return "HBase:    " + (h == hbase.end() ? "nothing more" : *h) +
           "\nembedded: " + (e == embedded.end() ? "nothing more" : *e) + "\nraw, HBase:    " + RawRow(store(), row) +
           "\nraw, embedded: " + RawRow(*embedded_, row);
  }

  /// Of a line of Answer; behind the last: above all rows.
  static std::string RowOf(std::vector<std::string>::const_iterator line, const std::vector<std::string>& lines) {
    return line == lines.end() ? "~" : line->substr(0, line->find(':'));
  }

  std::string RawRow(Store& target, const std::string& row) {
    const GetRequest request{.row = row, .max_versions = kManyVersions, .raw = true};
    const auto rows = target.Get(table_, std::span(&request, 1));
    return rows.ok() ? RowText(rows->front()) : rows.status().ToString();
  }

  void ExpectSameAnswers(const std::string& when, bool raw_too) {
    for (int32_t versions : {1, 2, kManyVersions}) {
      for (bool raw : {false, true}) {
        if (raw && !raw_too) continue;
        const std::string how =
            when + ", " + std::to_string(versions) + " versions, raw " + std::to_string(raw) + "; FENSI_TEST_SEED=";
        ScanRequest request{.max_versions = versions, .raw = raw};
        ASSERT_EQ(Difference(request), "") << how << seed_;
        request.max_cells = 500;
        ASSERT_EQ(Difference(request), "") << "in pieces, " << how << seed_;
        request.columns = {{"f", "a"}, {"g", "b"}, {"g", ""}};
        ASSERT_EQ(Difference(request), "") << "three columns, in pieces, " << how << seed_;
        request.max_cells = SIZE_MAX;
        ASSERT_EQ(Difference(request), "") << "three columns, " << how << seed_;
        if (!raw_too) continue;
        request.times = {2, 5};
        ASSERT_EQ(Difference(request), "") << "three columns of a time, " << how << seed_;
      }
    }
  }

  const unsigned seed_ = Seed();
  std::mt19937 random_{seed_};
  int values_ = 0;
  std::string table_;
  const std::unique_ptr<EmbeddedStore> embedded_ = EmbeddedStore::Open({.in_memory = true}).value();
};

TEST_F(SameAnswers, InMemoryForEveryKindOfDelete) {
  for (int step = 0; step < 4; ++step) {
    Step({});
    ExpectSameAnswers("step " + std::to_string(step), /*raw_too=*/true);
  }
}

TEST_F(SameAnswers, FlushedBetweenTheSteps) {
  const HistoryRules rules{.timestamps = 3, .version_deletes_in_f = false};
  for (int step = 0; step < 4; ++step) {
    Step(rules);
    ASSERT_EQ(under_test().Flush(table_).message(), "");
    ExpectSameAnswers("flush " + std::to_string(step), /*raw_too=*/false);
  }
}

TEST_F(SameAnswers, CompactedBetweenTheSteps) {
  const HistoryRules rules{.timestamps = 3, .version_deletes_in_f = false};
  for (int step = 0; step < 4; ++step) {
    Step(rules);
    ASSERT_EQ(under_test().MajorCompact(table_).message(), "");
    ASSERT_EQ(embedded_->MajorCompact(table_).message(), "");
    ExpectSameAnswers("major compaction " + std::to_string(step), /*raw_too=*/true);
  }
}

}  // namespace
}  // namespace fensi::store

// Scans: raw, of named columns, of a time, without values, and of rows that no page holds.
#include <algorithm>
#include <map>
#include <random>

#include "base/bytes.h"
#include "store/store.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using enum CellType;

class Scans : public StoreContract {
 protected:
  /// All pages of the scan; pieces of a row put together.
  std::vector<Row> AllPages(const std::string& table, ScanRequest request) {
    std::vector<Row> rows;
    most_cells_ = pages_ = 0;
    while (true) {
      Result<std::vector<Row>> page = store().Scan(table, request);
      if (!page.ok()) {
        ADD_FAILURE() << page.status().ToString();
        return rows;
      }
      size_t cells = 0;
      ++pages_;
      const bool more = ToNextPage(*page, &request);
      for (Row& row : *page) {
        EXPECT_FALSE(row.cells.empty());
        cells += row.cells.size();
        row.goes_on = false;
        if (!rows.empty() && rows.back().row == row.row) {
          std::move(row.cells.begin(), row.cells.end(), std::back_inserter(rows.back().cells));
        } else {
          rows.push_back(std::move(row));
        }
      }
      most_cells_ = std::max(most_cells_, cells);
      if (!more) return rows;
    }
  }
  static std::string Text(const std::vector<Row>& rows) {
    std::string text;
    for (const Row& row : rows) text += Escape(row.row) + ": " + RowText(row) + "\n";
    return text;
  }

  size_t most_cells_ = 0;  // of a page
  size_t pages_ = 0;
};

TEST_F(Scans, RawWithOneVersionShowEveryMarkerAndTheNewestPut) {
  const std::string table = NewTableWith(
      "r", {PutCell("f:", 9, "e9"), PutCell("f:", 8, "e8"), PutCell("f:q", 6, "6"), PutCell("f:q", 5, "5")},
      {Marker(kDelete, "f:q", 7), Marker(kDelete, "f:q", 6), Marker(kDeleteColumn, "f:q", 3),
       Marker(kDeleteFamily, "f", 2)});
  const std::string all = "f:@9=e9, f:@2 delete_family, f:q@7 delete, f:q@6 delete, f:q@6=6, f:q@3 delete_column";
  EXPECT_EQ(Scan(table, {.raw = true}), "r: " + all + "\n");
  EXPECT_EQ(Scan(table, {.columns = {{"f", std::nullopt}}, .raw = true}), "r: " + all + "\n");
  EXPECT_EQ(Scan(table, {.columns = {{"f", ""}, {"f", "q"}}, .raw = true}), "r: " + all + "\n");
  EXPECT_EQ(Get(table, {.row = "r", .raw = true}), all);
}

TEST_F(Scans, RawOfNamedColumnsShowThemAndTheMarkersOfTheirFamilies) {
  const std::string table = NewTableWith(
      "r",
      {PutCell("f:", 9, "e"), PutCell("f:a", 5, "a"), PutCell("f:b", 5, "b"), PutCell("g:a", 5, "ga"),
       PutCell("g:b", 5, "gb")},
      {Marker(kDeleteFamily, "f", 4), Marker(kDeleteFamilyVersion, "g", 5), Marker(kDeleteColumn, "f:a", 5)});
  Put(table, "without", {PutCell("f:b", 1, "b")});
  EXPECT_EQ(Scan(table, {.columns = {{"f", "a"}}, .raw = true}),
            "r: f:@4 delete_family, f:a@5 delete_column, f:a@5=a\n");
  EXPECT_EQ(Scan(table, {.columns = {{"f", "a"}, {"g", "b"}}, .raw = true}),
            "r: f:@4 delete_family, f:a@5 delete_column, f:a@5=a, g:@5 delete_family_version, g:b@5=gb\n");
  EXPECT_EQ(Scan(table, {.columns = {{"g", std::nullopt}, {"f", "b"}, {"g", "a"}}, .raw = true}),
            "r: f:@4 delete_family, f:b@5=b, g:@5 delete_family_version, g:a@5=ga, g:b@5=gb\nwithout: f:b@1=b\n");
}

TEST_F(Scans, OfColumnsThatFewRowsHaveFillTheirPages) {
  const std::string table = NewTable();
  for (char row = 'a'; row <= 'j'; ++row) {
    Put(table, std::string(1, row), {PutCell(row % 4 == 0 ? "f:wanted" : "f:other", 1, "v")});
  }
  for (const bool raw : {false, true}) {
    EXPECT_EQ(Text(AllPages(table, {.columns = {{"f", "wanted"}}, .raw = raw, .max_rows = 1})),
              "d: f:wanted@1=v\nh: f:wanted@1=v\n");
  }
}

TEST_F(Scans, OfMoreColumnsThanAFilterTakes) {
  const std::string table = NewTable();
  RowMutation wide{"r", {}};
  std::vector<GetRequest::Column> columns;
  std::vector<Cell> wanted;
  for (int i = 0; i < 600; ++i) {
    wide.cells.push_back(PutCell("f:" + std::to_string(1000 + i), 1, "v"));
    if (i % 2 == 0) continue;
    columns.push_back({"f", wide.cells.back().qualifier});
    wanted.push_back(wide.cells.back());
  }
  ASSERT_TRUE(store().Put(table, std::span(&wide, 1)).ok());
  for (const bool raw : {false, true}) {
    EXPECT_EQ(AllPages(table, {.columns = columns, .raw = raw}).at(0).cells, wanted);
    EXPECT_EQ(AllPages(table, {.columns = columns, .raw = raw, .max_rows = 3, .max_cells = 70}).at(0).cells, wanted);
  }
}

/// Behind a key of the greatest length no key is one byte longer.
TEST_F(Scans, OfRowsWithTheLongestKeysComeToTheirEnd) {
  const std::string table = NewTable();
  const std::string tail(kMaxRowBytes - 1, 'k');
  const std::vector<std::string> keys = {"a" + tail, "b" + std::string(kMaxRowBytes - 1, '\xff'), "c",
                                         std::string(kMaxRowBytes, '\xff')};
  std::vector<RowMutation> rows;
  for (const std::string& key : keys) rows.push_back({key, {PutCell("f:p", 5, "p"), PutCell("f:q", 5, "q")}});
  ASSERT_TRUE(store().Put(table, rows).ok());
  for (const size_t most_rows : {1, 2, 4}) {
    for (const size_t most_cells : {size_t{1}, size_t{2}, SIZE_MAX}) {
      ScanRequest request;
      request.max_rows = most_rows;
      request.max_cells = most_cells;
      const std::vector<Row> all = AllPages(table, request);
      ASSERT_EQ(all.size(), keys.size());
      for (size_t i = 0; i < keys.size(); ++i) EXPECT_TRUE(all[i].row == keys[i] && all[i].cells.size() == 2) << i;
      for (const std::string& key : keys) {
        ScanRequest one = RowRequest(key);
        one.max_rows = most_rows;
        one.max_cells = most_cells;
        EXPECT_EQ(AllPages(table, one).size(), 1U);
      }
    }
  }
}

TEST_F(Scans, OfKeysShowNoValues) {
  const std::string table =
      NewTableWith("r", {PutCell("f:a", 5, "a"), PutCell("f:b", 5, "b")}, {Marker(kDeleteColumn, "f:b", 4)});
  EXPECT_EQ(Scan(table, {.keys_only = true}), "r: f:a@5=, f:b@5=\n");
  EXPECT_EQ(Scan(table, {.columns = {{"f", "b"}}, .keys_only = true}), "r: f:b@5=\n");
  EXPECT_EQ(Scan(table, {.columns = {{"f", "b"}}, .raw = true, .keys_only = true}), "r: f:b@5=, f:b@4 delete_column\n");
}

TEST_F(Scans, OfATimeShowItsCellsAndItsRowsOnly) {
  const std::string table = NewTable();
  Put(table, "early", {PutCell("g:q", 3, "v")});
  Put(table, "late", {PutCell("g:q", 7, "v")});
  Put(table, "r", {PutCell("g:q", 4, "4"), PutCell("g:q", 6, "6"), PutCell("g:q", 7, "7")});
  Delete(table, "marked", {Marker(kDeleteColumn, "g:q", 5), Marker(kDeleteColumn, "g:q", 3)});
  EXPECT_EQ(Scan(table, {.times = {4, 7}}), "r: g:q@6=6\n");
  EXPECT_EQ(Scan(table, {.max_versions = 9, .times = {4, 7}}), "r: g:q@6=6, g:q@4=4\n");
  EXPECT_EQ(Scan(table, {.raw = true, .keys_only = true, .times = {4, 7}}), "marked: g:q@5 delete_column\nr: g:q@6=\n");
  EXPECT_EQ(Scan(table, {.times = {8, 9}}), "");
}

TEST_F(Scans, OfNoTimeOrBoundAreRefused) {
  const std::string table = NewTable();
  for (const ScanRequest& request : std::vector<ScanRequest>{{.times = {-1, 4}},
                                                             {.times = {4, 4}},
                                                             {.max_cells = 0},
                                                             {.max_rows = 0},
                                                             {.behind = ColumnPlace{"f", "q"}}}) {
    EXPECT_EQ(store().Scan(table, request).status().code(), StatusCode::kInvalidArgument);
  }
}

TEST_F(Scans, BeginBehindAColumnOfTheFirstRowOnly) {
  const std::string table = NewTable();
  for (const char* row : {"a", "b"}) {
    Put(table, row, {PutCell("f:", 1, "0"), PutCell("f:a", 1, "1"), PutCell("f:b", 1, "2"), PutCell("g:a", 1, "3")});
    Delete(table, row, {Marker(kDeleteFamily, "g", 1)});
  }
  const std::string whole = "b: f:@1=0, f:a@1=1, f:b@1=2\n";
  EXPECT_EQ(Scan(table, {.start_row = "a", .behind = ColumnPlace{"f", ""}}), "a: f:a@1=1, f:b@1=2\n" + whole);
  EXPECT_EQ(Scan(table, {.start_row = "a", .behind = ColumnPlace{"f", "aa"}}), "a: f:b@1=2\n" + whole);
  EXPECT_EQ(Scan(table, {.start_row = "a", .behind = ColumnPlace{"f", "b"}}), whole);
  EXPECT_EQ(Scan(table, {.start_row = "a", .behind = ColumnPlace{"e", "z"}}), "a: f:@1=0, f:a@1=1, f:b@1=2\n" + whole);
  EXPECT_EQ(Scan(table, {.start_row = "a", .stop_row = "b", .behind = ColumnPlace{"f", "a"}, .raw = true}),
            "a: f:b@1=2, g:@1 delete_family, g:a@1=3\n");
  EXPECT_EQ(Scan(table, {.start_row = "a", .stop_row = "b", .behind = ColumnPlace{"g", ""}, .raw = true}),
            "a: g:a@1=3\n");
}

TEST_F(Scans, TakeAnyByteInColumns) {
  const std::string table = NewTable();
  const std::string odd("\x00'\xff:\\ \xe7\xb2\x89'", 10);
  Put(table, "r", {PutCell("f:" + odd, 1, "v"), PutCell("f:" + odd + "'", 1, "w"), PutCell("g:z", 1, "x")});
  EXPECT_EQ(Scan(table, {.columns = {{"f", odd}}, .raw = true}), "r: f:" + Escape(odd) + "@1=v\n");
  EXPECT_EQ(Scan(table, {.start_row = "r", .behind = ColumnPlace{"f", odd}, .raw = true}),
            "r: f:" + Escape(odd + "'") + "@1=w, g:z@1=x\n");
}

TEST_F(Scans, InPiecesOfNothingAreNothing) {
  const std::string table = NewTable();
  EXPECT_TRUE(AllPages(table, {.max_cells = 1}).empty());
  Put(table, "r", {PutCell("f:q", 1, "v")});
  EXPECT_TRUE(AllPages(table, {.start_row = "s", .max_cells = 1}).empty());
  EXPECT_TRUE(AllPages(table, {.stop_row = "r", .max_cells = 1}).empty());
  EXPECT_TRUE(AllPages(table, {.columns = {{"g", std::nullopt}}, .max_cells = 1}).empty());
}

TEST_F(Scans, InPiecesEndBeforeTheStopRow) {
  const std::string table = NewTable();
  for (const char* row : {"a", "ab", "ab1", "b"}) {
    Put(table, row, {PutCell("f:a", 1, "v"), PutCell("f:b", 1, "v"), PutCell("g:a", 1, "v")});
  }
  for (size_t max_cells = 1; max_cells < 12; ++max_cells) {
    const std::vector<Row> rows =
        AllPages(table, {.start_row = "ab", .stop_row = PrefixEnd("ab"), .max_rows = 2, .max_cells = max_cells});
    ASSERT_EQ(rows.size(), 2U) << max_cells;
    EXPECT_EQ(rows[0].row, "ab");
    EXPECT_EQ(rows[1].row, "ab1");
    for (const Row& row : rows) EXPECT_EQ(RowText(row), "f:a@1=v, f:b@1=v, g:a@1=v");
    EXPECT_LE(most_cells_, max_cells);
  }
}

/// Rows of every width in three regions, with versions and every kind of marker.
TEST_F(Scans, InPiecesBringWhatWholeRowsBring) {
  const std::string table = NewTable({{.name = "f"}, {.name = "g", .max_versions = 3}}, {"3", "6"});
  std::mt19937 random(7);
  const auto any = [&](int limit) { return static_cast<int>(random() % static_cast<unsigned>(limit)); };
  std::vector<RowMutation> puts, deletes;
  for (int row = 0; row < 10; ++row) {
    puts.push_back({std::to_string(row), {}});
    deletes.push_back({std::to_string(row), {}});
    for (int i = 1 + any(row == 4 ? 40 : 6); i > 0; --i) {
      const std::string column = (any(2) == 0 ? "f:" : "g:") + (any(5) == 0 ? "" : std::to_string(any(20)));
      puts.back().cells.push_back(PutCell(column, 1 + any(5), "v"));
      const bool of_family = any(4) == 0;
      if (any(2) == 0) {
        deletes.back().cells.push_back(
            of_family ? Marker(any(2) == 0 ? kDeleteFamily : kDeleteFamilyVersion, column.substr(0, 1), 1 + any(5))
                      : Marker(any(2) == 0 ? kDelete : kDeleteColumn, column, 1 + any(5)));
      }
    }
  }
  std::erase_if(deletes, [](const RowMutation& row) { return row.cells.empty(); });
  ASSERT_TRUE(store().Put(table, puts).ok());
  ASSERT_TRUE(store().Delete(table, deletes).ok());
  constexpr size_t kMostOfAColumn = 20;
  for (const bool raw : {false, true}) {
    for (const auto& columns :
         std::vector<std::vector<GetRequest::Column>>{{},
                                                      {{"g", std::nullopt}},
                                                      {{"f", "3"}, {"f", "1"}, {"g", ""}, {"g", "17"}},
                                                      {{"f", ""}, {"g", std::nullopt}}}) {
      for (const int32_t versions : {1, 3}) {
        ScanRequest request{.columns = columns, .max_versions = versions, .raw = raw};
        const std::string whole = Text(AllPages(table, request));
        ASSERT_FALSE(whole.empty());
        for (const auto& [max_rows, max_cells] :
             std::vector<std::pair<size_t, size_t>>{{1, 1}, {1, 7}, {2, 5}, {3, 100}, {1000, 1}, {4, 16}, {1000, 9}}) {
          request.max_rows = max_rows;
          request.max_cells = max_cells;
          ASSERT_EQ(Text(AllPages(table, request)), whole)
              << "raw " << raw << ", " << columns.size() << " columns, " << versions << " versions, pages of "
              << max_rows << " rows and " << max_cells << " cells";
          ASSERT_LE(most_cells_, max_cells + kMostOfAColumn);
        }
      }
    }
  }
}

TEST_F(Scans, InPiecesHoldNoMoreOfAWideRowThanAPage) {
  constexpr size_t kColumns = 30'000, kCells = 2'000;
  const std::string table = NewTable();
  RowMutation wide{"wide", {}};
  for (size_t i = 0; i < kColumns; ++i) {
    wide.cells.push_back(PutCell("f:" + std::to_string(100'000 + i), 1, std::string(100, 'v')));
  }
  ASSERT_TRUE(store().Put(table, std::span(&wide, 1)).ok());
  for (const char* row : {"before", "x behind"}) Put(table, row, {PutCell("f:q", 1, "v")});
  const std::vector<Row> rows = AllPages(table, {.raw = true, .max_rows = 100, .max_cells = kCells});
  ASSERT_EQ(rows.size(), 3U);
  EXPECT_EQ(rows[1].cells, wide.cells);
  EXPECT_LE(most_cells_, kCells + 1);
  EXPECT_LE(pages_, 2 * kColumns / kCells);
}

}  // namespace
}  // namespace fensi::store

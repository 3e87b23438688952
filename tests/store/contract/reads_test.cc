// Get and Scan.
#include <algorithm>
#include <map>

#include "base/bytes.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

using enum CellType;
using Reads = StoreContract;

TEST_F(Reads, AnswerIBelongsToRequestI) {
  const std::string table = NewTable();
  Put(table, "a", {PutCell("f:q", 1, "A")});
  Put(table, "b", {PutCell("f:q", 1, "B")});
  const std::vector<GetRequest> requests = {{.row = "b"}, {.row = "nobody"}, {.row = "a"}, {.row = "b"}};
  const auto rows = store().Get(table, requests);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  std::string text;
  for (const Row& row : *rows) text += row.row + "(" + RowText(row) + ")";
  EXPECT_EQ(text, "b(f:q@1=B)nobody()a(f:q@1=A)b(f:q@1=B)");
}

TEST_F(Reads, OfThousandsOfRowsComeBackInOrder) {
  const std::string table = NewTable();
  std::vector<RowMutation> rows;
  std::vector<GetRequest> requests;
  for (int i = 0; i < 3000; ++i) {
    const std::string row = std::to_string(i * 7919 % 3000);
    rows.push_back({row, {PutCell("f:q", 1, row)}});
    requests.push_back({.row = row});
  }
  ASSERT_TRUE(store().Put(table, rows).ok());
  const auto answers = store().Get(table, requests);
  ASSERT_TRUE(answers.ok()) << answers.status().ToString();
  for (size_t i = 0; i < answers->size(); ++i) ASSERT_EQ(RowText((*answers)[i]), "f:q@1=" + requests[i].row);
}

TEST_F(Reads, WithABoundAnswerTheFirstRowsThatFit) {
  const std::string table = NewTable();
  std::vector<GetRequest> requests;
  for (const char* row : {"d", "b", "none", "c", "a"}) requests.push_back({.row = row});
  for (const GetRequest& request : requests) {
    if (request.row != "none") Put(table, request.row, {PutCell("f:q", 1, std::string(100'000, request.row[0]))});
  }
  const auto all = store().Get(table, requests);
  ASSERT_TRUE(all.ok()) << all.status().ToString();
  for (const auto& [bytes, fit] :
       std::map<size_t, size_t>{{1, 1}, {99'000, 1}, {150'000, 2}, {250'000, 4}, {1'000'000, 5}}) {
    const auto some = store().GetSome(table, requests, bytes);
    ASSERT_TRUE(some.ok()) << some.status().ToString();
    // A gateway may have sent more of them at once.
    ASSERT_GE(some->size(), fit);
    ASSERT_LE(some->size(), requests.size());
    EXPECT_TRUE(std::equal(some->begin(), some->end(), all->begin()));
  }
}

/// A store that sees the cluster asks the region; no other one makes a read point up.
TEST_F(Reads, TellTheReadPointOfTheRegionIfTheyAreAskedForIt) {
  const std::string table = NewTable();
  const auto cluster = store().DescribeCluster();
  ASSERT_TRUE(cluster.ok()) << cluster.status().ToString();
  std::shared_ptr<const ReadPoint> last;
  for (int64_t time = 1; time <= 3; ++time) {
    Put(table, "r", {PutCell("f:q", time, "v")});
    const GetRequest requests[] = {{.row = "r", .read_point = true}, {.row = "r"}};
    const auto rows = store().Get(table, requests);
    ASSERT_TRUE(rows.ok()) << rows.status().ToString();
    const std::shared_ptr<const ReadPoint> point = rows->front().read_point;
    EXPECT_EQ(rows->back().read_point, nullptr);
    ASSERT_EQ(point != nullptr, cluster->has_value());
    if (point != nullptr && last != nullptr) {
      EXPECT_GT(point->number, last->number);
      EXPECT_EQ(point->region, last->region);
      EXPECT_EQ(point->region.size(), 32U);
    }
    last = point;
  }
}

TEST_F(Reads, OfNoRowsAnswerNothing) {
  const auto rows = store().Get(NewTable(), {});
  ASSERT_TRUE(rows.ok());
  EXPECT_TRUE(rows->empty());
}

TEST_F(Reads, OfNamedColumnsReturnThemOnly) {
  const std::string table = NewTableWith("r", {PutCell("f:", 1, "0"), PutCell("f:a", 1, "1"), PutCell("f:b", 1, "2"),
                                               PutCell("f:c", 1, "3"), PutCell("g:a", 1, "4"), PutCell("g:b", 1, "5")});
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"f", "c"}, {"f", "a"}, {"f", "none"}}}), "f:a@1=1, f:c@1=3");
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"f", ""}, {"g", std::nullopt}}}), "f:@1=0, g:a@1=4, g:b@1=5");
}

TEST_F(Reads, OfAFamilyAndColumnsOfItReturnTheFamily) {
  const std::string table = NewTableWith("r", {PutCell("g:a", 1, "4"), PutCell("g:b", 1, "5"), PutCell("g:c", 1, "6")});
  const std::string all = "g:a@1=4, g:b@1=5, g:c@1=6";
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"g", "a"}, {"g", std::nullopt}}}), all);
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"g", std::nullopt}, {"g", "a"}}}), all);
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"g", "a"}, {"g", std::nullopt}, {"g", "b"}}}), all);
}

TEST_F(Reads, OfNamedColumnsHeedTheMarkersOfTheFamily) {
  const std::string table = NewTableWith("r", {PutCell("f:", 1, "0"), PutCell("f:a", 1, "1"), PutCell("f:b", 9, "2")},
                                         {Marker(kDeleteFamily, "f", 5)});
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"f", "a"}, {"f", "b"}}}), "f:b@9=2");
}

TEST_F(Reads, OfARawFamilyShowMarkersAndWhatTheyHide) {
  const std::string table = NewTableWith("r", {PutCell("f:q", 5, "v"), PutCell("g:q", 5, "w")},
                                         {Marker(kDeleteColumn, "f:q", 5), Marker(kDeleteFamily, "f", 4)});
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"f", std::nullopt}}, .max_versions = 9, .raw = true}),
            "f:@4 delete_family, f:q@5 delete_column, f:q@5=v");
}

TEST_F(Reads, OfRawColumnsAreRefusedByName) {
  const std::string table = NewTable();
  const GetRequest request{.row = "r", .columns = {{"f", "q"}}, .raw = true};
  EXPECT_EQ(store().Get(table, std::span(&request, 1)).status().code(), StatusCode::kInvalidArgument);
}

TEST_F(Reads, OfAFamilyThatTheTableLacksNeedAPerson) {
  const GetRequest request{.row = "r", .columns = {{"nofamily", "q"}}};
  const auto rows = store().Get(NewTable(), std::span(&request, 1));
  EXPECT_EQ(rows.status().code(), StatusCode::kConfiguration);
  EXPECT_NE(rows.status().message().find("nofamily"), std::string::npos) << rows.status().message();
}

TEST_F(Reads, OfAnAbsentTableAreNotFound) {
  const GetRequest request{.row = "r"};
  EXPECT_EQ(store().Get("no_such_table", std::span(&request, 1)).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store().Scan("no_such_table", {}).status().code(), StatusCode::kNotFound);
}

TEST_F(Reads, TakeAnyByteInRowQualifierAndValue) {
  const std::string table = NewTable();
  const std::string odd("\x00\xff\x00\x01\\ \xe7\xb2\x89", 9);
  Put(table, odd, {PutCell("f:" + odd, 1, odd)});
  EXPECT_EQ(Get(table, {.row = odd, .columns = {{"f", odd}}}), "f:" + Escape(odd) + "@1=" + Escape(odd));
}

TEST_F(Reads, TakeTheLongestRow) {
  const std::string table = NewTable();
  EXPECT_EQ(Visible(table, std::string(kMaxRowBytes, 'r')), "");
}

TEST_F(Reads, ScanInTheOrderOfBytes) {
  const std::string table = NewTable();
  const std::vector<std::string> ordered = {std::string("\x00", 1),
                                            std::string("a"),
                                            std::string("a\x00", 2),
                                            std::string("a\x00\x00", 3),
                                            std::string("a\x00\x01", 3),
                                            std::string("a\x00\xff", 3),
                                            "a\x01",
                                            "a\xff",
                                            "b",
                                            "\xff"};
  for (auto row = ordered.rbegin(); row != ordered.rend(); ++row) Put(table, *row, {PutCell("f:q", 1, "v")});
  const auto rows = store().Scan(table, {});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  std::vector<std::string> seen;
  for (const Row& row : *rows) seen.push_back(row.row);
  EXPECT_EQ(seen, ordered);
}

TEST_F(Reads, ScanFromStartInclusiveToStopExclusive) {
  const std::string table = NewTable();
  for (const char* row : {"a", "b", "c", "d"}) Put(table, row, {PutCell("f:q", 1, row)});
  EXPECT_EQ(Scan(table, {.start_row = "b", .stop_row = "d"}), "b: f:q@1=b\nc: f:q@1=c\n");
}

TEST_F(Reads, ScanPageByPageWithoutLosingOrRepeatingARow) {
  const std::string table = NewTable({{.name = "f"}}, {"3", "6"});
  for (char row = '0'; row <= '9'; ++row) Put(table, std::string(1, row), {PutCell("f:q", 1, "v")});
  std::string seen;
  ScanRequest request{.max_rows = 3};
  for (bool more = true; more;) {
    const auto page = store().Scan(table, request);
    ASSERT_TRUE(page.ok()) << page.status().ToString();
    for (const Row& row : *page) seen += row.row;
    more = ToNextPage(*page, &request);
  }
  EXPECT_EQ(seen, "0123456789");
}

TEST_F(Reads, ScanSkipsRowsWithoutWantedCells) {
  const std::string table = NewTable();
  Put(table, "deleted", {PutCell("f:q", 1, "v")});
  Delete(table, "deleted", {Marker(kDeleteFamily, "f", 1)});
  Put(table, "other", {PutCell("g:q", 1, "v")});
  Put(table, "wanted", {PutCell("f:q", 1, "v"), PutCell("g:q", 1, "v")});
  EXPECT_EQ(Scan(table, {.columns = {{"f", std::nullopt}}, .max_rows = 1}), "wanted: f:q@1=v\n");
}

TEST_F(Reads, ScanRawShowsDeletedRows) {
  const std::string table = NewTable();
  Delete(table, "r", {Marker(kDeleteColumn, "f:q", 1)});
  EXPECT_EQ(Scan(table, {.max_versions = 9, .raw = true}), "r: f:q@1 delete_column\n");
}

TEST_F(Reads, OfAWideRowReturnAllOfIt) {
  const std::string table = NewTable();
  RowMutation wide{"r", {}};
  for (int i = 0; i < 2500; ++i) wide.cells.push_back(PutCell("f:" + std::to_string(10000 + i), 1, "v"));
  ASSERT_TRUE(store().Put(table, std::span(&wide, 1)).ok());
  const auto rows = store().Scan(table, {.raw = true});
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  ASSERT_EQ(rows->size(), 1U);
  EXPECT_EQ(rows->front().cells, wide.cells);
  EXPECT_EQ(Get(table, {.row = "r", .columns = {{"f", "10007"}, {"f", "12400"}}}), "f:10007@1=v, f:12400@1=v");
}

}  // namespace
}  // namespace fensi::store

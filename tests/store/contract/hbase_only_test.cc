// What only a real HBase can do to us.
#include <algorithm>
#include <cstdlib>

#include "store/hbase/calls/server_check.h"
#include "store/hbase/hbase_store.h"
#include "tests/store/contract/stack_admin.h"
#include "tests/store/contract/store_contract.h"

namespace fensi::store {
namespace {

class RealHBase : public StoreContract {
 protected:
  static Status Admin(const std::string& command) {
    const char* address = std::getenv("FENSI_TEST_ADMIN");
    return StackAdmin(address == nullptr ? "" : address).Run(command);
  }
  static HBaseOptions Gateway() {
    const char* address = std::getenv("FENSI_TEST_HBASE");
    const std::string text = address == nullptr ? "nowhere:1" : address;
    const size_t colon = text.rfind(':');
    return {.host = text.substr(0, colon), .port = std::stoi(text.substr(colon + 1)), .connections = 1};
  }
  /// A store that asks for so few cells at once.
  static std::unique_ptr<HBaseStore> InPieces(size_t cells) {
    HBaseOptions options = Gateway();
    options.read_limits.cells = cells;
    return HBaseStore::Open(options).value();
  }
  Result<std::vector<RejectedRow>> PutRow(const std::string& table, const std::string& column = "f:q") {
    const RowMutation mutation{"r", {PutCell(column, 1, "v")}};
    return store().Put(table, std::span(&mutation, 1));
  }
};

TEST_F(RealHBase, CanAllThatIsAskedOfItAtStartAndKeepsNothingOfIt) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  const Status status = store().CheckServer(table);
  EXPECT_TRUE(status.ok()) << status.ToString();
  EXPECT_EQ(Scan(table, {.max_versions = 9, .raw = true}), "r: f:q@1=v\n");
}

TEST_F(RealHBase, WithADisabledTableIsUnavailableUntilItIsEnabled) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("disable " + table).ok());
  EXPECT_EQ(PutRow(table).status().code(), StatusCode::kUnavailable);
  EXPECT_EQ(store().Scan(table, {}).status().code(), StatusCode::kUnavailable);
  ASSERT_TRUE(Admin("enable " + table).ok());
  EXPECT_TRUE(PutRow(table).ok());
}

TEST_F(RealHBase, WhoseTableWasDroppedBySomebodyElseIsNotFound) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("drop " + table).ok());
  EXPECT_EQ(PutRow(table).status().code(), StatusCode::kNotFound);
  const GetRequest request{.row = "r"};
  EXPECT_EQ(store().Get(table, std::span(&request, 1)).status().code(), StatusCode::kNotFound);
  EXPECT_EQ(store().Scan(table, {}).status().code(), StatusCode::kNotFound);
}

TEST_F(RealHBase, WhoseTableCameBackWithoutAFamilyNeedsAPerson) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table, "g:q").ok());
  ASSERT_TRUE(Admin("drop " + table).ok());
  ASSERT_TRUE(Admin("create " + table + " f").ok());
  std::vector<RowMutation> rows;
  for (int i = 0; i < 20; ++i) rows.push_back({std::to_string(i), {PutCell(i == 7 ? "g:q" : "f:q", 1, "v")}});
  const Status status = store().Put(table, rows).status();
  EXPECT_EQ(status.code(), StatusCode::kConfiguration) << status.ToString();
  EXPECT_NE(status.message().find("has no family g"), std::string::npos) << status.message();
}

TEST_F(RealHBase, WhoseTableCameBackWithANewFamilyTakesIt) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("drop " + table).ok());
  ASSERT_TRUE(Admin("create " + table + " new").ok());
  const auto rejected = PutRow(table, "new:q");
  ASSERT_TRUE(rejected.ok()) << rejected.status().ToString();
  EXPECT_TRUE(rejected->empty());
}

/// Names that a filter in HBase's own language could stumble over, in order.
std::vector<std::string> OddQualifiers() {
  std::vector<std::string> odd = {
      std::string("\0", 1), " ", "'", "''", "(", ")", "',", ",", "\\", "AND", "a", "a'b", "\xff"};
  std::sort(odd.begin(), odd.end());
  return odd;
}

TEST_F(RealHBase, ReadsWideRowsInPiecesAsAtOnce) {
  const std::string table = NewTable();
  std::vector<Cell> puts, markers;
  for (const std::string& qualifier : OddQualifiers()) {
    for (int version = 1; version <= 3; ++version) {
      for (const char* family : {"f", "g"}) {
        puts.push_back({.family = family, .qualifier = qualifier, .timestamp = 10 * version, .value = "v"});
      }
    }
    markers.push_back({.family = "g", .qualifier = qualifier, .timestamp = 10, .type = CellType::kDelete});
  }
  markers.push_back(Marker(CellType::kDeleteFamily, "g", 5));
  Put(table, "r", puts);
  Put(table, "s", puts);
  Delete(table, "r", markers);
  const auto columns = [](std::vector<GetRequest::Column> wanted) { return wanted; };
  const std::vector<GetRequest> requests = {{.row = "r"},
                                            {.row = "r", .max_versions = 9},
                                            {.row = "r", .max_versions = 9, .raw = true},
                                            {.row = "absent"},
                                            {.row = "s", .columns = columns({{"g", std::nullopt}}), .max_versions = 9},
                                            {.row = "s", .columns = columns({{"f", "'"}, {"g", "a"}, {"g", "a'b"}})}};
  const auto whole = store().Get(table, requests);
  ASSERT_TRUE(whole.ok()) << whole.status().ToString();
  for (const size_t cells : {1, 7, 40}) {
    const auto pieces = InPieces(cells)->Get(table, requests);
    ASSERT_TRUE(pieces.ok()) << pieces.status().ToString();
    for (size_t i = 0; i < requests.size(); ++i) {
      EXPECT_EQ(RowText(pieces->at(i)), RowText(whole->at(i))) << "request " << i << ", " << cells << " cells a call";
    }
  }
}

TEST_F(RealHBase, ReadsARowThatIsLargerThanHBaseReadsAtOnceInPieces) {
  constexpr int kColumns = 200;
  const std::string table = NewTable();
  ASSERT_TRUE(Admin("alter " + table + " - hbase.table.max.rowsize 20000").ok());
  std::vector<Cell> cells;
  for (int i = 0; i < kColumns; ++i) cells.push_back(PutCell("f:" + std::to_string(i), 1, std::string(500, 'v')));
  Put(table, "wide", cells);
  Put(table, "x", {PutCell("f:q", 1, "v")});
  const std::vector<GetRequest> requests = {{.row = "x"}, {.row = "wide"}};
  const auto rows = store().Get(table, requests);
  ASSERT_TRUE(rows.ok()) << rows.status().ToString();
  EXPECT_EQ(rows->at(0).cells.size(), 1U);
  EXPECT_EQ(rows->at(1).cells.size(), static_cast<size_t>(kColumns));
  const auto scanned = store().Scan(table, {});
  ASSERT_TRUE(scanned.ok()) << scanned.status().ToString();
  EXPECT_EQ(*scanned, (std::vector<Row>{rows->at(1), rows->at(0)}));
}

TEST_F(RealHBase, ThatIsReadOnlyIsWaitedForAndBlamesNoRow) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  ASSERT_TRUE(Admin("alter " + table + " - READONLY true").ok());
  const Status refused = PutRow(table).status();
  EXPECT_EQ(refused.code(), StatusCode::kUnavailable) << refused.ToString();
  ASSERT_TRUE(Admin("alter " + table + " - READONLY false").ok());
  EXPECT_TRUE(PutRow(table).ok());
}

TEST_F(RealHBase, ShowsNothingOfATrialWhetherARegionTakesWrites) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  const GatewayOptions gateway{.host = Gateway().host, .port = Gateway().port};
  FirstAnswer first_answer(gateway);
  Connection connection(gateway, &first_answer);
  const Status tried = ProbeWrite(connection, table, "r", "f");
  ASSERT_TRUE(tried.ok()) << tried.ToString();
  EXPECT_EQ(Raw(table, "r"), "f:q@1=v");
  EXPECT_EQ(Visible(table, "r"), "f:q@1=v");
}

/// The rule by which an index knows that its table was made again (indexer/index_table.h).
TEST_F(RealHBase, ChangesOneHalfOfATablesIdentityWhereTheTableStaysAndBothWhereItIsEmptied) {
  const std::string table = NewTable();
  ASSERT_TRUE(PutRow(table).ok());
  const TableIdentity first = **store().IdentityOf(table);
  ASSERT_TRUE(Admin("disable " + table).ok());
  EXPECT_EQ(store().IdentityOf(table).status().code(), StatusCode::kUnavailable);
  ASSERT_TRUE(Admin("enable " + table).ok());
  const TableIdentity enabled = **store().IdentityOf(table);
  EXPECT_GT(enabled.enabled_at, first.enabled_at);
  EXPECT_EQ(enabled.first_region, first.first_region);
  ASSERT_TRUE(Admin("alter " + table + " f VERSIONS 3").ok());
  EXPECT_EQ(**store().IdentityOf(table), enabled);
  ASSERT_TRUE(Admin("split " + table + " 6d").ok());
  const TableIdentity split = **store().IdentityOf(table);
  EXPECT_EQ(split.enabled_at, enabled.enabled_at);
  EXPECT_GE(split.first_region, enabled.first_region) << "the row of the parent stays for a while";
  for (const char* how : {"truncate ", "truncate_preserve "}) {
    const TableIdentity before = **store().IdentityOf(table);
    ASSERT_TRUE(Admin(how + table).ok());
    const TableIdentity emptied = **store().IdentityOf(table);
    EXPECT_GT(emptied.enabled_at, before.enabled_at) << how;
    EXPECT_GT(emptied.first_region, before.first_region) << how;
  }
}

TEST_F(RealHBase, SplitUnderUsLosesNothing) {
  const std::string table = NewTable();
  std::vector<RowMutation> rows;
  for (char row = 'a'; row <= 'z'; ++row) rows.push_back({std::string(1, row), {PutCell("f:q", 1, "v")}});
  ASSERT_TRUE(store().Put(table, rows).ok());
  ASSERT_TRUE(Admin("split " + table + " 6d").ok());  // at "m"
  EXPECT_EQ(store().RegionStarts(table).value(), (std::vector<std::string>{"", "m"}));
  ASSERT_TRUE(store().Put(table, rows).ok());
  EXPECT_EQ(store().Scan(table, {})->size(), rows.size());
}

}  // namespace
}  // namespace fensi::store

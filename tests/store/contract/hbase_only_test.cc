// What only the gateway of a real HBase can do to a client.
#include <algorithm>
#include <cstdlib>

#include "store/hbase/calls/server_check.h"
#include "store/hbase/hbase_store.h"
#include "tests/store/contract/real_hbase.h"

namespace fensi::store {
namespace {

HBaseOptions Gateway() {
  const char* address = std::getenv("FENSI_TEST_HBASE");
  const std::string text = address == nullptr ? "nowhere:1" : address;
  const size_t colon = text.rfind(':');
  return {.host = text.substr(0, colon), .port = std::stoi(text.substr(colon + 1)), .connections = 1};
}

/// A store that asks for so few cells at once.
std::unique_ptr<HBaseStore> InPieces(size_t cells) {
  HBaseOptions options = Gateway();
  options.read_limits.cells = cells;
  return HBaseStore::Open(options).value();
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

}  // namespace
}  // namespace fensi::store

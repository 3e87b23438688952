// Where regions are: rows of hbase:meta, znodes, and the cache of locations.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <random>
#include <string>

#include "hbase/errors.h"
#include "hbase/locate/location_cache.h"
#include "hbase/locate/locator.h"
#include "hbase/locate/meta_rows.h"
#include "hbase/locate/registry.h"
#include "proto/hbase_client.pb.h"

namespace fensi::hbase {
namespace {

LocationPtr Region(const std::string& start, const std::string& end, int port = 1, int64_t sequence = 1,
                   const std::string& name = "") {
  RegionLocation location{"t", name.empty() ? "t," + start + "," + end : name, start, end, {"h", port}, sequence};
  return std::make_shared<const RegionLocation>(location);
}

TEST(LocationCache, FindsTheRegionOfARow) {
  LocationCache cache;
  cache.Insert(Region("", "b"));
  cache.Insert(Region("d", ""));
  EXPECT_EQ(cache.Find("t", "a")->end, "b");
  EXPECT_EQ(cache.Find("t", "b"), nullptr) << "nobody has told of it";
  EXPECT_EQ(cache.Find("t", "d")->start, "d");
  EXPECT_EQ(cache.Find("t", "zz")->start, "d");
  EXPECT_EQ(cache.Find("other", "a"), nullptr);
}

TEST(LocationCache, DropsEveryRegionThatANewOneOverlaps) {
  LocationCache cache;
  for (const auto& [start, end] : std::map<std::string, std::string>{{"", "b"}, {"b", "d"}, {"d", "f"}, {"f", ""}}) {
    cache.Insert(Region(start, end));
  }
  cache.Insert(Region("b", "f", 2));  // b-d and d-f were merged
  EXPECT_EQ(cache.size(), 3U);
  EXPECT_EQ(cache.Find("t", "e")->server.port, 2);
  cache.Insert(Region("c", "e", 3));  // a part of it
  EXPECT_EQ(cache.size(), 3U);
  EXPECT_EQ(cache.Find("t", "b"), nullptr);
  EXPECT_EQ(cache.Find("t", "e"), nullptr);
  cache.Insert(Region("", "", 4));
  EXPECT_EQ(cache.size(), 1U);
}

TEST(LocationCache, KeepsTheLaterOpeningOfARegion) {
  LocationCache cache;
  cache.Insert(Region("", "b", 2, 20));
  EXPECT_EQ(cache.Insert(Region("", "b", 1, 10))->server.port, 2) << "an answer that was late";
  EXPECT_EQ(cache.Insert(Region("", "b", 3, 20))->server.port, 3);
}

TEST(LocationCache, ForgetsALocationOnlyIfItStillCounts) {
  LocationCache cache;
  const LocationPtr former = Region("", "b", 1, 1), newer = Region("", "b", 2, 2);
  cache.Insert(former);
  cache.Insert(newer);
  cache.Forget(former);
  EXPECT_EQ(cache.Find("t", "a"), newer);
  cache.Forget(newer);
  EXPECT_EQ(cache.Find("t", "a"), nullptr);
}

TEST(LocationCache, ForgetsAllRegionsOfAServerAndNoOther) {
  LocationCache cache;
  cache.Insert(Region("", "b", 1));
  cache.Insert(Region("b", "d", 2));
  cache.Insert(Region("d", "", 1));
  cache.ForgetServer({"h", 1});
  EXPECT_EQ(cache.size(), 1U);
  EXPECT_NE(cache.Find("t", "b"), nullptr);
}

/// Beside the plainest of caches: the newest entry that has the row, unless a later one overlaps it.
TEST(LocationCache, NeverHasTwoRegionsForARow) {
  std::mt19937 random(3);
  for (int round = 0; round < 200; ++round) {
    LocationCache cache;
    std::vector<LocationPtr> plain;
    for (int i = 0; i < 30; ++i) {
      std::string a(1, static_cast<char>('a' + random() % 8)), b(1, static_cast<char>('a' + random() % 8));
      if (a == b) continue;
      if (b < a) std::swap(a, b);
      const LocationPtr region = Region(a, b == "h" ? "" : b, i, 1, "t" + std::to_string(i));
      cache.Insert(region);
      std::erase_if(plain, [&](const LocationPtr& one) {
        return (one->end.empty() || region->start < one->end) && (region->end.empty() || one->start < region->end);
      });
      plain.push_back(region);
    }
    for (char row = 'a'; row <= 'i'; ++row) {
      const auto found =
          std::find_if(plain.begin(), plain.end(), [&](const auto& one) { return one->Has(std::string(1, row)); });
      EXPECT_EQ(cache.Find("t", std::string(1, row)), found == plain.end() ? nullptr : *found) << round << row;
    }
  }
}

/// A row of hbase:meta; `owned` has what its cells point to.
struct MetaRowCells {
  std::string info, name, server = "rs1.example:16020", sequence = std::string("\0\0\0\0\0\0\1\2", 8), state = "OPEN";
  std::vector<CellView> Cells() const {
    const auto cell = [this](std::string_view qualifier, std::string_view value) {
      return CellView{.row = name, .family = "info", .qualifier = qualifier, .value = value, .timestamp = 1, .type = 4};
    };
    return {cell("regioninfo", info), cell("seqnumDuringOpen", sequence), cell("server", server), cell("state", state)};
  }
};

MetaRowCells RowOfMeta(const std::function<void(proto::hbase::RegionInfo*)>& change = nullptr) {
  proto::hbase::RegionInfo info;
  info.set_region_id(1);
  info.mutable_table_name()->set_namespace_("space");
  info.mutable_table_name()->set_qualifier("t");
  info.set_start_key("b");
  info.set_end_key("d");
  if (change) change(&info);
  return {.info = "PBUF" + info.SerializeAsString(), .name = "space:t,b,1.0123."};
}

TEST(MetaRows, SayWhereARegionIs) {
  const MetaRowCells cells = RowOfMeta();
  const auto row = ParseMetaRow(cells.Cells());
  ASSERT_TRUE(row.has_value());
  EXPECT_TRUE(row->serving);
  EXPECT_EQ(row->location.table, "space:t");
  EXPECT_EQ(row->location.name, cells.name);
  EXPECT_EQ(row->location.start + "-" + row->location.end, "b-d");
  EXPECT_EQ(row->location.server, (ServerAddress{"rs1.example", 16020}));
  EXPECT_EQ(row->location.sequence, 0x102);
}

TEST(MetaRows, OfParentsReplicasAndOfflineRegionsServeNothing) {
  using Info = proto::hbase::RegionInfo;
  for (const auto& change : std::vector<std::function<void(Info*)>>{[](Info* info) { info->set_split(true); },
                                                                    [](Info* info) { info->set_offline(true); },
                                                                    [](Info* info) { info->set_replica_id(1); }}) {
    const MetaRowCells cells = RowOfMeta(change);
    EXPECT_FALSE(ParseMetaRow(cells.Cells())->serving);
  }
}

TEST(MetaRows, InTransitionHaveNoServer) {
  MetaRowCells cells = RowOfMeta();
  cells.server.clear();
  EXPECT_EQ(ParseMetaRow(cells.Cells())->location.server.host, "");
}

TEST(MetaRows, OfClosedRegionsSayWhatToDo) {
  const RemoteError error{.exception = "a.NotServingRegionException", .message = "x is not online"};
  MetaRowCells cells = RowOfMeta();
  for (const std::string state : {"CLOSED", "OFFLINE", "FAILED_OPEN", "ABNORMALLY_CLOSED"}) {
    cells.state = state;
    const RegionLocation location = ParseMetaRow(cells.Cells())->location;
    const std::string action = "; hbase:meta calls the region " + state +
                               ". If the region stays so, open it in the HBase shell: assign '0123'";
    EXPECT_EQ(ErrorWords(error, location).all(), "NotServingRegionException: x is not online" + action);
    EXPECT_EQ(NoServer(location).message(), "no region server has region 0123 of table space:t" + action);
  }
  for (const char* state : {"OPENING", "OPEN", "CLOSING", "SPLITTING", "MERGING", "FAILED_CLOSE", "", "x"}) {
    cells.state = state;
    EXPECT_EQ(ErrorWords(error, ParseMetaRow(cells.Cells())->location).all(), ErrorText(error)) << state;
  }
}

TEST(MetaRows, OfTablesAreNone) {
  const CellView state{.row = "t", .family = "table", .qualifier = "state", .value = "x"};
  EXPECT_FALSE(ParseMetaRow({state}).has_value());
  EXPECT_FALSE(ParseMetaRow({}).has_value());
}

TEST(MetaRows, AreSearchedFromAboveTheRow) {
  EXPECT_EQ(MetaKeyOf("t", "row"), "t,row,99999999999999");
  EXPECT_EQ(MetaStopOf("t"), "t,,");
  EXPECT_LE(MetaKeyOf("table", std::string(32'767, 'r')).size(), 32'767U) << "HBase takes no longer key";
}

TEST(Znodes, HaveTheirMessageBehindTheWriterAndTheMark) {
  std::string_view message;
  EXPECT_TRUE(StripZnode("PBUFmessage", &message));
  EXPECT_EQ(message, "message");
  const std::string written("\xff\0\0\0\3abcPBUFm", 13);
  EXPECT_TRUE(StripZnode(written, &message));
  EXPECT_EQ(message, "m");
  for (const std::string& bad : {std::string(), std::string("PBU"),
                                 std::string("\xff\0\0\0\x09"
                                             "abcPBUFm",
                                             13),
                                 std::string("\xff\0\0", 3)}) {
    EXPECT_FALSE(StripZnode(bad, &message)) << bad.size();
  }
}

}  // namespace
}  // namespace fensi::hbase

// A page of a scan: when it has made progress, and when it is full.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <string>
#include <thread>

#include "hbase/cluster.h"
#include "proto/hbase_client.pb.h"
#include "tests/hbase/calls.h"
#include "tests/hbase/fake_hbase.h"

namespace fensi::hbase {
namespace {

using Kind = Reaction::Kind;
using std::chrono::milliseconds;

TEST(ScanProgress, IsARegionThatIsReadAlsoIfNoRowIsWanted) {
  std::atomic<int> first = 0, third = 0;
  FakeHBase server({"g", "p"});
  server.react = [&](const std::string& method, const std::string& region) {
    const Reaction fault{.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.NotServingRegionException"};
    if (method != "Scan") return Reaction{};
    if (region.starts_with("t,,") && first++ == 0) return fault;
    if (region.starts_with("t,g,")) std::this_thread::sleep_for(milliseconds(1'500));  // longer than `retry_for`
    if (region.starts_with("t,p,") && third++ == 0) return fault;
    return Reaction{};
  };
  const auto page = ClientOf(server.Options())->Scan("t", {}, kGranted);
  EXPECT_TRUE(page.ok()) << page.status().ToString();
}

TEST(ScanProgress, DoesNotTakeALimitWithoutARowForProgress) {
  std::atomic<int> scans = 0;
  FakeHBase server;
  server.on_scan = [&](const proto::hbase::ScanRequest&, proto::hbase::ScanResponse* response, std::string*) {
    ++scans;
    response->set_scanner_id(1);
    response->set_more_results(false);
    response->set_more_results_in_region(true);
    return true;
  };
  const auto page = ClientOf(server.Options())->Scan("t", {}, kGranted);
  EXPECT_EQ(page.status().code(), StatusCode::kUnavailable);
  EXPECT_LT(scans, 10);
}

/// Answers with all rows of the limit and the begin of one more; then the scanner is lost.
TEST(ScanProgress, EndsAFullPageIfTheRowBehindItIsLost) {
  std::atomic<int> scans = 0;
  FakeHBase server;
  server.react = [&](const std::string& method, const std::string&) {
    const bool lost = method == "Scan" && ++scans == 2;
    return lost ? Reaction{.kind = Kind::kException, .exception = "org.apache.hadoop.hbase.UnknownScannerException"}
                : Reaction{};
  };
  server.on_scan = [&](const proto::hbase::ScanRequest&, proto::hbase::ScanResponse* response, std::string* cells) {
    response->set_scanner_id(1);
    response->set_more_results(true);
    response->set_more_results_in_region(true);
    for (const std::string row : {"a", "b", "c"}) {
      *cells += CellBytes(row, "q");
      response->add_cells_per_result(1);
      response->add_partial_flag_per_result(row == "c");
    }
    return true;
  };
  ScanSpec spec;
  spec.max_rows = 2;
  const auto page = ClientOf(server.Options())->Scan("t", spec, kGranted);
  ASSERT_TRUE(page.ok()) << page.status().ToString();
  EXPECT_EQ(page->rows.size(), 2U);
  EXPECT_FALSE(page->at_end);
  EXPECT_EQ(scans, 2);
}

}  // namespace
}  // namespace fensi::hbase

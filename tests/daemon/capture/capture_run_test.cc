// What a capture refuses before it reaches any server, and the plan that it shows.
#include "daemon/capture/capture_run.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "daemon/capture/own_tables.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "store/open_store.h"
#include "tests/support/matchers.h"

namespace fensi::daemon {
namespace {

CaptureRunOptions Options() {
  CaptureRunOptions options;
  options.capture.listen = {"127.0.0.1:0"};
  options.capture.zookeeper = "zk1:2181";
  return options;
}

TEST(CaptureRun, ThePlanNamesThePeerAndItsTables) {
  CaptureRun run(Options());
  ASSERT_TRUE(run.Check({"guanzhu"}).ok());
  const Result<std::string> plan = run.Plan();
  ASSERT_TRUE(plan.ok());
  EXPECT_THAT(*plan, HasSubstr("zk1:2181:/fensi"));
  EXPECT_THAT(*plan, HasSubstr("guanzhu"));
  EXPECT_THAT(*plan, HasSubstr("FAMILY"));
  EXPECT_THAT(*plan, HasSubstr("#    table guanzhu: topic guanzhu\n#    fensi has not checked that HBase has these "));
}

TEST(CaptureRun, NeedsTheBrokersToRun) {
  CaptureRun run(Options());
  ASSERT_TRUE(run.Check({"guanzhu"}).ok());
  EXPECT_THAT(run.Run().status().message(), HasSubstr("--kafka is missing"));
}

TEST(CaptureRun, ItsHeartbeatTableIsInAStoreAndNotCaptured) {
  CaptureRunOptions options = Options();
  options.heartbeat_table = "beat";
  EXPECT_THAT(CheckHeartbeat(options, {"guanzhu"}).message(), HasSubstr("--heartbeat_table requires --store"));
  options.store.url = "thrift://127.0.0.1:9090";
  EXPECT_TRUE(CheckHeartbeat(options, {"guanzhu"}).ok());
  EXPECT_THAT(CheckHeartbeat(options, {"guanzhu", "beat"}).message(),
              HasSubstr("--heartbeat_table beat is also a captured table"));
  EXPECT_EQ(CaptureRun(options).Check({"guanzhu", "beat"}).code(), StatusCode::kInvalidArgument);
}

TEST(CaptureRun, FensisOwnTablesAreNotCaptured) {
  EXPECT_EQ(CaptureRun(Options()).Check({"fensi_meta"}).code(), StatusCode::kConfiguration);
}

/// Two embedded stores, for the source and for the indexes.
class TwoStores : public ::testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    options_.store.url = "embedded:" + (folder_ / "index").string();
    options_.store.source.url = "embedded:" + (folder_ / "source").string();
    Make(options_.store.source.url, "guanzhu", "far");
    Make(options_.store.url, "guanzhu", "near");
    Make(options_.store.url, "guanzhu_state", "i");
  }
  static void Make(const std::string& url, const std::string& table, const std::string& family) {
    std::filesystem::create_directories(url.substr(url.find(':') + 1));
    const auto store = store::OpenStore(url);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    ASSERT_TRUE((*store)->CreateTable({table, {{.name = family}}}, {}).ok());
  }

  const std::filesystem::path folder_ = std::filesystem::path(::testing::TempDir()) / "capture_two_stores";
  CaptureRunOptions options_ = Options();
};

TEST_F(TwoStores, ThePlanIsOfTheTableInTheSourceStore) {
  CaptureRun run(options_);
  ASSERT_TRUE(run.Check({"guanzhu"}).ok());
  const Result<std::string> plan = run.Plan();
  ASSERT_TRUE(plan.ok()) << plan.status().ToString();
  EXPECT_THAT(*plan, HasSubstr("alter 'guanzhu', {NAME => 'far'"));
  EXPECT_THAT(*plan, HasSubstr("#    table guanzhu: topic guanzhu\n"));
  EXPECT_THAT(*plan, ::testing::Not(HasSubstr("has not checked")));
  EXPECT_THAT(*plan, ::testing::Not(HasSubstr("near")));
}

TEST_F(TwoStores, ATableOfAnIndexIsOneThatHasItsStatesInTheSourceStore) {
  EXPECT_TRUE(CheckTablesInStore({"guanzhu"}, "{table}", options_.store).ok());
  Make(options_.store.source.url, "guanzhu_state", "i");
  EXPECT_THAT(CheckTablesInStore({"guanzhu"}, "{table}", options_.store).message(),
              HasSubstr("state table guanzhu_state exists"));
}

TEST_F(TwoStores, TheIndexesAreThoseOfTheOtherStore) {
  {
    const auto index = store::OpenStore(options_.store.url).value();
    ASSERT_TRUE(index->CreateTable(meta::MetaTable(options_.store.meta_table), {}).ok());
    const meta::IndexRecord record(
        meta::VersionedMetaRow(index.get(), options_.store.meta_table, meta::IndexRow("fans")));
    ASSERT_TRUE(record.Register({.incarnation = "0123456789abcdef", .table = "i"}).ok());
  }
  EXPECT_TRUE(CheckTablesInStore({"guanzhu"}, "{table}", options_.store).ok());
  EXPECT_THAT(CheckTablesInStore({"guanzhu"}, "fans.requests", options_.store).message(),
              HasSubstr("the control topic fans.requests of index fans"));
}

TEST_F(TwoStores, OneStoreTwiceIsRefusedBeforeAnythingElse) {
  options_.store.source.url = options_.store.url;
  EXPECT_THAT(CaptureRun(options_).Check({"guanzhu"}).message(), HasSubstr("they are one store"));
}

}  // namespace
}  // namespace fensi::daemon

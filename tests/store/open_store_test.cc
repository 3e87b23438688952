#include "store/open_store.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

TEST(OpenStore, SaysWhichUrlsArePossible) {
  for (const char* url : {"", "embedded", "embedded:", "hbase:host", "hbase://", "hbase://:9090", "hbase://h:port",
                          "hbase://h:0", "hbase://h:70000", "hbase://h/x:1", "hbase://[::1", "hbase://[]:1",
                          "hbase://[::1]9090", "hbase://[::1]:", "kafka://h:1"}) {
    const auto store = OpenStore(url);
    ASSERT_EQ(store.status().code(), StatusCode::kInvalidArgument) << url;
    EXPECT_THAT(store.status().message(), HasSubstr("possible: embedded:DIRECTORY, hbase://HOST:PORT")) << url;
  }
}

TEST(OpenStore, TakesAddressesOfIpv6) {
  for (const char* url : {"hbase://[::1]:1", "hbase://[::1]"}) {
    const auto store = OpenStore(url, {.connections = 1});
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    EXPECT_THAT((*store)->DescribeTable("t").status().message(), HasSubstr("gateway [::1]:")) << url;
  }
}

TEST(OpenStore, OpensADirectory) {
  const std::string directory = ::testing::TempDir() + "/open_store_" + std::to_string(getpid());
  {
    const auto store = OpenStore("embedded:" + directory);
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    EXPECT_TRUE((*store)->CreateTable({"t", {{.name = "f"}}}, {}).ok());
  }
  const auto reader = OpenStore("embedded:" + directory, {.read_only = true});
  ASSERT_TRUE(reader.ok()) << reader.status().ToString();
  EXPECT_TRUE((*reader)->DescribeTable("t")->has_value());
  std::filesystem::remove_all(directory);
}

}  // namespace
}  // namespace fensi::store

#include "store/open_store.h"

#include <gmock/gmock.h>
#include <unistd.h>

#include <filesystem>

#include "tests/support/matchers.h"

namespace fensi::store {
namespace {

TEST(OpenStore, SaysWhichUrlsArePossible) {
  for (const char* url : {"",
                          "embedded",
                          "embedded:",
                          "hbase:host",
                          "hbase://",
                          "hbase://:9090",
                          "hbase://h:port",
                          "hbase://h:0",
                          "hbase://h:70000",
                          "hbase://h/x:1",
                          "hbase://[::1",
                          "hbase://[]:1",
                          "hbase://[::1]9090",
                          "hbase://[::1]:",
                          "kafka://h:1",
                          "hbases://",
                          "hbases://h/x",
                          "hbase+https:///x",
                          "hbase+https://h:0/",
                          "hbase+https://h:1/a b",
                          "hbase+http://h:1/"}) {
    const auto store = OpenStore(url);
    ASSERT_EQ(store.status().code(), StatusCode::kInvalidArgument) << url;
    EXPECT_THAT(store.status().message(),
                HasSubstr("possible: embedded:DIRECTORY, hbase://HOST:PORT, hbases://HOST:PORT, "))
        << url;
  }
}

TEST(OpenStore, TakesAddressesOfIpv6) {
  for (const char* url : {"hbase://[::1]:1", "hbase://[::1]"}) {
    const auto store = OpenStore(url, {.connections = 1});
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    EXPECT_THAT((*store)->DescribeTable("t").status().message(), HasSubstr("gateway [::1]:")) << url;
  }
}

TEST(ParseStoreUrl, TakesAddressAndPathApart) {
  const auto parsed = [](const std::string& url) { return ParseStoreUrl(url).value(); };
  EXPECT_EQ(parsed("embedded:/a b").directory, "/a b");
  const StoreUrl plain = parsed("hbase://h"), tls = parsed("hbases://[::1]:1"), https = parsed("hbase+https://h:2/p/q");
  EXPECT_EQ(plain.kind, StoreUrl::Kind::kHBase);
  EXPECT_EQ(plain.host + std::to_string(plain.port) + plain.http_path, "h9090");
  EXPECT_EQ(tls.kind, StoreUrl::Kind::kHBaseTls);
  EXPECT_EQ(tls.host + std::to_string(tls.port) + tls.http_path, "::11");
  EXPECT_EQ(https.kind, StoreUrl::Kind::kHBaseHttps);
  EXPECT_EQ(https.host + std::to_string(https.port) + https.http_path, "h2/p/q");
  EXPECT_EQ(parsed("hbase+https://h").http_path, "/");
}

TEST(OpenStore, RefusesWhatWouldProtectNothing) {
  OpenOptions with_tls, with_kerberos;
  with_tls.security.pems = [] { return GatewayPems(); };
  with_kerberos.security.kerberos_service = "hbase";
  EXPECT_EQ(OpenStore("hbase://h", with_tls).status().code(), StatusCode::kInvalidArgument);
  const auto spnego = OpenStore("hbase+https://h/", with_kerberos);
  EXPECT_EQ(spnego.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(spnego.status().message(), HasSubstr("auth-conf"));
  EXPECT_TRUE(OpenStore("hbases://h", with_kerberos).ok()) << "Kerberos goes by TLS, too";
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

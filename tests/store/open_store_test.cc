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
                          "thrift://",
                          "thrift://:9090",
                          "thrift://h:port",
                          "thrift://h:0",
                          "thrift://h:70000",
                          "thrift://h/x:1",
                          "thrift://[::1",
                          "thrift://[]:1",
                          "thrift://[::1]9090",
                          "thrift://[::1]:",
                          "kafka://h:1",
                          "thrifts://",
                          "thrifts://h/x",
                          "thrift+https:///x",
                          "thrift+https://h:0/",
                          "thrift+https://h:1/a b",
                          "thrift+http://h:1/",
                          "hbase://",
                          "hbase:///hbase",
                          "hbase://h/",
                          "hbase://h:0/hbase",
                          "hbase://h,i:x",
                          "hbases://",
                          "hbases://h/",
                          "hbase+tls://h:1"}) {
    const auto store = OpenStore(url);
    ASSERT_EQ(store.status().code(), StatusCode::kInvalidArgument) << url;
    EXPECT_THAT(store.status().message(), HasSubstr("Write one of: embedded:DIRECTORY, hbase://ZOOKEEPER:2181/hbase, "
                                                    "hbase://MASTER:16000, thrift://HOST:PORT, "))
        << url;
  }
}

TEST(OpenStore, TakesAddressesOfIpv6) {
  for (const char* url : {"thrift://[::1]:1", "thrift://[::1]"}) {
    const auto store = OpenStore(url, {.connections = 1});
    ASSERT_TRUE(store.ok()) << store.status().ToString();
    EXPECT_THAT((*store)->DescribeTable("t").status().message(), HasSubstr("gateway [::1]:")) << url;
  }
}

TEST(ParseStoreUrl, TakesAddressAndPathApart) {
  const auto parsed = [](const std::string& url) { return ParseStoreUrl(url).value(); };
  EXPECT_EQ(parsed("embedded:/a b").directory, "/a b");
  const StoreUrl plain = parsed("thrift://h"), tls = parsed("thrifts://[::1]:1"),
                 https = parsed("thrift+https://h:2/p/q");
  EXPECT_EQ(plain.kind, StoreUrl::Kind::kThrift);
  EXPECT_EQ(plain.host + std::to_string(plain.port) + plain.http_path, "h9090");
  EXPECT_EQ(tls.kind, StoreUrl::Kind::kThriftTls);
  EXPECT_EQ(tls.host + std::to_string(tls.port) + tls.http_path, "::11");
  EXPECT_EQ(https.kind, StoreUrl::Kind::kThriftHttps);
  EXPECT_EQ(https.host + std::to_string(https.port) + https.http_path, "h2/p/q");
  EXPECT_EQ(parsed("thrift+https://h").http_path, "/");
}

TEST(ParseStoreUrl, TellsAZooKeeperFromMastersByTheZnode) {
  using Servers = std::vector<std::pair<std::string, int>>;
  const StoreUrl zookeeper = ParseStoreUrl("hbase://zk1:2182,zk2,[::1]:2183/hbase/secure/").value();
  EXPECT_EQ(zookeeper.kind, StoreUrl::Kind::kHBase);
  EXPECT_EQ(zookeeper.znode, "/hbase/secure");
  EXPECT_EQ(zookeeper.servers, (Servers{{"zk1", 2182}, {"zk2", 2181}, {"::1", 2183}}));
  const StoreUrl masters = ParseStoreUrl("hbase://m1,m2:16001").value();
  EXPECT_EQ(masters.znode, "");
  EXPECT_EQ(masters.servers, (Servers{{"m1", 16000}, {"m2", 16001}}));
  const StoreUrl tls = ParseStoreUrl("hbases://zk1/hbase").value();
  EXPECT_EQ(tls.kind, StoreUrl::Kind::kHBaseTls);
  EXPECT_EQ(tls.servers, (Servers{{"zk1", 2181}}));
}

TEST(OpenStore, SaysThatNobodyListens) {
  const auto store = OpenStore("thrift://127.0.0.1:1", {.connect_timeout = std::chrono::milliseconds(500)});
  ASSERT_TRUE(store.ok()) << store.status().ToString();
  const Status status = (*store)->DescribeTable("t").status();
  EXPECT_EQ(status.code(), StatusCode::kUnavailable);
  EXPECT_THAT(status.message(), HasSubstr("127.0.0.1:1"));
}

TEST(OpenStore, RefusesWhatWouldProtectNothing) {
  OpenOptions with_tls, with_kerberos;
  with_tls.security.pems = [] { return TlsClientFiles(); };
  with_kerberos.security.kerberos_service = "hbase";
  EXPECT_EQ(OpenStore("thrift://h", with_tls).status().code(), StatusCode::kInvalidArgument);
  EXPECT_THAT(OpenStore("hbase://h", with_tls).status().message(), HasSubstr("which has none: write hbases://"));
  EXPECT_TRUE(OpenStore("hbases://h", with_tls).ok());
  EXPECT_TRUE(OpenStore("hbase://h", with_kerberos).ok());
  OpenOptions whole = with_kerberos, masters = with_kerberos, simple = with_kerberos;
  whole.security.kerberos_service = "hbase/_HOST@BANK";
  masters.security.kerberos_masters = "hbase";
  simple.security.allow_simple_auth = true;
  for (const OpenOptions& options : {whole, masters, simple}) {
    EXPECT_TRUE(OpenStore("hbase://h", options).ok());
    EXPECT_EQ(OpenStore("thrift://h", options).status().code(), StatusCode::kInvalidArgument);
  }
  const auto spnego = OpenStore("thrift+https://h/", with_kerberos);
  EXPECT_EQ(spnego.status().code(), StatusCode::kConfiguration);
  EXPECT_THAT(spnego.status().message(), HasSubstr("auth-conf"));
  EXPECT_TRUE(OpenStore("thrifts://h", with_kerberos).ok()) << "Kerberos goes by TLS, too";
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

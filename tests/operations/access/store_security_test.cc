// What the connection to a source cluster takes over from the connection to the index's cluster.
#include "operations/access/store_security.h"

#include <gmock/gmock.h>

#include "operations/access/stores.h"
#include "tests/support/matchers.h"

namespace fensi::operations {
namespace {

const StoreSecurityOptions kSecured = {.tls_ca_file = "ca",
                                       .tls_cert_file = "cert",
                                       .tls_key_file = "key",
                                       .kerberos_service = "hbase",
                                       .kerberos_masters = "hbase-master",
                                       .allow_simple_auth = true,
                                       .qop = Qop::kAuthInt,
                                       .qop_given = true};

StoreSecurityOptions Of(const std::string& store, const std::string& source, StoreSecurityOptions given = {}) {
  given.flags = "--source_store";
  return SecurityOfSource(kSecured, store, std::move(given), source);
}

TEST(SecurityOfSource, IsThatOfTheStoreAsFarAsTheUrlTakesIt) {
  const auto both = Of("hbases://zk1/hbase", "hbases://zk2/hbase");
  EXPECT_EQ(both.kerberos_service, "hbase");
  EXPECT_EQ(both.kerberos_masters, "hbase-master");
  EXPECT_EQ(both.qop, Qop::kAuthInt);
  EXPECT_EQ(both.tls_ca_file + both.tls_cert_file + both.tls_key_file, "cacertkey");
  EXPECT_FALSE(both.allow_simple_auth) << "a weaker login is never taken over";
  EXPECT_EQ(both.flags, "--source_store");
  const auto plain = Of("hbases://zk1/hbase", "hbase://zk2/hbase");
  EXPECT_EQ(plain.kerberos_service, "hbase");
  EXPECT_EQ(plain.tls_ca_file + plain.tls_cert_file + plain.tls_key_file, "");
  const auto gateway = Of("hbases://zk1/hbase", "thrift://gw:9090");
  EXPECT_EQ(gateway.kerberos_service, "hbase");
  EXPECT_EQ(gateway.kerberos_masters, "") << "a gateway has no masters";
  EXPECT_EQ(Of("hbases://zk1/hbase", "thrift+https://gw:9090/").kerberos_service, "") << "no SPNEGO";
  EXPECT_EQ(Of("hbase://zk1/hbase", "embedded:data").kerberos_service, "");
}

TEST(SecurityOfSource, WhatIsGivenComesBeforeIt) {
  const auto other = Of("hbases://zk1/hbase", "hbases://zk2/hbase",
                        {.tls_ca_file = "far-ca", .kerberos_service = "far", .qop = Qop::kAuth, .qop_given = true});
  EXPECT_EQ(other.kerberos_service, "far");
  EXPECT_EQ(other.kerberos_masters, "") << "the masters of the other cluster are not those of this one";
  EXPECT_EQ(other.qop, Qop::kAuth);
  EXPECT_EQ(other.tls_ca_file, "far-ca");
  EXPECT_EQ(other.tls_cert_file, "cert");
  const auto key_alone = Of("hbases://zk1/hbase", "hbases://zk2/hbase", {.tls_key_file = "far-key"});
  EXPECT_EQ(key_alone.tls_cert_file, "") << "a certificate comes with its key, so this is refused";
  const auto none = Of("hbase://zk1/hbase", "hbase://zk2/hbase", {.kerberos_service = kNoKerberos});
  EXPECT_EQ(none.kerberos_service, "");
  EXPECT_EQ(none.kerberos_masters, "");
  EXPECT_TRUE(StoreSecurity(none).ok());
}

TEST(SecurityOfSource, RefusalsNameTheFlagsOfTheSource) {
  EXPECT_THAT(StoreSecurity({.tls_cert_file = "cert", .flags = "--source_store"}).status().message(),
              HasSubstr("--source_store_tls_cert_file and --source_store_tls_key_file"));
  EXPECT_THAT(StoreSecurity({.qop_given = true, .flags = "--source_store"}).status().message(),
              HasSubstr("--source_store_qop requires --source_store_kerberos_service"));
}

StoreOptions Two(const std::string& store, const std::string& source) {
  StoreOptions options{.url = store};
  options.source.url = source;
  return options;
}

TEST(CheckSourceStore, OneStoreByTwoNamesIsRefused) {
  for (const auto& [one, other] :
       std::vector<std::pair<std::string, std::string>>{{"hbase://a:2181,b:2181/hbase", "hbase://b:2181/hbase"},
                                                        {"hbase://a/hbase", "hbases://a:2181/hbase/"},
                                                        {"hbase://m1:16000", "hbase://m2:16000,m1"},
                                                        {"thrift://gw:9090", "thrifts://gw:9090"},
                                                        {"thrift://gw", "thrift+https://gw:9090/x"},
                                                        {"embedded:data", "embedded:./data/"}}) {
    EXPECT_THAT(CheckSourceStore(Two(one, other)).message(), HasSubstr("they are one store")) << one << " " << other;
  }
  for (const auto& [one, other] : std::vector<std::pair<std::string, std::string>>{
           {"hbase://a:2181/hbase", "hbase://b:2181/hbase"},
           {"hbase://a:2181/hbase", "hbase://a:2181/other"},  // one ZooKeeper for two clusters
           {"hbase://a:2181/hbase", "thrift://a:9090"},
           {"thrift://gw:9090", "thrift://gw:9091"},
           {"embedded:data", "embedded:data2"}}) {
    EXPECT_TRUE(CheckSourceStore(Two(one, other)).ok()) << one << " " << other;
  }
}

TEST(CheckSourceStore, TheMetaTableIsNoSource) {
  StoreOptions options = WithSource(Two("hbase://a/hbase", "hbase://b/hbase"), {"orders", "fensi_meta"});
  EXPECT_THAT(CheckSourceStore(options).message(), HasSubstr("give the meta table another name"));
  options.meta_table = "other";
  EXPECT_TRUE(CheckSourceStore(options).ok());
}

TEST(SourceOf, IsTheStoreOfTheSourceWhereverThatIs) {
  EXPECT_EQ(SourceOf({.url = "hbase://a/hbase"}).url, "hbase://a/hbase");
  StoreOptions two = Two("hbase://a/hbase", "hbase://b/hbase");
  two.source.security.kerberos_service = "far";
  EXPECT_EQ(SourceOf(two).url, "hbase://b/hbase");
  EXPECT_EQ(SourceOf(two).security.kerberos_service, "far");
  EXPECT_EQ(SourceOf(two).source.url, "");
}

}  // namespace
}  // namespace fensi::operations

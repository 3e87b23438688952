// Each property that this librdkafka has is known: fensi decides it, or a person may set it. A newer version with more
// of them fails here until somebody has judged each.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <librdkafka/rdkafka.h>

#include <cstdio>
#include <cstdlib>
#include <set>
#include <sstream>

#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/kafka_source.h"
#include "tests/support/matchers.h"

namespace fensi::consumer {
namespace {

/// Those that change speed, addresses, security or words, and neither what is applied nor whose code runs.
const std::set<std::string>& FreeProperties() {
  static const std::set<std::string> free = {
      "api.version.fallback.ms",
      "api.version.request.timeout.ms",
      "batch.num.messages",
      "batch.size",
      "broker.address.family",
      "broker.address.ttl",
      "builtin.features",
      "client.id",
      "client.rack",
      "compression.codec",
      "compression.level",
      "compression.type",
      "connections.max.idle.ms",
      "consume.callback.max.messages",
      "coordinator.query.interval.ms",
      "debug",
      "delivery.timeout.ms",
      "enable.random.seed",
      "enable.sasl.oauthbearer.unsecure.jwt",
      "enable.ssl.certificate.verification",
      "fetch.error.backoff.ms",
      "fetch.max.bytes",
      "fetch.message.max.bytes",
      "fetch.min.bytes",
      "fetch.wait.max.ms",
      "heartbeat.interval.ms",
      "linger.ms",
      "log.connection.close",
      "log.thread.name",
      "log_level",
      "max.in.flight",
      "max.in.flight.requests.per.connection",
      "max.partition.fetch.bytes",
      "message.copy.max.bytes",
      "message.max.bytes",
      "message.send.max.retries",
      "message.timeout.ms",
      "offset.store.sync.interval.ms",
      "produce.offset.report",
      "queue.buffering.backpressure.threshold",
      "queue.buffering.max.kbytes",
      "queue.buffering.max.messages",
      "queue.buffering.max.ms",
      "queued.min.messages",
      "receive.message.max.bytes",
      "reconnect.backoff.jitter.ms",
      "reconnect.backoff.max.ms",
      "reconnect.backoff.ms",
      "request.timeout.ms",
      "retries",
      "retry.backoff.ms",
      "sasl.kerberos.service.name",
      "sasl.mechanism",
      "sasl.mechanisms",
      "sasl.oauthbearer.client.id",
      "sasl.oauthbearer.client.secret",
      "sasl.oauthbearer.config",
      "sasl.oauthbearer.extensions",
      "sasl.oauthbearer.method",
      "sasl.oauthbearer.scope",
      "sasl.oauthbearer.token.endpoint.url",
      "sasl.password",
      "sasl.username",
      "security.protocol",
      "socket.blocking.max.ms",
      "socket.connection.setup.timeout.ms",
      "socket.keepalive.enable",
      "socket.max.fails",
      "socket.nagle.disable",
      "socket.receive.buffer.bytes",
      "socket.send.buffer.bytes",
      "socket.timeout.ms",
      "ssl.ca.certificate.stores",
      "ssl.ca.location",
      "ssl.ca.pem",
      "ssl.certificate.location",
      "ssl.certificate.pem",
      "ssl.cipher.suites",
      "ssl.crl.location",
      "ssl.curves.list",
      "ssl.endpoint.identification.algorithm",
      "ssl.key.location",
      "ssl.key.password",
      "ssl.key.pem",
      "ssl.keystore.location",
      "ssl.keystore.password",
      "ssl.providers",
      "ssl.sigalgs.list",
      "sticky.partitioning.linger.ms",
      "topic.metadata.propagation.max.ms",
      "topic.metadata.refresh.fast.cnt",
      "topic.metadata.refresh.interval.ms",
      "topic.metadata.refresh.sparse",
      "transaction.timeout.ms",
  };
  return free;
}

/// As librdkafka prints them: "name | C/P | …". Pointers of programs are refused by librdkafka itself.
std::set<std::string> PropertiesOfTheLibrary() {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  rd_kafka_conf_properties_show(out);
  std::fclose(out);
  std::istringstream lines(std::string(text, size));
  std::free(text);
  std::set<std::string> names;
  for (std::string line; std::getline(lines, line);) {
    const std::string name = line.substr(0, line.find(' '));
    rd_kafka_conf_t* config = rd_kafka_conf_new();
    char error[512];
    const bool known = line.find('|') != std::string::npos &&
                       rd_kafka_conf_set(config, name.c_str(), nullptr, error, sizeof error) != RD_KAFKA_CONF_UNKNOWN;
    // A pointer is refused with its setter's name, a text that is wrong with what it may be.
    const bool pointer = rd_kafka_conf_set(config, name.c_str(), "x", error, sizeof error) != RD_KAFKA_CONF_OK &&
                         (std::string(error).find("_set_") != std::string::npos ||
                          std::string(error).find("nternal") != std::string::npos);
    rd_kafka_conf_destroy(config);
    if (known && !pointer) names.insert(name);
  }
  return names;
}

Status StatusWith(const std::string& name, const std::string& value) {
  KafkaSourceOptions options;
  options.cluster = {"127.0.0.1:1", {{name, value}}};
  options.topic = "changes";
  options.group = "g";
  return KafkaSource::Create(options).status();
}

TEST(OwnPropertiesTest, EachPropertyOfTheLibraryHasBeenJudged) {
  const std::set<std::string> all = PropertiesOfTheLibrary();
  EXPECT_GT(all.size(), 100u);
  for (const std::string& name : all) {
    const bool own = OwnProperties().contains(name);
    EXPECT_NE(own, FreeProperties().contains(name)) << name << (own ? " is both" : " is neither");
  }
}

TEST(OwnPropertiesTest, ThoseForTestsOfTheLibraryAreRefusedAlsoOfNewerOnes) {
  for (const char* name : {"test.mock.num.brokers", "test.mock.broker.rtt", "test.of.a.newer.version",
                           "internal.termination.signal", "internal.of.a.newer.version"}) {
    EXPECT_EQ(StatusWith(name, "3").code(), StatusCode::kInvalidArgument) << name;
    EXPECT_THAT(StatusWith(name, "3").message(), HasSubstr(std::string("\"") + name + "\" is ")) << name;
  }
}

TEST(OwnPropertiesTest, NoForeignCodeIsLoaded) {
  for (const char* name : {"plugin.library.paths", "ssl.engine.location", "ssl.engine.id"}) {
    EXPECT_THAT(StatusWith(name, "/tmp/x.so").message(), HasSubstr("foreign code would run in fensi")) << name;
  }
  for (const char* providers : {"/tmp/x", "default,../x", "x"}) {
    EXPECT_THAT(StatusWith("ssl.providers", providers).message(), HasSubstr("foreign code would run")) << providers;
  }
  EXPECT_EQ(ValidateProperty("ssl.providers", "default, legacy", 45'000), "");
}

}  // namespace
}  // namespace fensi::consumer

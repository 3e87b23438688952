// Settings of librdkafka: a person's first, ours where they must not be changed.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "base/status.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

/// Which brokers, and how to talk to them.
struct KafkaCluster {
  std::string brokers;                            // "host:port,host:port"
  std::map<std::string, std::string> properties;  // any librdkafka setting that fensi does not decide itself
};

/// Where a setting comes from when a person has not set it.
using Defaults = std::map<std::string, std::string>;
/// Settings that decide about correctness; a person who sets one of them is refused.
using Fixed = std::map<std::string, std::string>;

/// What librdkafka would write to stderr by itself: "FACILITY: text".
using ClientLog = void (*)(const std::string& text);
/// Where that goes, from now on and for all clients; called from their threads. Nowhere unless somebody asks: what
/// matters comes back as errors.
void SetClientLog(ClientLog log);

/// kInvalidArgument names every property that is unknown, bad or not allowed, all at once. Messages name properties,
/// never their values.
Result<ConfHandle> MakeConfig(const KafkaCluster& cluster, const Defaults& defaults, const Fixed& fixed);

/// The library knows a property of that name, of a client or of a topic.
bool IsProperty(const std::string& name);

/// For people: "librdkafka 2.0.2", the library that is in use.
std::string ClientVersion();
/// What it was built with, as it names that: {"gzip", "sasl_gssapi", "ssl", …}.
std::vector<std::string> ClientFeatures();
/// Whether it proves a password by SCRAM in a way that Kafka 4 refuses (its pull request 4895), and that as a sentence.
bool ScramIsWrong();
std::string ScramWarning();
/// What that version cannot do with these settings, and the way out; empty: nothing.
std::string ClientWarning(const KafkaCluster& cluster);

/// A client of the given type; takes the configuration.
Result<ClientHandle> MakeClient(rd_kafka_type_t type, ConfHandle config);

}  // namespace fensi::consumer

// Builds librdkafka configurations: a person's settings first, fensi's where they must not be changed.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

// Settings of librdkafka that fensi decides itself, because with others events could be lost, applied wrongly or never
// read.

/// Property -> what would happen if a person could set it.
const std::map<std::string_view, std::string_view>& OwnProperties();

/// True for a password or a key.
bool IsSecret(std::string_view name);

/// The error in the value of a property that a person may set within limits; empty: valid.
std::string ValidateProperty(const std::string& name, const std::string& value, int64_t session_timeout_ms);

// Settings of a librdkafka client.

/// The brokers of a cluster, and how to connect to them.
struct KafkaCluster {
  std::string brokers;                            // "host:port,host:port"
  std::map<std::string, std::string> properties;  // any librdkafka setting that fensi does not decide itself
};

/// Settings that a person may override.
using Defaults = std::map<std::string, std::string>;
/// Settings that decide about correctness; a person must not set them.
using Fixed = std::map<std::string, std::string>;

/// A line that librdkafka would write to stderr: "FACILITY: text".
using ClientLog = void (*)(const std::string& text);
/// Sets the log of all clients, from now on; called from their threads. The default is none, because important errors
/// are returned.
void SetClientLog(ClientLog log);

/// kInvalidArgument names every property that is unknown, bad or not allowed, all at once. Messages name properties,
/// never their values.
Result<ConfHandle> MakeConfig(const KafkaCluster& cluster, const Defaults& defaults, const Fixed& fixed);

/// The library knows a property of that name, of a client or of a topic.
bool IsProperty(const std::string& name);

/// "librdkafka 2.0.2", the library that is in use, for people.
std::string ClientVersion();
/// Features of the library by its own names: {"gzip", "sasl_gssapi", "ssl", …}.
std::vector<std::string> ClientFeatures();
/// True if the library proves a password by SCRAM in a way that Kafka 4 refuses (its pull request 4895); and that as a
/// sentence.
bool ScramIsWrong();
std::string ScramWarning();
/// What this library version cannot do with these settings, and the remedy; empty: nothing.
std::string ClientWarning(const KafkaCluster& cluster);

/// A client of the given type; takes the configuration.
Result<ClientHandle> MakeClient(rd_kafka_type_t type, ConfHandle config);

}  // namespace fensi::consumer

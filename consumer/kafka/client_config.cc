#include "consumer/kafka/client_config.h"

#include <array>
#include <atomic>
#include <cstdlib>

#include "base/split_list.h"
#include "consumer/kafka/own_properties.h"

namespace fensi::consumer {
namespace {

constexpr size_t kErrorBytes = 512;
constexpr int64_t kDefaultSessionMs = 45'000;

/// What the library says of a setting, which names its value in one of two ways.
std::string WithoutValue(std::string error, const std::string& name, const std::string& value) {
  if (value.size() > kErrorBytes / 4)
    return "Invalid value for configuration property \"" + name + "\"";  // it may be cut
  for (const std::string& named : {" \"" + value + "\"", " value " + value + " "}) {
    if (const size_t at = error.find(named); at != std::string::npos) {
      return error.replace(at, named.size(), named.ends_with(' ') ? " " : "");
    }
  }
  return error;
}

std::atomic<ClientLog> client_log = nullptr;

void Relay(const rd_kafka_t*, int, const char* facility, const char* text) {
  if (const ClientLog log = client_log) log(std::string(facility) + ": " + text);
}

/// The library waits without end for a token that nobody is told to fetch. Empty: it has all that it needs.
std::string FaultOfOauth(const std::map<std::string, std::string>& properties) {
  const auto is = [&](const char* name, std::string_view value) {
    const auto found = properties.find(name);
    return found != properties.end() && found->second == value;
  };
  if (!is("sasl.mechanism", "OAUTHBEARER") && !is("sasl.mechanisms", "OAUTHBEARER")) return "";
  if (is("sasl.oauthbearer.method", "oidc") || is("enable.sasl.oauthbearer.unsecure.jwt", "true")) return "";
  return "OAUTHBEARER needs a place to get its token from: set sasl.oauthbearer.method=oidc, "
         "sasl.oauthbearer.token.endpoint.url, sasl.oauthbearer.client.id and sasl.oauthbearer.client.secret";
}

class Builder {
 public:
  void Set(const std::string& name, const std::string& value) {
    char error[kErrorBytes] = "";
    if (rd_kafka_conf_set(config_.get(), name.c_str(), value.c_str(), error, sizeof error) != RD_KAFKA_CONF_OK) {
      Fault(WithoutValue(error, name, value));
    }
  }
  void Fault(const std::string& text) { faults_ += (faults_.empty() ? "" : "; ") + text; }

  Result<ConfHandle> Finish() {
    if (!faults_.empty()) return Status(StatusCode::kInvalidArgument, "kafka properties: " + faults_);
    return std::move(config_);
  }
  rd_kafka_conf_t* config() { return config_.get(); }

 private:
  ConfHandle config_{rd_kafka_conf_new()};
  std::string faults_;
};

}  // namespace

Result<ConfHandle> MakeConfig(const KafkaCluster& cluster, const Defaults& defaults, const Fixed& fixed) {
  Builder builder;
  builder.Set("bootstrap.servers", cluster.brokers);
  builder.Set("client.id", "fensi");
  builder.Set("socket.keepalive.enable", "true");
  // Requests are few and small: none waits until the one before is acknowledged. (Java's client does the same.)
  builder.Set("socket.nagle.disable", "true");
  builder.Set("reconnect.backoff.max.ms", "2000");
  builder.Set("sasl.kerberos.min.time.before.relogin",
              "0");  // no shell with kinit: GSSAPI finds keytab and ticket itself
  for (const auto& [name, value] : defaults) builder.Set(name, value);
  const auto session = fixed.find("session.timeout.ms");
  const int64_t session_ms = session == fixed.end() ? kDefaultSessionMs : std::atoll(session->second.c_str());
  for (const auto& [name, value] : cluster.properties) {
    const auto own = OwnProperties().find(name);
    const std::string fault = FaultOfProperty(name, value, session_ms);
    if (own != OwnProperties().end()) {
      builder.Fault("\"" + name + "\" is decided by fensi and cannot be set: " + std::string(own->second));
    } else if (!fault.empty()) {
      builder.Fault(fault);
    } else if (fixed.contains(name)) {
      builder.Fault("\"" + name + "\" is decided by fensi and cannot be set");
    } else {
      builder.Set(name, value);
    }
  }
  if (const std::string fault = FaultOfOauth(cluster.properties); !fault.empty()) builder.Fault(fault);
  for (const auto& [name, value] : fixed) builder.Set(name, value);
  rd_kafka_conf_set_log_cb(builder.config(), Relay);
  return builder.Finish();
}

bool IsProperty(const std::string& name) {
  const ConfHandle config(rd_kafka_conf_new());
  char error[kErrorBytes];
  return rd_kafka_conf_set(config.get(), name.c_str(), nullptr, error, sizeof error) != RD_KAFKA_CONF_UNKNOWN;
}

void SetClientLog(ClientLog log) { client_log = log; }

std::string ClientVersion() { return std::string("librdkafka ") + rd_kafka_version_str(); }

std::vector<std::string> ClientFeatures() {
  const ConfHandle config(rd_kafka_conf_new());
  std::array<char, 1024> features{};
  size_t size = features.size();
  if (rd_kafka_conf_get(config.get(), "builtin.features", features.data(), &size) != RD_KAFKA_CONF_OK) return {};
  return SplitList(features.data());
}

bool ScramIsWrong() {
  constexpr int kScramIsRight = 0x02060100;
  return rd_kafka_version() < kScramIsRight;
}

std::string ScramWarning() {
  return ClientVersion() +
         " and Kafka 4 do not understand each other's SCRAM; take librdkafka 2.6.1 or newer, or another "
         "mechanism";
}

std::string ClientWarning(const KafkaCluster& cluster) {
  for (const char* name : {"sasl.mechanism", "sasl.mechanisms"}) {
    const auto mechanism = cluster.properties.find(name);
    if (mechanism == cluster.properties.end() || !mechanism->second.starts_with("SCRAM")) continue;
    if (ScramIsWrong()) return ScramWarning();
  }
  return "";
}

Result<ClientHandle> MakeClient(rd_kafka_type_t type, ConfHandle config) {
  char error[kErrorBytes] = "";
  rd_kafka_t* client = rd_kafka_new(type, config.get(), error, sizeof error);
  if (client == nullptr) return Status(StatusCode::kConfiguration, std::string("kafka client: ") + error);
  (void)config.release();  // the client owns it now
  return ClientHandle(client);
}

}  // namespace fensi::consumer

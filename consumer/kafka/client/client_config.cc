#include "consumer/kafka/client/client_config.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <optional>

#include "base/text.h"

namespace fensi::consumer {
namespace {

// A heartbeat must have three chances in a session.
constexpr int64_t kHeartbeatsInASession = 3;
constexpr int64_t kLongestRefreshMs = 300'000;
constexpr std::string_view kUnread = "leave it out, or log messages would wait in a queue that fensi does not read";
constexpr std::string_view kCode = "leave it out, or foreign code would run in fensi";

}  // namespace

const std::map<std::string_view, std::string_view>& OwnProperties() {
  constexpr std::string_view kPlace = "leave it out, because --source, --kafka or the mapping file sets it";
  constexpr std::string_view kOffsets = "leave it out, or offsets would move without fensi";
  constexpr std::string_view kOrder = "leave it out, or messages could be lost or change their order";
  constexpr std::string_view kMembers = "leave it out, or Kafka would choose the owners of partitions in another way";
  constexpr std::string_view kBrokers = "leave it out, or fensi would not find a moved partition or a new broker";
  constexpr std::string_view kVersions = "leave it out, or requests would have versions that lack features";
  constexpr std::string_view kTickets = "leave it out, and use --kerberos_keytab";
  static const std::map<std::string_view, std::string_view> own = {
      {"acks", kOrder},
      {"allow.auto.create.topics", "leave it out, or brokers would create a missing topic with their default settings"},
      {"api.version.request", kVersions},
      {"auto.commit.enable", kOffsets},
      {"auto.commit.interval.ms", kOffsets},
      {"auto.offset.reset", "leave it out, or fensi would not notice events that Kafka has deleted"},
      {"bootstrap.servers", kPlace},
      {"broker.version.fallback", kVersions},
      {"check.crcs", "leave it out, or fensi would apply a damaged message"},
      {"delivery.report.only.error", "leave it out, or fensi would never learn which messages Kafka has"},
      {"enable.auto.commit", kOffsets},
      {"enable.auto.offset.store", kOffsets},
      {"enable.gapless.guarantee", kOrder},
      {"enable.idempotence", kOrder},
      {"enabled_events", kUnread},
      {"enable.partition.eof", "leave it out, or fensi would not see the end of a log"},
      {"group.id", kPlace},
      {"group.instance.id", kMembers},
      {"group.protocol", kMembers},
      {"group.protocol.type", kMembers},
      {"group.remote.assignor", kMembers},
      {"internal.termination.signal", "leave it out, or a signal would end fensi"},
      {"isolation.level", "leave it out, or fensi would apply events of aborted transactions"},
      {"log.queue", kUnread},
      {"max.poll.interval.ms", kMembers},
      {"metadata.broker.list", kPlace},
      {"metadata.max.age.ms", kBrokers},
      {"offset.store.method", kOffsets},
      {"offset.store.path", kOffsets},
      {"partition.assignment.strategy", kMembers},
      {"partitioner", "leave it out, or the changes of a row would lose their order"},
      {"plugin.library.paths", kCode},
      {"queuing.strategy", kOrder},
      {"queued.max.messages.kbytes", "use --max_queued_mb"},
      {"request.required.acks", kOrder},
      {"sasl.kerberos.keytab", kTickets},
      {"sasl.kerberos.kinit.cmd", kTickets},
      {"sasl.kerberos.min.time.before.relogin", kTickets},
      {"sasl.kerberos.principal", "use --kerberos_principal"},
      {"session.timeout.ms", "use --kafka_session_timeout_ms"},
      {"ssl.engine.id", kCode},
      {"ssl.engine.location", kCode},
      {"statistics.interval.ms", "leave it out, or fensi would not notice a silent coordinator of the group"},
      {"topic.blacklist", "leave it out, or a topic of fensi would seem to be missing"},
      {"topic.metadata.refresh.fast.interval.ms", kBrokers},
      {"transactional.id", kOrder},
  };
  return own;
}

/// By the words that librdkafka's names have, so that those of newer versions are among them.
bool IsSecret(std::string_view name) {
  if (name == "ssl.key.pem" || name == "sasl.jaas.config") return true;
  constexpr std::string_view kWords[] = {"password", "secret", "passphrase", "private.key.pem"};
  return std::any_of(std::begin(kWords), std::end(kWords),
                     [name](std::string_view word) { return name.find(word) != std::string_view::npos; });
}

std::string ValidateProperty(const std::string& name, const std::string& value, int64_t session_timeout_ms) {
  constexpr std::string_view kProviders[] = {"base", "default", "fips", "legacy", "null"};
  const std::optional<int64_t> number = ParseWhole<int64_t>(value);
  const std::string is = "\"" + name + "\" is ";
  if (name == "heartbeat.interval.ms" && number && *number * kHeartbeatsInASession > session_timeout_ms) {
    return is + "above a third of the session timeout of " + std::to_string(session_timeout_ms) +
           " ms, so the group could give the partitions to another daemon: set it to at most " +
           std::to_string(session_timeout_ms / kHeartbeatsInASession);
  }
  if (name == "topic.metadata.refresh.interval.ms" && number && (*number < 10 || *number > kLongestRefreshMs)) {
    return is + "not between 10 and " + std::to_string(kLongestRefreshMs) +
           " ms: with another value, fensi would not find a moved partition or a new broker";
  }
  if (name == "ssl.providers") {
    for (const std::string& provider : SplitList(value)) {
      if (std::find(std::begin(kProviders), std::end(kProviders), Trimmed(provider)) != std::end(kProviders)) continue;
      return is +
             "not a list of OpenSSL's own providers (base, default, fips, legacy, null). Leave out others, or foreign "
             "code would run in fensi";
    }
  }
  // Such as test.mock.num.brokers, by which brokers of a test would take the place of yours; newer versions have more.
  if (name.starts_with("test.") || name.starts_with("internal.")) {
    return "\"" + name + "\" is for tests of librdkafka: leave it out";
  }
  return "";
}

namespace {

constexpr size_t kErrorBytes = 512;
constexpr int64_t kDefaultSessionMs = 45'000;

/// The library's text about a setting, which has the setting's value in one of two forms.
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
    const auto result = rd_kafka_conf_set(config_.get(), name.c_str(), value.c_str(), error, sizeof error);
    if (result == RD_KAFKA_CONF_UNKNOWN) {
      Fault("librdkafka has no setting \"" + name + "\": correct its name, or leave it out");
    } else if (result != RD_KAFKA_CONF_OK) {
      Fault(WithoutValue(error, name, value));
    }
  }
  void Fault(const std::string& text) { faults_ += (faults_.empty() ? "" : "; ") + text; }

  Result<ConfHandle> Finish() {
    if (!faults_.empty())
      return Status(StatusCode::kInvalidArgument, "settings of Kafka (--kafka_property): " + faults_);
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
    const std::string fault = ValidateProperty(name, value, session_ms);
    if (own != OwnProperties().end()) {
      builder.Fault("\"" + name + "\" is decided by fensi and cannot be set: " + std::string(own->second));
    } else if (!fault.empty()) {
      builder.Fault(fault);
    } else if (fixed.contains(name)) {
      builder.Fault("\"" + name + "\" is decided by fensi and cannot be set: leave it out");
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
         " cannot log in to Kafka 4 by SCRAM: install librdkafka 2.6.1 or newer, or use another mechanism";
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
  if (client == nullptr)
    return Status(StatusCode::kConfiguration, std::string("cannot create the Kafka client: ") + error +
                                                  ". Correct --kafka_property_file or --kafka_property");
  (void)config.release();  // the client owns it now
  return ClientHandle(client);
}

}  // namespace fensi::consumer

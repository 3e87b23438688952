#include "consumer/kafka/client_config.h"

#include <set>

namespace fensi::consumer {
namespace {

constexpr size_t kErrorBytes = 512;

/// Settings that have a place of their own, and such that would let offsets move without fensi.
const std::set<std::string>& Reserved() {
  static const std::set<std::string> reserved = {"auto.offset.reset",
                                                 "bootstrap.servers",
                                                 "enable.auto.commit",
                                                 "enable.auto.offset.store",
                                                 "enable.idempotence",
                                                 "enable.partition.eof",
                                                 "group.id",
                                                 "group.protocol",
                                                 "metadata.broker.list",
                                                 "partition.assignment.strategy",
                                                 "partitioner",
                                                 "acks",
                                                 "request.required.acks",
                                                 "session.timeout.ms",
                                                 "statistics.interval.ms",
                                                 "transactional.id"};
  return reserved;
}

class Builder {
 public:
  void Set(const std::string& name, const std::string& value) {
    char error[kErrorBytes] = "";
    if (rd_kafka_conf_set(config_.get(), name.c_str(), value.c_str(), error, sizeof error) != RD_KAFKA_CONF_OK) {
      Fault(error);
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
  builder.Set("reconnect.backoff.max.ms", "2000");
  for (const auto& [name, value] : defaults) builder.Set(name, value);
  for (const auto& [name, value] : cluster.properties) {
    if (Reserved().contains(name) || fixed.contains(name)) {
      builder.Fault("\"" + name + "\" is decided by fensi and cannot be set");
    } else {
      builder.Set(name, value);
    }
  }
  for (const auto& [name, value] : fixed) builder.Set(name, value);
  rd_kafka_conf_set_log_cb(builder.config(), nullptr);
  return builder.Finish();
}

Result<ClientHandle> MakeClient(rd_kafka_type_t type, ConfHandle config) {
  char error[kErrorBytes] = "";
  rd_kafka_t* client = rd_kafka_new(type, config.get(), error, sizeof error);
  if (client == nullptr) return Status(StatusCode::kInvalidArgument, std::string("kafka client: ") + error);
  (void)config.release();  // the client owns it now
  return ClientHandle(client);
}

}  // namespace fensi::consumer

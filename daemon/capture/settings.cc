#include "daemon/capture/settings.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "admin/address.h"
#include "base/hbase_limits.h"
#include "base/text.h"
#include "base/who.h"
#include "operations/access/secret_file.h"

namespace fensi::daemon {
namespace {

using capture::CaptureOptions;
using capture::Endpoint;

constexpr std::string_view kTablePlace = "{table}";
// As much again for what a message takes beside its bytes.
constexpr size_t kQueuedBytes = 32 << 20;
constexpr char kDeadLetterTopic[] = "fensi-capture.dead";

std::vector<Endpoint> Endpoints(const CaptureSettings& settings) {
  std::vector<Endpoint> endpoints;
  for (const std::string& address : settings.listen) {
    const Result<admin::Address> parsed = admin::ParseAddress(address);  // the flag's rule has seen it
    endpoints.push_back({parsed->host, parsed->port});
  }
  return endpoints;
}

/// By which region servers reach us: what a person says, the address we listen on, or the machine's name.
std::string AnnouncedHost(const CaptureSettings& settings, const std::vector<Endpoint>& endpoints) {
  if (!settings.announce.empty()) return settings.announce;
  const std::string& first = endpoints.front().host;
  return first != "0.0.0.0" && first != "::" ? first : MachineName();
}

}  // namespace

std::string Machine() {
  std::string boot;
  std::getline(std::ifstream("/proc/sys/kernel/random/boot_id"), boot);
  std::error_code absent;
  return MachineName() + " " + boot + " " + std::filesystem::read_symlink("/proc/self/ns/net", absent).string();
}

std::string TopicOfTable(const std::string& pattern, const std::string& table) {
  const std::string name = fensi::TopicOfTable(table);
  std::string topic = pattern;
  const size_t place = topic.find(kTablePlace);
  return place == std::string::npos ? topic : topic.replace(place, kTablePlace.size(), name);
}

std::string ClusterKey(const std::string& zookeeper, const std::string& root) {
  std::vector<std::string> servers = SplitList(zookeeper);
  std::string hosts;
  std::string common;
  bool same = true;
  for (const std::string& server : servers) {
    const std::string port = server.substr(server.rfind(':') + 1);
    same = same && (common.empty() || common == port);
    common = port;
  }
  for (const std::string& server : servers) {
    hosts += (hosts.empty() ? "" : ",") + (same ? server.substr(0, server.rfind(':')) : server);
  }
  return hosts + ":" + common + ":" + root;
}

Result<std::vector<std::string>> ParseTableNames(const std::vector<std::string>& names) {
  std::vector<std::string> tables;
  for (const std::string& name : names) {
    FENSI_ASSIGN_OR_RETURN(std::string table, ParseTableName(name));
    if (std::find(tables.begin(), tables.end(), table) != tables.end()) {
      return Status(StatusCode::kInvalidArgument, "table " + table + " is named twice: name it once");
    }
    tables.push_back(std::move(table));
  }
  return tables;
}

Result<hbase::SessionOptions> ZooKeeperSettings(const CaptureSettings& settings) {
  hbase::SessionOptions options;
  options.hosts = settings.zookeeper;
  options.connect_timeout = settings.connect_timeout;
  if (settings.zookeeper_auth_file.empty()) return options;
  Result<std::string> line = operations::ReadSecretLine(settings.zookeeper_auth_file);
  if (!line.ok()) return line.status().WithContext("--zookeeper_auth_file");
  const size_t colon = line->find(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == line->size()) {
    return Status(StatusCode::kConfiguration, "--zookeeper_auth_file: " + settings.zookeeper_auth_file +
                                                  ": the line is not USER:PASSWORD. Write one line such as "
                                                  "fensi:SECRET into the file");
  }
  options.digest = std::move(*line);
  return options;
}

Result<std::unique_ptr<hbase::ZooKeeperSession>> OpenZooKeeperBriefly(const CaptureSettings& settings) {
  constexpr std::chrono::milliseconds kTimeout(3'000);
  FENSI_ASSIGN_OR_RETURN(hbase::SessionOptions options, ZooKeeperSettings(settings));
  options.session_timeout = options.connect_timeout = kTimeout;
  return hbase::OpenZooKeeper(options);
}

namespace {

/// Neither the znode nor a topic has another use.
Status CheckPlaces(const CaptureSettings& settings, const std::vector<std::string>& tables) {
  if (settings.hbase_znode == settings.znode) {
    return Status(StatusCode::kInvalidArgument,
                  "--znode " + settings.znode + " is the znode of the source HBase itself (--hbase_znode " +
                      settings.hbase_znode + "). Give the capture a --znode of its own, such as /fensi");
  }
  for (const std::string& table : tables) {
    if (TopicOfTable(settings.topic, table) != kDeadLetterTopic) continue;
    return Status(StatusCode::kInvalidArgument,
                  "--topic " + settings.topic + ": the changes of table " + table + " would go to " + kDeadLetterTopic +
                      ", where the capture writes its dead letters. Name another --topic");
  }
  return Status();
}

}  // namespace

Result<CaptureOptions> OptionsOfCapture(const CaptureSettings& settings, const std::vector<std::string>& tables) {
  CaptureOptions options;
  FENSI_RETURN_IF_ERROR(CheckPlaces(settings, tables));
  FENSI_ASSIGN_OR_RETURN(hbase::SessionOptions zookeeper, ZooKeeperSettings(settings));
  options.registration.zookeeper = std::move(zookeeper);
  for (const std::string& table : tables) {
    options.publisher.topics.emplace(table, TopicOfTable(settings.topic, table));
  }
  options.server.endpoints = Endpoints(settings);
  options.server.allow_from = settings.allow_from;
  options.server.max_connections = static_cast<size_t>(settings.max_connections);
  options.server.max_frame_bytes = static_cast<size_t>(settings.frame_mb) << 20;
  options.server.max_bytes = static_cast<size_t>(settings.calls_mb) << 20;
  FENSI_ASSIGN_OR_RETURN(std::optional<capture::TlsPems> tls, ReadCertificates(settings.tls));
  if (tls.has_value()) FENSI_RETURN_IF_ERROR(capture::TlsContext::Create(*tls).status());
  options.server.tls = std::move(tls);
  FENSI_ASSIGN_OR_RETURN(std::optional<capture::KerberosOptions> kerberos, ReadKerberos(settings.kerberos));
  options.server.kerberos = std::move(kerberos);
  options.publisher.dead_letter_topic = kDeadLetterTopic;
  FENSI_ASSIGN_OR_RETURN(capture::ColumnSet may_be_large, capture::ColumnSet::Parse(settings.may_be_large));
  options.publisher.may_be_large = std::move(may_be_large);
  options.publisher.workers = static_cast<size_t>(settings.workers);
  options.publisher.kafka.producer.cluster = settings.kafka;
  options.publisher.kafka.producer.max_queued_bytes = kQueuedBytes;
  // Nothing waits for more: librdkafka 2.0 would wait a millisecond at least, an eighth of what an edit takes until an
  // index shows it. While requests are under way, a backlog fills the next ones by itself.
  options.publisher.kafka.producer.linger = std::chrono::milliseconds(0);
  // A call is given up by its own deadline; what it sent stays on its way, so that a slow link gets on.
  options.publisher.kafka.producer.delivery_timeout = std::chrono::minutes(5);
  options.publisher.kafka.max_message_bytes = static_cast<size_t>(settings.message_kb) * 1000;
  options.registration.root = settings.znode;
  options.marks.period = settings.mark_period;
  options.marks.members.hbase_root = settings.hbase_znode;
  options.marks.kafka = options.publisher.kafka;
  for (const std::string& table : settings.drop) options.registration.drop.insert(*ParseTableName(table));
  options.registration.host = AnnouncedHost(settings, options.server.endpoints);
  options.registration.listener = Machine();
  return options;
}

std::vector<consumer::TopicSpec> CaptureTopics(const CaptureSettings& settings, const CaptureOptions& options) {
  std::vector<consumer::TopicSpec> topics;
  for (const auto& [table, topic] : options.publisher.topics) {
    topics.push_back(operations::StreamTopic(topic, settings.partitions, settings.replication));
  }
  topics.push_back(operations::DeadLetterTopic(options.publisher.dead_letter_topic, settings.replication));
  return topics;
}

Status CheckMessageLimit(const operations::TopicPlan& plan, int64_t message_bytes) {
  if (!plan.exists || plan.found.max_message_bytes.value_or(INT64_MAX) >= message_bytes) return Status();
  return Status(StatusCode::kConfiguration,
                "topic " + plan.wanted.name + " takes messages of up to " +
                    std::to_string(*plan.found.max_message_bytes) +
                    " bytes (max.message.bytes), and --message_kb allows messages of " + std::to_string(message_bytes) +
                    " bytes. Lower --message_kb, or enter: kafka-configs.sh --bootstrap-server HOST:PORT --alter "
                    "--entity-type topics --entity-name " +
                    plan.wanted.name + " --add-config max.message.bytes=" + std::to_string(message_bytes));
}

Status RaiseFileLimit(size_t connections) {
  constexpr rlim_t kOthers = 256;  // of Kafka, ZooKeeper, the log
  const rlim_t wanted = connections + kOthers;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return Status();
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (limit.rlim_cur == wanted && setrlimit(RLIMIT_NOFILE, &limit) == 0) return Status();
  return Status(StatusCode::kConfiguration,
                "--max_connections " + std::to_string(connections) + " needs " + std::to_string(wanted) +
                    " open files, and the process may open " + std::to_string(limit.rlim_max) +
                    " (ulimit -Hn). Raise this limit, with systemd by LimitNOFILE=, or lower "
                    "--max_connections");
}

}  // namespace fensi::daemon

#include "cli/capture/settings.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "admin/address.h"
#include "base/split_list.h"
#include "base/table_name.h"
#include "cli/access/kafka.h"
#include "cli/access/secret_file.h"
#include "cli/capture/certificates.h"
#include "cli/flags/flags.h"
#include "cli/program/who.h"

namespace fensi::cli {
namespace {

using capture::CaptureOptions;
using capture::Endpoint;

constexpr std::string_view kTablePlace = "{table}";
// As much again for what a message takes beside its bytes.
constexpr size_t kQueuedBytes = 32 << 20;
constexpr char kDeadLetterTopic[] = "fensi-capture.dead";

std::vector<Endpoint> Endpoints() {
  std::vector<Endpoint> endpoints;
  for (const std::string& address : SplitList(FLAGS_listen)) {
    const Result<admin::Address> parsed = admin::ParseAddress(address);  // the flag's rule has seen it
    endpoints.push_back({parsed->host, parsed->port});
  }
  return endpoints;
}

/// By which region servers reach us: what a person says, the address we listen on, or the machine's name.
std::string AnnouncedHost(const std::vector<Endpoint>& endpoints) {
  if (!FLAGS_announce.empty()) return FLAGS_announce;
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
    Result<std::string> table = ParseTableName(name);
    if (!table.ok()) return table.status();
    if (std::find(tables.begin(), tables.end(), *table) != tables.end()) {
      return Status(StatusCode::kInvalidArgument, "table " + *table + " is named twice");
    }
    tables.push_back(std::move(*table));
  }
  return tables;
}

Result<capture::SessionOptions> ZooKeeperSettings() {
  capture::SessionOptions options;
  options.hosts = FLAGS_zookeeper;
  options.connect_timeout = std::chrono::seconds(FLAGS_connect_timeout_s);
  if (FLAGS_zookeeper_auth_file.empty()) return options;
  Result<std::string> line = ReadSecretLine(FLAGS_zookeeper_auth_file);
  if (!line.ok()) return line.status().WithContext("--zookeeper_auth_file");
  const size_t colon = line->find(':');
  if (colon == 0 || colon == std::string::npos || colon + 1 == line->size()) {
    return Status(StatusCode::kConfiguration,
                  "--zookeeper_auth_file: " + FLAGS_zookeeper_auth_file + ": is not one line USER:PASSWORD");
  }
  options.digest = std::move(*line);
  return options;
}

namespace {

/// Neither the znode nor a topic has another use.
Status CheckPlaces(const std::vector<std::string>& tables) {
  if (FLAGS_hbase_znode == FLAGS_znode) {
    return Status(StatusCode::kInvalidArgument, "--znode " + FLAGS_znode +
                                                    " is where the source HBase stands (--hbase_znode " +
                                                    FLAGS_hbase_znode + "); a capture needs a place of its own");
  }
  for (const std::string& table : tables) {
    if (TopicOfTable(FLAGS_topic, table) != kDeadLetterTopic) continue;
    return Status(StatusCode::kInvalidArgument, "--topic " + FLAGS_topic + ": the changes of table " + table +
                                                    " would go to " + kDeadLetterTopic +
                                                    ", where the capture writes its dead letters");
  }
  return Status();
}

}  // namespace

Result<CaptureOptions> CaptureSettings(const std::vector<std::string>& tables) {
  CaptureOptions options;
  FENSI_RETURN_IF_ERROR(CheckPlaces(tables));
  Result<capture::SessionOptions> zookeeper = ZooKeeperSettings();
  FENSI_RETURN_IF_ERROR(zookeeper.status());
  options.registration.zookeeper = std::move(*zookeeper);
  for (const std::string& table : tables) {
    options.publisher.topics.emplace(table, TopicOfTable(FLAGS_topic, table));
  }
  options.server.endpoints = Endpoints();
  options.server.allow_from = SplitList(FLAGS_allow_from);
  options.server.max_connections = static_cast<size_t>(FLAGS_max_connections);
  options.server.max_frame_bytes = static_cast<size_t>(FLAGS_frame_mb) << 20;
  options.server.max_bytes = static_cast<size_t>(FLAGS_calls_mb) << 20;
  Result<std::optional<capture::TlsPems>> tls = ReadCertificates();
  FENSI_RETURN_IF_ERROR(tls.status());
  if (tls->has_value()) FENSI_RETURN_IF_ERROR(capture::TlsContext::Create(**tls).status());
  options.server.tls = std::move(*tls);
  Result<std::optional<capture::KerberosOptions>> kerberos = ReadKerberos();
  FENSI_RETURN_IF_ERROR(kerberos.status());
  options.server.kerberos = std::move(*kerberos);
  options.publisher.dead_letter_topic = kDeadLetterTopic;
  Result<capture::ColumnSet> may_be_large = capture::ColumnSet::Parse(SplitList(FLAGS_may_be_large));
  FENSI_RETURN_IF_ERROR(may_be_large.status());
  options.publisher.may_be_large = std::move(*may_be_large);
  options.publisher.workers = static_cast<size_t>(FLAGS_workers);
  options.publisher.kafka.producer.cluster = NamedCluster();
  options.publisher.kafka.producer.max_queued_bytes = kQueuedBytes;
  // Nothing waits for more: librdkafka 2.0 would wait a millisecond at least, an eighth of what an edit takes until an
  // index shows it. While requests are under way, a backlog fills the next ones by itself.
  options.publisher.kafka.producer.linger = std::chrono::milliseconds(0);
  // A call is given up by its own deadline; what it sent stays on its way, so that a slow link gets on.
  options.publisher.kafka.producer.delivery_timeout = std::chrono::minutes(5);
  options.publisher.kafka.max_message_bytes = static_cast<size_t>(FLAGS_message_kb) * 1000;
  options.registration.root = FLAGS_znode;
  options.marks.period = std::chrono::milliseconds(FLAGS_mark_ms);
  options.marks.members.hbase_root = FLAGS_hbase_znode;
  options.marks.kafka = options.publisher.kafka;
  for (const std::string& table : SplitList(FLAGS_drop)) options.registration.drop.insert(*ParseTableName(table));
  options.registration.host = AnnouncedHost(options.server.endpoints);
  options.registration.listener = Machine();
  return options;
}

std::vector<consumer::TopicSpec> CaptureTopics(const CaptureOptions& options) {
  std::vector<consumer::TopicSpec> topics;
  for (const auto& [table, topic] : options.publisher.topics) {
    topics.push_back(StreamTopic(topic, FLAGS_partitions, FLAGS_replication));
  }
  topics.push_back(DeadLetterTopic(options.publisher.dead_letter_topic, FLAGS_replication));
  return topics;
}

Status CheckMessageLimit(const TopicPlan& plan, int64_t message_bytes) {
  if (!plan.exists || plan.found.max_message_bytes.value_or(INT64_MAX) >= message_bytes) return Status();
  return Status(StatusCode::kConfiguration,
                "topic " + plan.wanted.name + " takes messages of up to " +
                    std::to_string(*plan.found.max_message_bytes) + " bytes (max.message.bytes), --message_kb allows " +
                    std::to_string(message_bytes) + ": lower --message_kb or raise the topic's limit");
}

Status RaiseFileLimit(size_t connections) {
  constexpr rlim_t kOthers = 256;  // of Kafka, ZooKeeper, the log
  const rlim_t wanted = connections + kOthers;
  rlimit limit{};
  if (getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= wanted) return Status();
  limit.rlim_cur = std::min(wanted, limit.rlim_max);
  if (limit.rlim_cur == wanted && setrlimit(RLIMIT_NOFILE, &limit) == 0) return Status();
  return Status(StatusCode::kConfiguration, "--max_connections " + std::to_string(connections) + " needs " +
                                                std::to_string(wanted) + " open files, and the system allows " +
                                                std::to_string(limit.rlim_max) +
                                                " (ulimit -Hn): raise it, or lower --max_connections");
}

}  // namespace fensi::cli

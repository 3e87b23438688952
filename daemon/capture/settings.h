// The options of a capture, and what follows from them. Pure except for named files, and the machine's name.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "capture/capture.h"
#include "consumer/kafka/client/client_config.h"
#include "daemon/capture/certificates.h"
#include "operations/tables/topic_plan.h"

namespace fensi::daemon {

/// Empty: not used.
struct CaptureSettings {
  std::vector<std::string> listen;  // address:port, where region servers connect
  std::string announce;             // its name for region servers; empty: the address, or the machine's name
  std::string zookeeper;            // HOST:PORT[,…]
  std::string zookeeper_auth_file;  // with one line USER:PASSWORD
  std::chrono::seconds connect_timeout{10};
  std::string znode = "/fensi";        // of the capture in ZooKeeper
  std::string hbase_znode = "/hbase";  // of the source
  std::string topic = "{table}";       // topic of each table
  std::vector<std::string> allow_from, drop, may_be_large;
  int32_t max_connections = 1000;
  int32_t frame_mb = 256, calls_mb = 512;  // one call, and all that are in flight
  int32_t workers = 4;
  int32_t message_kb = 1000;                    // the largest message
  std::chrono::milliseconds mark_period{1000};  // 0: no watermarks
  int32_t partitions = 4, replication = 1;      // of topics that are created
  consumer::KafkaCluster kafka;
  CertificateFiles tls;
  RpcKerberosOptions kerberos;
};

/// Parses table names, each as HBase writes it. kInvalidArgument: invalid, or named twice.
Result<std::vector<std::string>> ParseTableNames(const std::vector<std::string>& names);

/// `tables` as ParseTableNames returns them. kInvalidArgument: --znode or --topic has another use. kPermission,
/// kNotFound, kConfiguration: of a file that a flag names.
Result<capture::CaptureOptions> OptionsOfCapture(const CaptureSettings& settings,
                                                 const std::vector<std::string>& tables);

/// The streams and the dead letters, as they are created if missing.
std::vector<consumer::TopicSpec> CaptureTopics(const CaptureSettings& settings, const capture::CaptureOptions& options);
/// kConfiguration if the topic accepts no message as large as --message_kb allows.
Status CheckMessageLimit(const operations::TopicPlan& plan, int64_t message_bytes);
/// Raises the limit of open files for this many connections; kConfiguration if the system refuses.
Status RaiseFileLimit(size_t connections);

/// The ZooKeeper of the source. Errors as above.
Result<hbase::SessionOptions> ZooKeeperSettings(const CaptureSettings& settings);
/// A session to look around. Blocks for at most 3 s.
Result<std::unique_ptr<hbase::ZooKeeperSession>> OpenZooKeeperBriefly(const CaptureSettings& settings);

/// The identity of this machine's network: two live captures with the same one cannot have the same address and port,
/// whatever their names are. Containers are machines of their own.
std::string Machine();

/// In the form of the HBase shell: "zk1,zk2:2181:/fensi".
std::string ClusterKey(const std::string& zookeeper, const std::string& root);

/// --topic with the table in place of {table}; ':' becomes '.', as in a mapping file's default.
std::string TopicOfTable(const std::string& pattern, const std::string& table);

}  // namespace fensi::daemon

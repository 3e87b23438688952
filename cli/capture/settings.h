// What the flags of `fensi capture` mean. Pure but for the flags, the files that they name, and the machine's name.
#pragma once

#include <string>
#include <vector>

#include "capture/capture.h"
#include "cli/planning/topic_plan.h"

namespace fensi::cli {

/// Tables as a person named them, each as HBase writes it. kInvalidArgument: one is no table name, or is named twice.
Result<std::vector<std::string>> ParseTableNames(const std::vector<std::string>& names);

/// `tables` as ParseTableNames gives them. kInvalidArgument: --znode or --topic has another use. kPermission,
/// kNotFound, kConfiguration: of a file that a flag names.
Result<capture::CaptureOptions> CaptureSettings(const std::vector<std::string>& tables);

/// The streams and the dead letters, as they are made where they are missing.
std::vector<consumer::TopicSpec> CaptureTopics(const capture::CaptureOptions& options);
/// kConfiguration when the topic takes no message as large as --message_kb allows.
Status CheckMessageLimit(const TopicPlan& plan, int64_t message_bytes);
/// Lets the process have so many connections; kConfiguration when the system does not.
Status RaiseFileLimit(size_t connections);

/// The ZooKeeper of the source. Errors as above.
Result<capture::SessionOptions> ZooKeeperSettings();

/// Where an address and port are ours alone: this network of this machine. No two have the same, whatever they are
/// called, and containers of one machine are machines of their own.
std::string Machine();

/// As the HBase shell wants it: "zk1,zk2:2181:/fensi".
std::string ClusterKey(const std::string& zookeeper, const std::string& root);

/// --topic with the table in place of {table}; ':' becomes '.', as in a mapping file's default.
std::string TopicOfTable(const std::string& pattern, const std::string& table);

}  // namespace fensi::cli

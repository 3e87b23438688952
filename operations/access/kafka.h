// The Kafka options of commands: which cluster, and with which settings of librdkafka.
#pragma once

#include <chrono>
#include <map>
#include <string>

#include "base/status.h"
#include "consumer/kafka/client/client_config.h"
#include "consumer/kafka/client/group_admin.h"

namespace fensi::operations {

struct KafkaOptions {
  consumer::KafkaCluster cluster;
  std::chrono::seconds connect_timeout{10};  // time in which a broker must answer
};

using KafkaProperties = std::map<std::string, std::string>;

/// Reads settings of librdkafka: those of `properties` ("a=b,c=d"), and of the file, if one is named; the former have
/// precedence. Checks the file, and reads secrets that are stored elsewhere. Once: the file may be a pipe. Blocks on
/// the file system.
Result<KafkaProperties> ReadKafkaProperties(const std::string& properties, const std::string& file);

/// kConfiguration: no daemon runs the index, so that nothing would apply its requests.
Status NoDaemonRuns(const std::string& index, const std::string& group);

/// kConfiguration: an index has no topic of requests.
Status NoRequestsTopic(const std::string& topic, const std::string& brokers);

/// The message about an active group that should not be active, with the remedy.
std::string MembersText(const std::string& group, const consumer::GroupDescription& described);

}  // namespace fensi::operations

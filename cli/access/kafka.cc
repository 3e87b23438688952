#include "cli/access/kafka.h"

#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kScheme = "kafka://";

consumer::KafkaCluster Cluster(const std::string& brokers) { return {brokers, KafkaProperties()}; }

}  // namespace

consumer::KafkaCluster SourceCluster() { return Cluster(FLAGS_source.substr(kScheme.size())); }

consumer::KafkaCluster NamedCluster() { return Cluster(FLAGS_kafka); }

}  // namespace fensi::cli

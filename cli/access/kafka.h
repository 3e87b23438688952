// The Kafka cluster that --source or --kafka names. Pure but for the flags.
#pragma once

#include "consumer/kafka/client_config.h"

namespace fensi::cli {

/// Of --source kafka://…, with --kafka_property.
consumer::KafkaCluster SourceCluster();
/// Of --kafka, with --kafka_property.
consumer::KafkaCluster NamedCluster();

}  // namespace fensi::cli

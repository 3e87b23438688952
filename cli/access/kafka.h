// The Kafka cluster that --source or --kafka names. Pure but for the flags.
#pragma once

#include "base/status.h"
#include "consumer/codec/event_decoder.h"
#include "consumer/kafka/client_config.h"
#include "consumer/kafka/group_admin.h"

namespace fensi::cli {

/// Reads --kafka_property_file, if there is one, checks it, and fetches secrets that stand elsewhere. Once, before any
/// thread, and before the functions below: the file may be a pipe.
Status ReadKafkaProperties();

/// Of --source kafka://…, with --kafka_property and those of the file; the command line's go first.
consumer::KafkaCluster SourceCluster();
/// Of --kafka, with the same.
consumer::KafkaCluster NamedCluster();

/// Of --kafka_format, which the check of the command line took.
consumer::Format FormatOfFlag();

/// Of a group that is active, and what to do where it should not be.
std::string MembersText(const std::string& group, const consumer::GroupDescription& described);

/// " --kafka_property_file FILE" if there is one: for commands that are proposed.
std::string PropertyFileWords();

}  // namespace fensi::cli

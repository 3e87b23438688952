// What a broker says about a topic. All calls block up to their timeout; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "consumer/kafka/handles.h"

namespace fensi::consumer {

/// kNotFound when the topic does not exist; asking does not create it.
Result<int32_t> PartitionCount(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);

/// Of the partition that has fewest.
Result<int32_t> ReplicaCount(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);

/// The topic's settings by name ("cleanup.policy"); none when the broker cannot describe topics. kPermission when it
/// may not tell us.
using TopicSettings = std::map<std::string, std::string>;
Result<TopicSettings> DescribeSettings(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);

/// kConfiguration when the topic is compacted: events are deltas, a compacted topic has lost some of them.
Status RefuseCompacted(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);

struct LogRange {
  int64_t start = 0;
  int64_t end = 0;
};
Result<LogRange> QueryLogRange(rd_kafka_t* client, const std::string& topic, int32_t partition,
                               std::chrono::milliseconds timeout);

}  // namespace fensi::consumer

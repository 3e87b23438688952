// What a broker says about a topic. All calls block up to their timeout; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/handles.h"

namespace fensi::consumer {

/// Who leads the partitions of a topic, in their order: a broker, or why it is none.
struct TopicLayout {
  std::vector<Result<int32_t>> leaders;
  int32_t teller = -1;          // the broker that said so
  int32_t fewest_replicas = 0;  // of the partition that has fewest
  int32_t partitions() const { return static_cast<int32_t>(leaders.size()); }
};
/// kNotFound when the topic does not exist; asking does not create it.
Result<TopicLayout> DescribeLayout(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);
/// kNotFound when the topic has no such partition.
Result<int32_t> LeaderOf(const TopicLayout& layout, const std::string& topic, int32_t partition);
/// The id that the brokers' cluster has since it was made; empty: they have none (Kafka below 0.10.1).
Result<std::string> AskClusterId(rd_kafka_t* client, std::chrono::milliseconds timeout);
Result<int32_t> PartitionCount(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);

/// The topic's settings by name ("cleanup.policy"), from `broker`; none when it cannot describe topics. kPermission
/// when it may not tell us.
using TopicSettings = std::map<std::string, std::string>;
Result<TopicSettings> DescribeSettings(rd_kafka_t* client, const std::string& topic, int32_t broker,
                                       std::chrono::milliseconds timeout);

/// DescribeSettings; kConfiguration when the topic is compacted: events are deltas, a compacted topic has lost some of
/// them.
Result<TopicSettings> SettingsOfStream(rd_kafka_t* client, const std::string& topic, int32_t broker,
                                       std::chrono::milliseconds timeout);

struct LogRange {
  int64_t start = 0;
  int64_t end = 0;
};
/// By partition; what concerns one alone stands in its place.
using LogRanges = std::map<int32_t, Result<LogRange>>;
/// Two requests for all `partitions` of one leader.
LogRanges QueryLogRanges(rd_kafka_t* client, const std::string& topic, const std::vector<int32_t>& partitions,
                         std::chrono::milliseconds timeout);
/// Of every partition of the topic, in their order; the first that cannot be told about is an error.
Result<std::vector<LogRange>> QueryAllLogRanges(rd_kafka_t* client, const std::string& topic,
                                                std::chrono::milliseconds timeout);

}  // namespace fensi::consumer

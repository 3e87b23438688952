// Queries a broker about a topic. All calls block up to their timeout; any thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {

/// The leader of each partition of a topic, in order: a broker, or why there is none.
struct TopicLayout {
  std::vector<Result<int32_t>> leaders;
  int32_t teller = -1;          // broker that answered
  int32_t fewest_replicas = 0;  // minimum over the partitions
  int32_t partitions() const { return static_cast<int32_t>(leaders.size()); }
};
/// kNotFound, with what to do.
Status MissingTopic(const std::string& topic);
/// kNotFound if the topic does not exist; the query does not create it.
Result<TopicLayout> DescribeLayout(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);
/// kNotFound if the topic has no such partition.
Result<int32_t> LeaderOf(const TopicLayout& layout, const std::string& topic, int32_t partition);
/// The id that the cluster got when it was created; empty: it has none (Kafka below 0.10.1).
Result<std::string> AskClusterId(rd_kafka_t* client, std::chrono::milliseconds timeout);
Result<int32_t> PartitionCount(rd_kafka_t* client, const std::string& topic, std::chrono::milliseconds timeout);

/// The topic's settings by name ("cleanup.policy"), from `broker`; empty if it cannot describe topics. kPermission if
/// we may not read them.
using TopicSettings = std::map<std::string, std::string>;
Result<TopicSettings> DescribeSettings(rd_kafka_t* client, const std::string& topic, int32_t broker,
                                       std::chrono::milliseconds timeout);

/// DescribeSettings; kConfiguration if the topic is compacted: events are deltas, and a compacted topic has lost some.
Result<TopicSettings> SettingsOfStream(rd_kafka_t* client, const std::string& topic, int32_t broker,
                                       std::chrono::milliseconds timeout);

/// kConfiguration: the topic takes messages of up to `most` bytes, and a `what` ("request") may need `least`.
Status MessagesTooSmall(const std::string& topic, int64_t most, const std::string& what, int64_t least);
/// M12: kConfiguration if the counts of partitions differ, because a request would reach an owner of other rows.
Status CheckRequestPartitions(const std::string& requests, int32_t count, const std::string& stream, int32_t wanted);

struct LogRange {
  int64_t start = 0;
  int64_t end = 0;
};
/// One result per partition; an error of one partition is that partition's result.
using LogRanges = std::map<int32_t, Result<LogRange>>;
/// Makes two requests for all `partitions` of one leader.
LogRanges QueryLogRanges(rd_kafka_t* client, const std::string& topic, const std::vector<int32_t>& partitions,
                         std::chrono::milliseconds timeout);
/// The range of every partition of the topic, in order; the first failure is returned as an error.
Result<std::vector<LogRange>> QueryAllLogRanges(rd_kafka_t* client, const std::string& topic,
                                                std::chrono::milliseconds timeout);

}  // namespace fensi::consumer

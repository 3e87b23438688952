// The names of the topics that a source reads, and what its group has committed of them.
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/status.h"
#include "consumer/kafka/handles.h"
#include "consumer/kafka/partition_offset.h"

namespace fensi::consumer {

struct Topics {
  std::string stream;
  std::string requests;  // empty: none

  const std::string& of(Log log) const { return log == Log::kStream ? stream : requests; }
  Log LogOf(std::string_view topic) const { return topic == stream ? Log::kStream : Log::kRequests; }
  /// Each log in its topic.
  PartitionsHandle List(const std::vector<PartitionOffset>& places) const {
    PartitionsHandle list(rd_kafka_topic_partition_list_new(static_cast<int>(places.size())));
    for (const PartitionOffset& place : places) {
      rd_kafka_topic_partition_list_add(list.get(), of(place.log).c_str(), place.partition)->offset = place.offset;
    }
    return list;
  }
  PartitionsHandle List(const std::vector<LogId>& logs) const {
    PartitionsHandle list(rd_kafka_topic_partition_list_new(static_cast<int>(logs.size())));
    for (const LogId& log : logs) rd_kafka_topic_partition_list_add(list.get(), of(log.log).c_str(), log.partition);
    return list;
  }
};

/// What the group has committed of each log; absent: nothing. Not ok: of all, or of one log, it is not known.
using Commits = std::map<LogId, Result<std::optional<int64_t>>>;
Result<Commits> AskCommits(rd_kafka_t* client, const Topics& topics, const std::string& group,
                           const std::vector<LogId>& logs, std::chrono::milliseconds timeout);

}  // namespace fensi::consumer

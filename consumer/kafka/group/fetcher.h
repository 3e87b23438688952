// Tells the client which partitions to fetch, from where, and which to pause. Used by the poll thread.
//
// The client accepts any assignment, whatever the group has assigned: partitions of the requests are added to those of
// the stream, and only offsets of the stream are committed as progress. The client gets a partition only when a worker
// has begun it, and with the offset to read: it never asks the broker for an offset.
#pragma once

#include <chrono>
#include <optional>
#include <set>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/group/partition_opener.h"
#include "consumer/kafka/group/partition_queues.h"

namespace fensi::consumer {

class Fetcher {
 public:
  /// `client` and `queues` must outlive it.
  Fetcher(rd_kafka_t* client, Topics topics, Clock* clock, PartitionQueues* queues);

  /// Assigns what is wanted, from where it is wanted. Not ok: the client accepts no assignment.
  Status Place();
  /// Pauses full queues, and resumes queues with room.
  void ApplyFlowControl();
  /// The client does not fetch this log any more.
  void GaveUp(LogId log) { fetching_.erase(log); }
  /// The group has assigned again.
  void Forget() { fetching_.clear(); }

 private:
  void Seek(const PartitionOffset& place);
  Status Assign(const std::vector<PartitionOffset>& places);

  rd_kafka_t* const client_;
  const Topics topics_;
  Clock* const clock_;
  PartitionQueues* const queues_;
  std::optional<std::chrono::milliseconds> first_waits_since_;
  std::set<LogId> fetching_;  // from any offset
};

}  // namespace fensi::consumer

// Tells the client which partitions to fetch, from where, and which to pause. Belongs to the poll thread.
//
// The client takes what it is given, whatever the group has assigned to it: partitions of the requests ride along with
// those of the stream, and nothing but the stream's is ever committed.
// The client is given a partition only when a worker has begun it, and with the offset to read: it never asks the
// broker for one by itself.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <set>
#include <vector>

#include "base/clock.h"
#include "base/status.h"
#include "consumer/kafka/group/partition_queues.h"
#include "consumer/kafka/group/topics.h"
#include "consumer/kafka/handles.h"

namespace fensi::consumer {

class Fetcher {
 public:
  /// `client` and `queues` must outlive it.
  Fetcher(rd_kafka_t* client, Topics topics, Clock* clock, PartitionQueues* queues);

  /// Lets the client fetch what is wanted, from where it is wanted. Not ok: the client takes no assignment.
  Status Place();
  /// Pauses what is full, and resumes what has room again.
  void ApplyFlowControl();
  /// The client fetches this one no more, whatever it was told.
  void GaveUp(LogId log) { fetching_.erase(log); }
  /// The group has assigned anew.
  void Forget() { fetching_.clear(); }

 private:
  void Seek(const PartitionOffset& place);
  Status Assign(const std::vector<PartitionOffset>& places);

  rd_kafka_t* const client_;
  const Topics topics_;
  Clock* const clock_;
  PartitionQueues* const queues_;
  std::optional<std::chrono::milliseconds> first_waits_since_;
  std::set<LogId> fetching_;  // from wherever
};

}  // namespace fensi::consumer

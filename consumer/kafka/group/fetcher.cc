#include "consumer/kafka/group/fetcher.h"

#include <utility>
#include <vector>

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGatherTimeout{1000};
constexpr int kSeekTimeoutMs = 100;  // the client answers it, no broker

/// Before 2.1 the client takes the milliseconds for microseconds.
int SeekTimeout() { return rd_kafka_version() < 0x02010000 ? 1000 * kSeekTimeoutMs : kSeekTimeoutMs; }

}  // namespace

Fetcher::Fetcher(rd_kafka_t* client, Topics topics, Clock* clock, PartitionQueues* queues)
    : client_(client), topics_(std::move(topics)), clock_(clock), queues_(queues) {}

/// The client restarts every partition of an assignment: one assignment for many that begin at about the same time.
Status Fetcher::Place() {
  const PartitionQueues::Places places = queues_->places();
  bool waiting = false;
  for (const PartitionOffset& place : places.seeks) {
    if (fetching_.contains(place.id())) {
      Seek(place);
    } else {
      waiting = true;
    }
  }
  if (!waiting) {
    first_waits_since_.reset();
    return {};
  }
  const milliseconds now = clock_->MonotonicNow();
  if (!first_waits_since_) first_waits_since_ = now;
  const bool gathered = !places.any_to_begin || now - *first_waits_since_ > kGatherTimeout;
  return gathered ? Assign(places.wanted) : Status();
}

/// Fails while the client has not started on a new assignment; the next turn tries again.
void Fetcher::Seek(const PartitionOffset& place) {
  const PartitionsHandle list = topics_.List(std::vector{place});
  const ErrorHandle error(rd_kafka_seek_partitions(client_, list.get(), SeekTimeout()));
  if (error == nullptr && list->elems[0].err == RD_KAFKA_RESP_ERR_NO_ERROR) queues_->Reading(place.id());
}

Status Fetcher::Assign(const std::vector<PartitionOffset>& places) {
  // Assigning would hide from us that they are lost; the callback is on its way.
  if (rd_kafka_assignment_lost(client_) != 0) return {};
  const rd_kafka_resp_err_t error = rd_kafka_assign(client_, topics_.List(places).get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, "reading topic " + topics_.stream);
  fetching_.clear();
  for (const PartitionOffset& place : places) {
    fetching_.insert(place.id());
    queues_->Reading(place.id());
  }
  first_waits_since_.reset();
  return {};
}

void Fetcher::ApplyFlowControl() {
  const PartitionQueues::Flow flow = queues_->TakeFlow();
  if (!flow.pause.empty()) rd_kafka_pause_partitions(client_, topics_.List(flow.pause).get());
  if (!flow.resume.empty()) rd_kafka_resume_partitions(client_, topics_.List(flow.resume).get());
}

}  // namespace fensi::consumer

// Lanes on their way from assigned to read: what the group committed, where the log begins and ends, and where to read.
#include <algorithm>

#include "consumer/kafka/group/poll_loop.h"
#include "consumer/kafka/topic_facts.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kFirstPause{50};
constexpr milliseconds kLongestPause{2000};
constexpr milliseconds kGatherPatience{1000};

}  // namespace

void PollLoop::OpenLanes() {
  const std::vector<int32_t> partitions = board_->Unopened();
  if (partitions.empty() || tenure_->stopped() || tenure_->Overdue()) return;
  if (clock_->SinceBoot() < next_opening_) return;
  const Status status = TryToOpen(partitions);
  if (status.ok()) {
    opening_pause_ = milliseconds(0);
    return;
  }
  opening_pause_ = std::clamp(2 * opening_pause_, kFirstPause, kLongestPause);
  next_opening_ = clock_->SinceBoot() + opening_pause_;
  Report(status);
}

Status PollLoop::TryToOpen(const std::vector<int32_t>& partitions) {
  const Result<int32_t> count = PartitionCount(client_.get(), options_.topic, kCallTimeout);
  if (!count.ok()) return count.status();
  if (options_.all_partitions && board_->progress().partitions != *count) {
    board_->Finish(Status(StatusCode::kConfiguration,
                          "topic " + options_.topic + " is not partitioned by row and needs one reader, but group " +
                              options_.group + " has another member; stop it"));
    return {};
  }
  const PartitionsHandle list = WithoutOffsets(options_.topic, partitions);
  const rd_kafka_resp_err_t error =
      rd_kafka_committed(client_.get(), list.get(), static_cast<int>(kCallTimeout.count()));
  const std::string what = "asking for the committed offsets of group " + options_.group;
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    FENSI_RETURN_IF_ERROR(KafkaStatus(each.err, what));
    FENSI_RETURN_IF_ERROR(OpenLane(each.partition, *count, each.offset));
  }
  return {};
}

Status PollLoop::OpenLane(int32_t partition, int32_t count, int64_t committed) {
  Tick();
  const Result<LogRange> range = QueryLogRange(client_.get(), options_.topic, partition, kCallTimeout);
  if (!range.ok()) return range.status();
  const std::optional<int64_t> offset = committed >= 0 ? std::optional(committed) : std::nullopt;
  board_->Open(std::make_shared<KafkaAssignment>(tenure_, options_.topic, partition, count), offset, range->start,
               range->end);
  return {};
}

/// The client starts every partition of an assignment anew: one assignment for many that begin at about the same time.
void PollLoop::PlaceLanes() {
  bool waiting = false;
  for (const PartitionOffset& place : board_->Seeks()) {
    if (fetching_.contains(place.partition)) {
      Seek(place);
    } else {
      waiting = true;
    }
  }
  const milliseconds now = clock_->SinceBoot();
  if (!waiting) return first_waits_since_.reset();
  if (!first_waits_since_) first_waits_since_ = now;
  if (!board_->AnyToBegin() || now - *first_waits_since_ > kGatherPatience) AssignLanes();
}

/// Fails while the client has not started on a new assignment; the next turn tries again.
void PollLoop::Seek(const PartitionOffset& place) {
  const PartitionsHandle list = MakePartitions(options_.topic, {place});
  const ErrorHandle error(rd_kafka_seek_partitions(client_.get(), list.get(), static_cast<int>(kCallTimeout.count())));
  if (error == nullptr && list->elems[0].err == RD_KAFKA_RESP_ERR_NO_ERROR) board_->Reading(place.partition);
}

void PollLoop::AssignLanes() {
  // Assigning would hide from us that they are lost; the callback is on its way.
  if (rd_kafka_assignment_lost(client_.get()) != 0) return;
  const std::vector<PartitionOffset> places = board_->Wanted();
  const rd_kafka_resp_err_t error = rd_kafka_assign(client_.get(), MakePartitions(options_.topic, places).get());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return Report(KafkaStatus(error, "reading topic " + options_.topic));
  fetching_.clear();
  for (const PartitionOffset& place : places) {
    fetching_.insert(place.partition);
    board_->Reading(place.partition);
  }
  first_waits_since_.reset();
}

void PollLoop::ControlFlow() {
  const auto list = [this](const std::vector<int32_t>& partitions) {
    return WithoutOffsets(options_.topic, partitions);
  };
  const WorkBoard::Flow flow = board_->TakeFlow();
  if (!flow.pause.empty()) rd_kafka_pause_partitions(client_.get(), list(flow.pause).get());
  if (!flow.resume.empty()) rd_kafka_resume_partitions(client_.get(), list(flow.resume).get());
}

}  // namespace fensi::consumer

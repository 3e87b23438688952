// Lanes on their way from assigned to read: what the group committed, where the log begins and ends, and where to read.
#include <algorithm>
#include <random>

#include "consumer/kafka/group/poll_loop.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kGatherPatience{1000};

constexpr milliseconds kFirstStandby{5000};
constexpr milliseconds kLongestStandby{60'000};
constexpr int kSeekTimeoutMs = 100;  // the client answers it, no broker

/// Before 2.1 the client takes the milliseconds for microseconds.
int SeekTimeout() { return rd_kafka_version() < 0x02010000 ? 1000 * kSeekTimeoutMs : kSeekTimeoutMs; }

}  // namespace

void PollLoop::OpenLanes() {
  if (tenure_->stopped() || tenure_->Overdue() || joins_at_ || has_part_) return;
  for (const PartitionOpener::Found& found : opener_->Turn(board_->Unopened())) OpenLane(found);
  if (!opener_->refusal().ok()) board_->Finish(opener_->refusal());
  trouble_.Standing(opener_->trouble());
}

void PollLoop::OpenLane(const PartitionOpener::Found& found) {
  if (options_.all_partitions) {
    has_part_ = board_->progress().partitions != found.partition_count;
    if (has_part_) return;
    had_all_ = true;
    standby_pause_ = milliseconds(0);
  }
  board_->Open(std::make_shared<KafkaAssignment>(tenure_, options_.topic, found.partition, found.partition_count),
               found.committed, found.log.start, found.log.end);
}

void PollLoop::KeepToOneReader() {
  if (joins_at_ && clock_->SinceBoot() >= *joins_at_) {
    joins_at_.reset();
    trouble_.Standing("");
    Subscribe();
  }
  if (has_part_ && !had_all_) StandBy();
  if (has_part_ && had_all_) {
    trouble_.Standing("topic " + options_.topic +
                      " is not partitioned by row and needs one reader: waiting until the " +
                      "member that has just joined group " + options_.group + " leaves it");
  }
}

/// Each try disturbs the reader for a moment; pauses differ, so that two that began together do not meet for ever.
void PollLoop::StandBy() {
  has_part_ = false;
  standby_pause_ = std::clamp(2 * standby_pause_, kFirstStandby, kLongestStandby);
  const milliseconds pause = standby_pause_ + milliseconds(std::random_device()() % kFirstStandby.count());
  joins_at_ = clock_->SinceBoot() + pause;
  trouble_.Standing("topic " + options_.topic + " is not partitioned by row and needs one reader, and group " +
                    options_.group + " has one: standing by, trying again in " + std::to_string(pause.count() / 1000) +
                    " s");
  rd_kafka_unsubscribe(client_.get());
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
  const ErrorHandle error(rd_kafka_seek_partitions(client_.get(), list.get(), SeekTimeout()));
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

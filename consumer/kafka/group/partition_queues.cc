#include "consumer/kafka/group/partition_queues.h"

#include <algorithm>
#include <string>
#include <utility>

namespace fensi::consumer {

PartitionQueues::Taken PartitionQueues::Take() {
  MutexLock lock(mu_);
  for (;;) {
    if (end_) return End{*end_};
    if (stopped_) return End{};
    for (const bool idle : {false, true}) {
      if (std::optional<Taken> taken = TakeNext(idle)) return std::move(*taken);
    }
    if (AllAtEnd()) {
      end_ = Status();
      changed_.notify_all();
      continue;
    }
    changed_.wait(lock);
  }
}

/// Round robin, after the queue that was served last.
std::optional<PartitionQueues::Taken> PartitionQueues::TakeNext(bool idle) {
  if (draining_ || (options_.one_in_hand && AnyInHand())) return {};
  auto queue = queues_.upper_bound(last_taken_);
  for (size_t tried = 0; tried < queues_.size(); ++tried, ++queue) {
    if (queue == queues_.end()) queue = queues_.begin();
    std::optional<PartitionQueue::Taken> taken =
        paused_ ? queue->second.TakeAllButBatches()
                : queue->second.Take(idle, options_.clock->MonotonicNow(), MostOfABatch(queue->second));
    if (!taken) continue;
    last_taken_ = queue->first;
    return std::visit([](auto&& each) { return Taken(std::forward<decltype(each)>(each)); }, std::move(*taken));
  }
  return {};
}

Status PartitionQueues::Begin(const std::shared_ptr<Assignment>& assignment, int64_t offset) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(assignment);
  if (queue == nullptr || !queue->Begin(offset, options_.clock->MonotonicNow())) {
    return NotAssigned(PartitionText(*assignment));
  }
  changed_.notify_all();
  return {};
}

Status PartitionQueues::BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition start) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(assignment);
  const std::string name = PartitionText(*assignment);
  const Status refused(StatusCode::kFenced,
                       name + " is no longer assigned to this daemon, or has no topic of requests");
  if (queue == nullptr || !queue->requests()) return refused;
  const RequestLog log = *queue->requests();
  if (start.done < log.log_start || start.noted < start.done || start.noted > log.log_end) {
    return Status(StatusCode::kGap, "the requests of " + name + " at offsets " + std::to_string(start.done) + " to " +
                                        std::to_string(start.noted) +
                                        " are lost: the topic of requests holds offsets " +
                                        std::to_string(log.log_start) + " to " + std::to_string(log.log_end) +
                                        ". Repeat the backfill or repair that sent them");
  }
  return queue->BeginRequests(start) ? Status() : refused;
}

bool PartitionQueues::Done(Log log, const std::shared_ptr<Assignment>& assignment, int64_t next_offset,
                           size_t records) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(assignment);
  if (queue == nullptr || !queue->Done(log, next_offset, options_.clock->MonotonicNow())) return false;
  if (log == Log::kStream) records_done_ += static_cast<int64_t>(records);
  changed_.notify_all();
  return queue->log(log).paused() && queue->log(log).held() < LimitsOf(*queue, log).bytes / 2;
}

void PartitionQueues::Abandon(const std::shared_ptr<Assignment>& assignment) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(assignment);
  if (queue == nullptr) return;
  queue->Fence();
  changed_.notify_all();
}

void PartitionQueues::SetPaused(bool paused) {
  const MutexLock lock(mu_);
  paused_ = paused;
  changed_.notify_all();
}

void PartitionQueues::Stop() {
  const MutexLock lock(mu_);
  stopped_ = true;
  changed_.notify_all();
}

void PartitionQueues::Assign(std::vector<int32_t> partitions) {
  const MutexLock lock(mu_);
  queues_.clear();
  for (const int32_t partition : partitions) queues_[partition];
  assigned_ = true;
  draining_ = false;
  changed_.notify_all();
}

std::vector<int32_t> PartitionQueues::Unopened() const {
  const MutexLock lock(mu_);
  std::vector<int32_t> partitions;
  for (const auto& [partition, queue] : queues_) {
    if (queue.unopened()) partitions.push_back(partition);
  }
  return partitions;
}

void PartitionQueues::Open(std::shared_ptr<KafkaAssignment> assignment, Opening opening) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(assignment->partition());
  if (queue == nullptr) return;
  opening.assignment = assignment;
  queue->Open(std::move(opening), std::move(assignment));
  changed_.notify_all();
}

void PartitionQueues::OpenAgain(int32_t partition) {
  const MutexLock lock(mu_);
  if (PartitionQueue* queue = Find(partition)) queue->Fence();
  changed_.notify_all();
}

bool PartitionQueues::Drain(std::chrono::milliseconds timeout) {
  MutexLock lock(mu_);
  draining_ = true;
  return changed_.wait_for(lock, timeout, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return !AnyBatchInHand(); });
}

void PartitionQueues::FenceAll(bool keep) {
  const MutexLock lock(mu_);
  for (auto& [partition, queue] : queues_) queue.Fence();
  if (!keep) {
    queues_.clear();
    assigned_ = false;
  }
  draining_ = false;
  changed_.notify_all();
}

void PartitionQueues::Finish(Status status) {
  const MutexLock lock(mu_);
  if (!end_ || end_->ok()) end_ = std::move(status);
  changed_.notify_all();
}

PartitionQueues::Places PartitionQueues::places() const {
  const MutexLock lock(mu_);
  Places places;
  for (const auto& [partition, queue] : queues_) {
    places.any_to_begin = places.any_to_begin || !queue.begun();
    for (const Log which : {Log::kStream, Log::kRequests}) {
      const LogQueue& log = queue.log(which);
      if (log.begun()) places.wanted.push_back({partition, log.expected(), which});
      if (log.seeking()) places.seeks.push_back({partition, log.expected(), which});
    }
  }
  return places;
}

void PartitionQueues::Reading(LogId log) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(log.partition);
  if (queue == nullptr) return;
  queue->log(log.log).Reading();
  changed_.notify_all();
}

bool PartitionQueues::Offer(LogId log, const FetchedMessage& message) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(log.partition);
  return queue == nullptr || Note(queue->Offer(log.log, message, LimitsOf(*queue, log.log)), log);
}

bool PartitionQueues::ReadToEnd(LogId log, int64_t offset) {
  const MutexLock lock(mu_);
  PartitionQueue* queue = Find(log.partition);
  return queue == nullptr || Note(queue->ReadToEnd(log.log, offset), log);
}

/// A hole in the requests costs no event.
bool PartitionQueues::Note(const LogQueue::Offered& offered, LogId log) {
  findings_.hole = findings_.hole || (offered.hole && log.log == Log::kStream);
  if (offered.lost) findings_.vanished = {log.partition, *offered.lost, log.log};
  if (offered.ready) changed_.notify_all();
  return offered.go_on;
}

void PartitionQueues::SetTrouble(LogId log, const std::string& trouble) {
  const MutexLock lock(mu_);
  if (PartitionQueue* queue = Find(log.partition)) queue->log(log.log).SetTrouble(trouble);
}

PartitionQueues::Findings PartitionQueues::TakeFindings() {
  const MutexLock lock(mu_);
  return std::exchange(findings_, {});
}

std::optional<int64_t> PartitionQueues::Position(LogId log) const {
  const MutexLock lock(mu_);
  const auto queue = queues_.find(log.partition);
  if (queue == queues_.end() || !queue->second.log(log.log).reading()) return std::nullopt;
  return queue->second.log(log.log).expected();
}

PartitionQueues::Flow PartitionQueues::TakeFlow() {
  const MutexLock lock(mu_);
  Flow flow;
  for (auto& [partition, queue] : queues_) {
    for (const Log which : {Log::kStream, Log::kRequests}) {
      const LogQueue::Flow change = queue.log(which).TakeFlow(LimitsOf(queue, which).bytes);
      if (change == LogQueue::Flow::kPause) flow.pause.emplace_back(partition, which);
      if (change == LogQueue::Flow::kResume) flow.resume.emplace_back(partition, which);
    }
  }
  return flow;
}

std::vector<PartitionQueues::Offset> PartitionQueues::Committable() const {
  const MutexLock lock(mu_);
  std::vector<Offset> offsets;
  for (const auto& [partition, queue] : queues_) {
    if (const std::optional<int64_t> offset = queue.committable()) offsets.push_back({partition, *offset});
  }
  return offsets;
}

void PartitionQueues::Committed(const std::vector<Offset>& offsets) {
  const MutexLock lock(mu_);
  for (const Offset& each : offsets) {
    PartitionQueue* queue = Find(each.partition);
    if (queue != nullptr && queue->Committed(each.log, each.offset, options_.clock->MonotonicNow()))
      changed_.notify_all();
  }
}

std::vector<PartitionQueues::Offset> PartitionQueues::Witnesses() const {
  const MutexLock lock(mu_);
  const auto now = options_.clock->MonotonicNow();
  std::vector<Offset> offsets;
  for (const auto& [partition, queue] : queues_) {
    for (const Log which : {Log::kStream, Log::kRequests}) {
      if (const std::optional<int64_t> offset = queue.Witness(which, now))
        offsets.push_back({partition, *offset, which});
    }
  }
  return offsets;
}

std::vector<LogId> PartitionQueues::BegunLogs(bool witnessed) const {
  std::vector<LogId> logs;
  for (const auto& [partition, queue] : queues_) {
    for (const Log which : {Log::kStream, Log::kRequests}) {
      if (queue.log(which).begun() && queue.witnessed(which) == witnessed) logs.emplace_back(partition, which);
    }
  }
  return logs;
}

std::vector<LogId> PartitionQueues::Witnessed() const {
  const MutexLock lock(mu_);
  return BegunLogs(true);
}

std::optional<std::vector<LogId>> PartitionQueues::AllWitnessed(std::chrono::milliseconds timeout) {
  MutexLock lock(mu_);
  const bool all = changed_.wait_for(lock, timeout,
                                     [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return BegunLogs(false).empty(); });
  return all ? std::optional(BegunLogs(true)) : std::nullopt;
}

PartitionQueue* PartitionQueues::Find(int32_t partition) {
  const auto queue = queues_.find(partition);
  return queue == queues_.end() ? nullptr : &queue->second;
}

PartitionQueue* PartitionQueues::Find(const std::shared_ptr<Assignment>& assignment) {
  PartitionQueue* queue = Find(assignment->partition());
  return queue != nullptr && queue->assignment() == assignment ? queue : nullptr;
}

/// Requests have a quarter, and no more than a few batches need.
LogQueue::Limits PartitionQueues::LimitsOf(const PartitionQueue& queue, Log log) const {
  const size_t both = options_.max_queued_bytes / std::max<size_t>(1, queues_.size());
  const size_t requests =
      queue.requests() ? std::min(both / 4, 4 * PartitionQueuesOptions::kMostRequestBytes) : size_t{0};
  if (log == Log::kStream) {
    const size_t bytes = both - requests;
    return {options_.max_batch_records, std::min(options_.max_batch_bytes, bytes / 2), bytes};
  }
  return {PartitionQueuesOptions::kMostRequests, std::min(PartitionQueuesOptions::kMostRequestBytes, requests / 2),
          requests};
}

LogQueue::Most PartitionQueues::MostOfABatch(const PartitionQueue& queue) const {
  constexpr size_t kInHand = 4;
  const size_t share = std::max<size_t>(1, kInHand / std::max<size_t>(1, queues_.size()));
  const size_t together = std::min(share, options_.max_batches_in_one);
  const LogQueue::Limits limits = LimitsOf(queue, Log::kStream);
  const size_t bytes = std::max(limits.chunk_bytes, std::min(limits.chunk_bytes * together, limits.bytes / 4));
  return {limits.chunk_records * together, bytes};
}

bool PartitionQueues::AllAtEnd() const {
  if (!options_.until_end || !assigned_ || draining_) return false;
  return std::all_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue.second.AtEnd(); });
}

bool PartitionQueues::AnyInHand() const {
  return std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue.second.in_hand(); });
}

bool PartitionQueues::AnyBatchInHand() const {
  return std::any_of(queues_.begin(), queues_.end(), [](const auto& queue) { return queue.second.batch_in_hand(); });
}

ChangeSource::Progress PartitionQueues::progress() const {
  const MutexLock lock(mu_);
  ChangeSource::Progress progress;
  progress.records = records_done_;
  progress.partitions = static_cast<int32_t>(queues_.size());
  int64_t left = 0;
  bool known = assigned_;
  for (const auto& [partition, queue] : queues_) {
    known = known && queue.begun();
    left += queue.left();
    progress.requests_left += queue.requests_left();
    const std::string& requests_trouble = queue.log(Log::kRequests).trouble();
    if (!requests_trouble.empty()) progress.trouble += (progress.trouble.empty() ? "" : "; ") + requests_trouble;
    if (!queue.held_from()) continue;
    progress.trouble += (progress.trouble.empty() ? "" : "; ") + std::string("partition ") + std::to_string(partition) +
                        " waits at offset " + std::to_string(*queue.held_from()) +
                        " for the missing parts of a mutation, of which " +
                        std::to_string(queue.held_parts_bytes() >> 20) +
                        " MiB have arrived. Nothing to do: after 1 h fensi gives the mutation up, and reads the row "
                        "from the source";
  }
  if (known) progress.records_left = left;
  return progress;
}

void PartitionQueues::NoteEnds(const std::vector<LogEnd>& ends) {
  const MutexLock lock(mu_);
  for (const LogEnd& each : ends) {
    if (PartitionQueue* queue = Find(each.partition)) {
      queue->NoteEnd(each.end, options_.clock->MonotonicNow() - each.ago,
                     options_.clock->WallMillis() - each.ago.count());
    }
  }
}

StreamState PartitionQueues::state() {
  const MutexLock lock(mu_);
  StreamState state;
  state.assigned = static_cast<int32_t>(queues_.size());
  state.held_limit = options_.max_queued_bytes;
  state.at_rest = paused_ && !AnyBatchInHand();
  bool all_told = true;
  for (auto& [partition, queue] : queues_) {
    state.held_bytes += queue.held_bytes();
    if (queue.assignment() != nullptr) state.topic_partitions = queue.assignment()->partition_count();
    all_told = all_told && queue.end_told_at();
    if (!queue.begun()) continue;
    state.partitions.push_back(queue.state());
    if (all_told) {
      state.log_end_checked = std::min(state.log_end_checked.value_or(*queue.end_told_at()), *queue.end_told_at());
    }
  }
  if (!all_told) state.log_end_checked.reset();
  return state;
}

size_t PartitionQueues::held_bytes() const {
  const MutexLock lock(mu_);
  size_t bytes = 0;
  for (const auto& [partition, queue] : queues_) bytes += queue.held_bytes();
  return bytes;
}

}  // namespace fensi::consumer

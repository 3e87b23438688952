#include "operations/trial/list_source.h"

#include <atomic>

#include "consumer/codec/json_encoder.h"

namespace fensi::operations {

using consumer::Assignment;
using consumer::Batch;
using consumer::Work;

class ListSource::ListAssignment final : public consumer::OnlyPartition {
 public:
  using OnlyPartition::OnlyPartition;
  Status Check() const override { return stopped ? Status(StatusCode::kCancelled, "asked to stop") : Status(); }

  std::atomic<bool> stopped = false;
};

ListSource::ListSource(std::string topic)
    : topic_(std::move(topic)), assignment_(std::make_shared<ListAssignment>(topic_)) {}

bool ListSource::Give(std::vector<ChangeEvent> events) {
  MutexLock lock(mu_);
  first_ = end();
  events_ = std::move(events);
  changed_.notify_all();
  changed_.wait(lock, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return stopped_ || all_done(); });
  return all_done();
}

Work ListSource::Next() {
  MutexLock lock(mu_);
  const auto may_go_on = [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
    return stopped_ || state_ == State::kFresh || (state_ == State::kReady && next_ != end());
  };
  changed_.wait(lock, may_go_on);
  if (stopped_) return consumer::End{};
  const bool fresh = state_ == State::kFresh;
  state_ = State::kInHand;
  if (fresh) return consumer::Opening{assignment_, std::nullopt, 0, static_cast<int64_t>(end())};
  return MakeBatch();
}

Batch ListSource::MakeBatch() {
  Batch batch;
  batch.assignment = assignment_;
  // The record's original is what a recorded file would have held.
  const auto original = std::make_shared<std::string>();
  consumer::Record record;
  record.offset = static_cast<int64_t>(next_);
  record.event = events_[next_++ - first_];
  consumer::AppendJsonEvent(record.event, original.get());
  record.value = *original;
  batch.records.push_back(std::move(record));
  batch.memory = original;
  batch.next_offset = static_cast<int64_t>(next_);
  return batch;
}

Status ListSource::Begin(const std::shared_ptr<Assignment>&, int64_t offset) {
  const MutexLock lock(mu_);
  next_ = static_cast<size_t>(offset);
  state_ = State::kReady;
  changed_.notify_all();
  return Status();
}

void ListSource::Done(const Batch& batch) {
  const MutexLock lock(mu_);
  next_ = static_cast<size_t>(batch.next_offset);
  state_ = State::kReady;
  changed_.notify_all();
}

void ListSource::Abandon(const std::shared_ptr<Assignment>&) { Stop(); }

void ListSource::Stop() {
  const MutexLock lock(mu_);
  stopped_ = true;
  assignment_->stopped = true;
  changed_.notify_all();
}

consumer::ChangeSource::Progress ListSource::progress() const {
  const MutexLock lock(mu_);
  Progress progress;
  progress.records = static_cast<int64_t>(next_);
  progress.records_left = static_cast<int64_t>(end() - next_);
  progress.partitions = 1;
  return progress;
}

}  // namespace fensi::operations

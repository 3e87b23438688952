#include "capture/publish/producer_pool.h"

namespace fensi::capture {
namespace {

// Between two producers of which the first has broken.
constexpr std::chrono::milliseconds kRetryPause{1'000};

}  // namespace

Result<ProducerPool::Lease> ProducerPool::Get() {
  std::list<std::unique_ptr<Member>> finished;  // ends behind the lock: it joins threads
  const MutexLock lock(mu_);
  if (!members_.empty() && !members_.back()->producer->broken()) return Lease(members_.back().get());
  std::string reason;
  if (!members_.empty()) {
    reason = members_.back()->producer->fatal();
    delivered_ = members_.back()->producer->delivered();
  }
  finished = TakeFinished();
  const auto now = clock_->SinceBoot();
  if (now < next_try_) return Status(StatusCode::kUnavailable, "the producer has broken again: " + reason_);
  next_try_ = now + kRetryPause;
  if (!reason.empty()) {
    reason_ = reason;
    notices_({NoticeKind::kProducerRenewed, Words("the producer has broken and is made anew: " + reason)});
  }
  consumer::TrackedProducerOptions options = options_;
  options.delivered = delivered_;
  options.lost_log = [notices = notices_](const consumer::LostLog& lost) {
    notices({NoticeKind::kTopicLost,
             Words(consumer::LostLogText(lost) +
                   ". HBase does not send it again. Each index that reads the topic stops with exit code 78: build it "
                   "anew beside the old one, or let it replay what is there and repair it")});
  };
  auto producer = consumer::TrackedProducer::Create(options);
  if (!producer.ok()) return producer.status();
  members_.push_back(std::make_unique<Member>());
  members_.back()->producer = std::move(*producer);
  return Lease(members_.back().get());
}

/// Broken ones stay as long as their last messages may still be told of, on their own threads.
std::list<std::unique_ptr<ProducerPool::Member>> ProducerPool::TakeFinished() {
  std::list<std::unique_ptr<Member>> finished;
  for (auto member = members_.begin(); member != members_.end();) {
    const auto next = std::next(member);
    const bool idle = (*member)->writers == 0 && (*member)->producer->unacknowledged() == 0;
    if (idle) finished.splice(finished.end(), members_, member);
    member = next;
  }
  return finished;
}

void ProducerPool::Clear() {
  std::list<std::unique_ptr<Member>> all;
  const MutexLock lock(mu_);
  all.swap(members_);
}

size_t ProducerPool::size() const {
  const MutexLock lock(mu_);
  return members_.size();
}

int64_t ProducerPool::unacknowledged() const {
  const MutexLock lock(mu_);
  int64_t messages = 0;
  for (const auto& member : members_) messages += member->producer->unacknowledged();
  return messages;
}

}  // namespace fensi::capture

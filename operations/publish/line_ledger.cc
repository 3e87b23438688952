#include "operations/publish/line_ledger.h"

#include <algorithm>

namespace fensi::operations {

class LineLedger::Listener final : public consumer::DeliveryListener {
 public:
  Listener(LineLedger* ledger, int64_t line) : ledger_(ledger), line_(line) {}
  void Delivered(const Status& status) override { ledger_->Tell(line_, status); }  // ends this listener

 private:
  LineLedger* const ledger_;
  const int64_t line_;
};

consumer::DeliveryListener* LineLedger::Sent(int64_t line) {
  const MutexLock lock(mu_);
  next_ = line + 1;
  return (on_their_way_[line] = std::make_unique<Listener>(this, line)).get();
}

void LineLedger::Tell(int64_t line, const Status& status) {
  const bool own_fault = status.code() == StatusCode::kRejected || status.code() == StatusCode::kInvalidArgument;
  if (own_fault) return RefuseLine(line, status.message());
  if (!status.ok()) return Lose(line, status);
  const MutexLock lock(mu_);
  ++written_;
  on_their_way_.erase(line);
  changed_.notify_all();
}

void LineLedger::RefuseLine(int64_t line, const std::string& why) {
  refuse_(line, why);
  const MutexLock lock(mu_);
  ++refused_;
  next_ = std::max(next_, line + 1);
  on_their_way_.erase(line);
  changed_.notify_all();
}

void LineLedger::Lose(int64_t line, const Status& why) {
  const MutexLock lock(mu_);
  if (failure_.ok()) failure_ = why;
  if (first_lost_ == 0 || line < first_lost_) first_lost_ = line;
  next_ = std::max(next_, line + 1);
  on_their_way_.erase(line);
  changed_.notify_all();
}

bool LineLedger::Wait(std::chrono::milliseconds timeout) {
  MutexLock lock(mu_);
  return changed_.wait_for(lock, timeout,
                           [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return on_their_way_.empty(); });
}

int64_t LineLedger::written() const {
  const MutexLock lock(mu_);
  return written_;
}

int64_t LineLedger::refused() const {
  const MutexLock lock(mu_);
  return refused_;
}

int64_t LineLedger::first_missing() const {
  const MutexLock lock(mu_);
  const int64_t waiting = on_their_way_.empty() ? next_ : on_their_way_.begin()->first;
  return first_lost_ == 0 ? waiting : std::min(first_lost_, waiting);
}

Status LineLedger::failure() const {
  const MutexLock lock(mu_);
  return failure_;
}

}  // namespace fensi::operations

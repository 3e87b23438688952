// A change stream of events from lists: one partition, which ends with Stop. For commands that try events out.
//
// Thread-safe; Next blocks while another worker holds the partition or nothing is left. Give is for one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "consumer/change_source.h"

namespace fensi::operations {

class ListSource final : public consumer::ChangeSource {
 public:
  /// `topic` is the name in dead letters.
  explicit ListSource(std::string topic);

  /// Blocks until all of them are done, each as a batch of its own. False: the source was stopped before.
  bool Give(std::vector<ChangeEvent> events);

  consumer::Work Next() override;
  Status Begin(const std::shared_ptr<consumer::Assignment>& assignment, int64_t offset) override;
  using ChangeSource::Done;
  void Done(const consumer::Batch& batch) override;
  void Abandon(const std::shared_ptr<consumer::Assignment>& assignment) override;
  void Stop() override;
  Status Close() override { return Status(); }
  Progress progress() const override;

 private:
  class ListAssignment;
  enum class State { kFresh, kInHand, kReady };

  consumer::Batch MakeBatch() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  size_t end() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return first_ + events_.size(); }
  bool all_done() const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return state_ == State::kReady && next_ == end(); }

  const std::string topic_;
  const std::shared_ptr<ListAssignment> assignment_;

  mutable Mutex mu_;
  Condition changed_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kFresh;
  std::vector<ChangeEvent> events_ ABSL_GUARDED_BY(mu_);  // the last list
  size_t first_ ABSL_GUARDED_BY(mu_) = 0;                 // offset of its first event
  size_t next_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::operations

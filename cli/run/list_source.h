// A change stream from a list of events in memory: one partition that ends. For commands that try events out.
//
// Thread-safe; Next blocks while another worker holds the partition.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/mutex.h"
#include "consumer/change_source.h"

namespace fensi::cli {

class ListSource final : public consumer::ChangeSource {
 public:
  /// `topic` is the name that dead letters carry; batches have `batch_size` events, the last one the rest.
  ListSource(std::string topic, std::vector<ChangeEvent> events, size_t batch_size);

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

  const std::string topic_;
  const std::vector<ChangeEvent> events_;
  const size_t batch_size_;
  const std::shared_ptr<ListAssignment> assignment_;

  mutable Mutex mu_;
  Condition changed_;
  State state_ ABSL_GUARDED_BY(mu_) = State::kFresh;
  size_t next_ ABSL_GUARDED_BY(mu_) = 0;
  bool stopped_ ABSL_GUARDED_BY(mu_) = false;
};

}  // namespace fensi::cli

// A change stream with the faults of a plan. Made only if a plan is given.
//
// A Done that fails or loses its reply is a failed commit: the partition is given back, and its batch comes again
// (fail) or was committed unnoticed (lose). A Begin that fails is fenced, as Begin's failures are. The calls for
// requests have the same faults. Next can only be delayed or end the process. Assignments are wrapped, and their Check
// has the faults of "fence". As thread-safe as the wrapped source, which it owns.
#pragma once

#include <map>
#include <memory>

#include "base/mutex.h"
#include "consumer/change_source.h"
#include "daemon/faults/fault_plan.h"

namespace fensi::daemon {

class FaultSource final : public consumer::ChangeSource {
 public:
  FaultSource(std::unique_ptr<consumer::ChangeSource> behind, std::shared_ptr<FaultPlan> plan)
      : behind_(std::move(behind)), plan_(std::move(plan)) {}

  consumer::Work Next() override;
  Status Begin(const std::shared_ptr<consumer::Assignment>& assignment, int64_t offset) override;
  Status BeginRequests(const std::shared_ptr<consumer::Assignment>& assignment,
                       consumer::RequestPosition start) override;
  void Done(const consumer::Batch& batch) override;
  void Done(const consumer::RequestBatch& batch) override;
  void Abandon(const std::shared_ptr<consumer::Assignment>& assignment) override;
  void SetPaused(bool paused) override { behind_->SetPaused(paused); }
  Status Confirm() override { return behind_->Confirm(); }
  void Stop() override { behind_->Stop(); }
  Status Close() override;
  Progress progress() const override { return behind_->progress(); }

 private:
  template <typename DoneBatch>
  void DoneWithFaults(const DoneBatch& batch);
  /// Always the same object for the same assignment.
  void Wrap(std::shared_ptr<consumer::Assignment>* assignment);

  const std::unique_ptr<consumer::ChangeSource> behind_;
  const std::shared_ptr<FaultPlan> plan_;

  Mutex mu_;
  std::map<const consumer::Assignment*, std::weak_ptr<consumer::Assignment>> wrapped_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::daemon

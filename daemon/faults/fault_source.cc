#include "daemon/faults/fault_source.h"

namespace fensi::daemon {
namespace {

using AssignmentPtr = std::shared_ptr<consumer::Assignment>;

Status Fenced(const Status& fault) { return fault.ok() ? fault : Status(StatusCode::kFenced, fault.message()); }

class FaultAssignment final : public consumer::Assignment {
 public:
  FaultAssignment(AssignmentPtr behind, std::shared_ptr<FaultPlan> plan)
      : behind_(std::move(behind)), plan_(std::move(plan)) {}

  const std::string& topic() const override { return behind_->topic(); }
  int32_t partition() const override { return behind_->partition(); }
  int32_t partition_count() const override { return behind_->partition_count(); }
  Status Check() const override {
    const FaultPlan::Fate fate = plan_->Enter("fence");
    FENSI_RETURN_IF_ERROR(Fenced(fate.before));
    const Status checked = behind_->Check();
    return plan_->Leave(fate).ok() ? checked : Status();
  }
  bool has_committed() const override { return behind_->has_committed(); }
  const AssignmentPtr& behind() const { return behind_; }

 private:
  const AssignmentPtr behind_;
  const std::shared_ptr<FaultPlan> plan_;
};

const AssignmentPtr& Behind(const AssignmentPtr& wrapped) {
  return static_cast<const FaultAssignment&>(*wrapped).behind();
}

}  // namespace

void FaultSource::Wrap(AssignmentPtr* assignment) {
  const MutexLock lock(mu_);
  std::erase_if(wrapped_, [](const auto& known) { return known.second.expired(); });
  std::weak_ptr<consumer::Assignment>& known = wrapped_[assignment->get()];
  AssignmentPtr wrapped = known.lock();
  if (wrapped == nullptr) known = wrapped = std::make_shared<FaultAssignment>(std::move(*assignment), plan_);
  *assignment = std::move(wrapped);
}

consumer::Work FaultSource::Next() {
  const FaultPlan::Fate fate = plan_->Enter("next");
  consumer::Work work = behind_->Next();
  (void)plan_->Leave(fate);
  if (auto* opening = std::get_if<consumer::Opening>(&work)) Wrap(&opening->assignment);
  if (auto* batch = std::get_if<consumer::Batch>(&work)) Wrap(&batch->assignment);
  if (auto* requests = std::get_if<consumer::RequestBatch>(&work)) Wrap(&requests->assignment);
  if (auto* committed = std::get_if<consumer::Committed>(&work)) Wrap(&committed->assignment);
  return work;
}

Status FaultSource::Begin(const AssignmentPtr& assignment, int64_t offset) {
  const FaultPlan::Fate fate = plan_->Enter("begin");
  FENSI_RETURN_IF_ERROR(Fenced(fate.before));
  FENSI_RETURN_IF_ERROR(behind_->Begin(Behind(assignment), offset));
  return Fenced(plan_->Leave(fate));
}

Status FaultSource::BeginRequests(const AssignmentPtr& assignment, consumer::RequestPosition start) {
  const FaultPlan::Fate fate = plan_->Enter("begin");
  FENSI_RETURN_IF_ERROR(Fenced(fate.before));
  FENSI_RETURN_IF_ERROR(behind_->BeginRequests(Behind(assignment), start));
  return Fenced(plan_->Leave(fate));
}

void FaultSource::Abandon(const AssignmentPtr& assignment) { behind_->Abandon(Behind(assignment)); }

template <typename DoneBatch>
void FaultSource::DoneWithFaults(const DoneBatch& batch) {
  const FaultPlan::Fate fate = plan_->Enter("done");
  if (!fate.before.ok()) return Abandon(batch.assignment);
  DoneBatch done = batch;
  done.assignment = Behind(batch.assignment);
  behind_->Done(done);
  if (!plan_->Leave(fate).ok()) Abandon(batch.assignment);
}

void FaultSource::Done(const consumer::Batch& batch) { DoneWithFaults(batch); }

void FaultSource::Done(const consumer::RequestBatch& batch) { DoneWithFaults(batch); }

Status FaultSource::Close() {
  const FaultPlan::Fate fate = plan_->Enter("close");
  FENSI_RETURN_IF_ERROR(fate.before);
  const Status closed = behind_->Close();
  const Status fault = plan_->Leave(fate);
  return fault.ok() ? closed : fault;
}

}  // namespace fensi::daemon

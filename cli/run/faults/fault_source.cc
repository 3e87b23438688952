#include "cli/run/faults/fault_source.h"

namespace fensi::cli {
namespace {

Status Fenced(const Status& fault) { return fault.ok() ? fault : Status(StatusCode::kFenced, fault.message()); }

}  // namespace

consumer::Work FaultSource::Next() {
  const FaultPlan::Fate fate = plan_->Enter("next");
  consumer::Work work = behind_->Next();
  (void)FaultPlan::Leave(fate);
  return work;
}

Status FaultSource::Begin(const std::shared_ptr<consumer::Assignment>& assignment, int64_t offset) {
  const FaultPlan::Fate fate = plan_->Enter("begin");
  FENSI_RETURN_IF_ERROR(Fenced(fate.before));
  FENSI_RETURN_IF_ERROR(behind_->Begin(assignment, offset));
  return Fenced(FaultPlan::Leave(fate));
}

void FaultSource::Done(const consumer::Batch& batch) {
  const FaultPlan::Fate fate = plan_->Enter("done");
  if (!fate.before.ok()) return behind_->Abandon(batch.assignment);
  behind_->Done(batch);
  if (!FaultPlan::Leave(fate).ok()) behind_->Abandon(batch.assignment);
}

Status FaultSource::Close() {
  const FaultPlan::Fate fate = plan_->Enter("close");
  FENSI_RETURN_IF_ERROR(fate.before);
  const Status closed = behind_->Close();
  const Status fault = FaultPlan::Leave(fate);
  return fault.ok() ? closed : fault;
}

}  // namespace fensi::cli

#include "consumer/change_source.h"

namespace fensi::consumer {

Status ChangeSource::BeginRequests(const std::shared_ptr<Assignment>& assignment, RequestPosition) {
  return Status(StatusCode::kInvalidArgument,
                assignment->topic() + " has no topic of requests. Report this line to the developers");
}

void ChangeSource::Done(const RequestBatch&) {}

}  // namespace fensi::consumer

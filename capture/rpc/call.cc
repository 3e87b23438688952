#include "capture/rpc/call.h"

#include <utility>

namespace fensi::capture {
namespace {

// They need no memory any more.
const Status kClosed(StatusCode::kCancelled, "the connection of the region server was closed");
const Status kLate(StatusCode::kUnavailable, "Kafka did not acknowledge all events of the call within its timeout");

}  // namespace

void PendingCalls::Add(uint64_t id, const std::shared_ptr<Call>& call, std::chrono::milliseconds deadline) {
  auto pending = std::make_unique<Pending>(io_);
  pending->call = call;
  pending->deadline.Start(deadline, [weak = pending->call] {
    if (const auto late = weak.lock()) late->Answer(kLate);
  });
  calls_.emplace(id, std::move(pending));
}

void PendingCalls::Drop() {
  const auto dropped = std::exchange(calls_, {});
  for (const auto& [id, pending] : dropped) {
    if (const auto call = pending->call.lock()) call->Answer(kClosed);
  }
}

}  // namespace fensi::capture

#include "store/instrumented_store.h"

#include <optional>

namespace fensi::store {
namespace {

std::optional<FailureKind> FailureOf(const Status& status) {
  switch (status.code()) {
    case StatusCode::kOk:
    case StatusCode::kFenced:
    case StatusCode::kCancelled:
      return std::nullopt;
    case StatusCode::kUnavailable:
      return FailureKind::kUnavailable;
    case StatusCode::kRejected:
      return FailureKind::kRejected;
    case StatusCode::kPermission:
      return FailureKind::kPermission;
    default:
      return FailureKind::kOther;
  }
}

}  // namespace

void StoreMetrics::Note(StoreOp call, std::chrono::nanoseconds took, const Status& status, bool some_rejected) {
  const auto kind = static_cast<size_t>(call);
  seconds[kind].Observe(std::chrono::duration<double>(took).count());
  std::optional<FailureKind> failure = FailureOf(status);
  if (some_rejected) failure = FailureKind::kRejected;
  if (failure) ++failures[kind][static_cast<size_t>(*failure)];
}

}  // namespace fensi::store

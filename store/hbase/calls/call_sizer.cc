#include "store/hbase/calls/call_sizer.h"

#include <algorithm>
#include <tuple>

namespace fensi::store {
namespace {

using std::chrono::nanoseconds;

constexpr CallSizer::Bounds kCellsOfAWrite{1'000, 5'000};  // HBase warns of more than 5,000 rows in a call
constexpr CallSizer::Bounds kRowsOfAGet{CallPaces::kFewestGets, 2'500};

/// True if the caller lost the right to the call, which says nothing about the table.
bool IsEndOfCaller(const Status& status) {
  return status.code() == StatusCode::kFenced || status.code() == StatusCode::kCancelled;
}

}  // namespace

size_t CallSizer::units() const {
  const MutexLock lock(mu_);
  return std::min(units_, Most());
}

CallSizer::Begun CallSizer::Begin() const {
  const MutexLock lock(mu_);
  return {clock_->MonotonicNow(), failures_};
}

void CallSizer::End(const Begun& begun, size_t count, const Status& status) {
  if (IsEndOfCaller(status)) return;
  const MutexLock lock(mu_);
  if (!status.ok()) {
    Failed(count);
  } else if (begun.failures == failures_) {
    Took(count, clock_->MonotonicNow() - begun.at);
  }
}

void CallSizer::Took(size_t count, nanoseconds took) {
  const auto ns = static_cast<uint64_t>(std::max(took, nanoseconds(1)).count());
  const auto fits = static_cast<size_t>(count * static_cast<uint64_t>(nanoseconds(kLongest).count()) / ns);
  if (count * 2 < units_) {  // little was sent: that says little, unless it took long
    if (took > kLongest) units_ = std::max(bounds_.fewest, std::min(units_, fits));
    return;
  }
  units_ = std::clamp(std::min(count * 2, fits), bounds_.fewest, Most());
  if (count >= failed_) caution_ = kCaution;
}

void CallSizer::Failed(size_t count) {
  ++failures_;
  const size_t half = std::max(bounds_.fewest, count / 2);
  ceiling_ = Ceiling{std::min(half, Most()), clock_->MonotonicNow() + caution_};
  units_ = std::min(units_, half);
  // A limit of the server, for instance a quota, is met again whenever calls have grown to it.
  caution_ = std::min(caution_ * 2, kMostCaution);
  failed_ = count;
}

size_t CallSizer::Most() const {
  const bool cautious = ceiling_ && clock_->MonotonicNow() < ceiling_->until;
  return cautious ? ceiling_->units : bounds_.most;
}

CallSizer& CallPaces::Of(const std::string& table, Kind kind) {
  const CallSizer::Bounds& bounds = kind == Kind::kGet ? kRowsOfAGet : kCellsOfAWrite;
  const MutexLock lock(mu_);
  return paces_
      .emplace(std::piecewise_construct, std::forward_as_tuple(table, kind), std::forward_as_tuple(bounds, clock_))
      .first->second;
}

}  // namespace fensi::store

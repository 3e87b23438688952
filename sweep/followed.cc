#include "sweep/followed.h"

namespace fensi::sweep {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kMarkPause{500};

}  // namespace

Result<bool> Followed::Has(int64_t time) {
  const milliseconds now = clock_->SinceBoot();
  if (now >= next_look_) FENSI_RETURN_IF_ERROR(Look(now));
  return !complete_ || *complete_ > time + skew_.count() || now - risen_ >= kStill;
}

/// A meta table or an index that is not there says nothing.
Status Followed::Look(milliseconds now) {
  next_look_ = now + kMarkPause;
  const Result<std::optional<meta::IndexState>> state = record_.Read();
  if (state.status().code() == StatusCode::kNotFound) return {};
  FENSI_RETURN_IF_ERROR(state.status());
  const bool ours = state->has_value() && (*state)->incarnation == incarnation_;
  const std::optional<int64_t> complete = ours ? (*state)->complete : std::nullopt;
  if (complete != complete_) risen_ = now;
  complete_ = complete;
  return {};
}

}  // namespace fensi::sweep

#include "sweep/scrub/lease.h"

#include <sstream>

namespace fensi::sweep {

Result<std::optional<ScrubPlace>> ScrubLease::Take() {
  const Result<std::optional<Cell>> known = row_.Read(column_);
  FENSI_RETURN_IF_ERROR(known.status());
  Held held;
  if (known->has_value()) {
    held = HeldOf((*known)->value);
    if (held.worker != worker_ && !IsSilent((*known)->value)) return std::optional<ScrubPlace>();
  }
  const Result<bool> ours = Write(*known, held.beat + 1, held.place);
  FENSI_RETURN_IF_ERROR(ours.status());
  return *ours ? std::optional(held.place) : std::nullopt;
}

Result<bool> ScrubLease::Move(const ScrubPlace& place) {
  const Result<std::optional<Cell>> known = row_.Read(column_);
  FENSI_RETURN_IF_ERROR(known.status());
  if (!known->has_value()) return false;
  const Held held = HeldOf((*known)->value);
  if (held.worker != worker_) return false;
  return Write(*known, held.beat + 1, place);
}

/// What a person made of it is nobody's, and a place of no pass.
ScrubLease::Held ScrubLease::HeldOf(const std::string& text) {
  std::istringstream words(text);
  Held held;
  std::string place;
  if (!(words >> held.worker >> held.beat) || held.beat < 0 || held.beat == INT64_MAX) return {};
  std::getline(words >> std::ws, place);
  held.place = ScrubPlaceOf(place).value_or(ScrubPlace());
  return held;
}

bool ScrubLease::IsSilent(const std::string& text) {
  const std::chrono::milliseconds now = clock_->SinceBoot();
  if (text != seen_) {
    seen_ = text;
    seen_at_ = now;
  }
  return now - seen_at_ >= kSilence;
}

Result<bool> ScrubLease::Write(const std::optional<Cell>& known, int64_t beat, const ScrubPlace& place) {
  const std::string value = worker_ + " " + std::to_string(beat) + " " + TextOf(place);
  const Result<Cell> now = row_.Replace(column_, known, value);
  if (now.status().code() == StatusCode::kNotFound) return false;  // a person deleted it meanwhile
  FENSI_RETURN_IF_ERROR(now.status());
  return now->value == value;
}

}  // namespace fensi::sweep

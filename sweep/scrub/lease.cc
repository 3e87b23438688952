#include "sweep/scrub/lease.h"

#include <array>
#include <sstream>

#include "sweep/jobs/board.h"

namespace fensi::sweep {
namespace {

std::array<int64_t*, 9> NumbersOf(ScrubSum* sum) {
  return {&sum->began,  &sum->ended,   &sum->rows,      &sum->cells,       &sum->missing,
          &sum->orphan, &sum->differs, &sum->undecided, &sum->unattributed};
}

/// Reads the whole text, without a word more.
std::optional<ScrubSum> ReadSum(std::istringstream* words) {
  ScrubSum sum;
  for (int64_t* number : NumbersOf(&sum)) {
    if (!(*words >> *number) || *number < 0) return std::nullopt;
  }
  std::string more;
  return *words >> more ? std::nullopt : std::optional(sum);
}

}  // namespace

void ScrubSum::Add(const Counts& counts) {
  rows += counts.rows;
  cells += counts.cells;
  missing += counts.missing;
  orphan += counts.orphan;
  differs += counts.content_differs;
  undecided += counts.undecided;
  unattributed += counts.unattributed;
}

std::string TextOf(const ScrubSum& sum) {
  ScrubSum copy = sum;
  std::string text;
  for (const int64_t* number : NumbersOf(&copy)) text += (text.empty() ? "" : " ") + std::to_string(*number);
  return text;
}

std::string TextOf(const ScrubPlace& place) {
  return std::string(place.backward ? "backward " : "forward ") + KeyWord(place.table) + " " + KeyWord(place.next) +
         " " + TextOf(place.sum);
}

std::optional<ScrubSum> ScrubSumOf(const std::string& text) {
  std::istringstream words(text);
  return ReadSum(&words);
}

std::optional<ScrubPlace> ScrubPlaceOf(const std::string& text) {
  std::istringstream words(text);
  std::string way, table, next;
  if (!(words >> way >> table >> next) || (way != "forward" && way != "backward")) return std::nullopt;
  const std::optional<std::string> table_name = KeyOf(table), row = KeyOf(next);
  const std::optional<ScrubSum> sum = ReadSum(&words);
  if (!table_name || !row || !sum) return std::nullopt;
  return ScrubPlace{way == "backward", *table_name, *row, *sum};
}

Result<std::optional<ScrubPlace>> ScrubLease::Take() {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read(column_));
  Held held;
  if (known.has_value()) {
    held = HeldOf(known->value);
    if (held.worker != worker_ && !IsSilent(known->value)) return std::optional<ScrubPlace>();
  }
  FENSI_ASSIGN_OR_RETURN(const bool ours, Write(known, held.beat + 1, held.place));
  return ours ? std::optional(held.place) : std::nullopt;
}

Result<bool> ScrubLease::Move(const ScrubPlace& place) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Cell> known, row_.Read(column_));
  if (!known.has_value()) return false;
  const Held held = HeldOf(known->value);
  if (held.worker != worker_) return false;
  return Write(known, held.beat + 1, place);
}

/// A text that a person wrote is no process's lease, and no position of a pass.
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
  const std::chrono::milliseconds now = clock_->MonotonicNow();
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

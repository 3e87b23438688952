// Who scrubs an index: one process at a time, by one cell in which also stands how far it is. Who does not move for
// kSilence has lost it, and the next one goes on where it was. Two for a moment do no harm: both only read, and the
// place of one of them stays.
//
// The cell is "WORKER BEAT PLACE" (scrub/place.h) and changes by compare-and-set only.
// Blocks on the store; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "meta/shared_row.h"
#include "sweep/scrub/place.h"

namespace fensi::sweep {

class ScrubLease {
 public:
  static constexpr std::chrono::seconds kSilence{10};

  /// `worker`: a name that nobody else has, one word.
  ScrubLease(meta::SharedRow row, std::string column, std::string worker, Clock* clock)
      : row_(std::move(row)), column_(std::move(column)), worker_(std::move(worker)), clock_(clock) {}

  /// The place to go on from, of a new pass where nobody can say. Absent: another process has the lease and moves, or
  /// was not watched for long enough.
  Result<std::optional<ScrubPlace>> Take();
  /// This process lives, and is there. False: another one has the lease. Where it fails nobody knows; once more.
  Result<bool> Move(const ScrubPlace& place);

 private:
  struct Held {
    std::string worker;
    int64_t beat = 0;
    ScrubPlace place;
  };
  static Held HeldOf(const std::string& text);
  bool IsSilent(const std::string& text);
  Result<bool> Write(const std::optional<Cell>& known, int64_t beat, const ScrubPlace& place);

  const meta::SharedRow row_;
  const std::string column_;
  const std::string worker_;
  Clock* const clock_;
  std::string seen_;  // of another process
  std::chrono::milliseconds seen_at_{0};
};

}  // namespace fensi::sweep

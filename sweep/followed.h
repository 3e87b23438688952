// Whether an index has all that its source showed at a moment, as its daemons tell by marks (decision 12).
//
// Blocks on the store, which it asks twice a second at most; one thread. The store and the clock outlive it.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

#include "base/clock.h"
#include "meta/index_record.h"

namespace fensi::sweep {

class Followed {
 public:
  /// A mark that stands still for so long says no more: no daemon runs, or no capture. A daemon that was killed has its
  /// partitions given to another one, or its successor, before that.
  static constexpr std::chrono::minutes kStill{2};

  /// `incarnation`: of the index. `skew`: by how much the clocks of this machine and the region servers may differ.
  Followed(meta::IndexRecord record, std::string incarnation, Clock* clock, std::chrono::milliseconds skew)
      : record_(std::move(record)), incarnation_(std::move(incarnation)), clock_(clock), skew_(skew) {}

  /// What the source showed at this time, milliseconds since the epoch by this machine, is in the index. True, too,
  /// where no mark says it, or says it no more.
  Result<bool> Has(int64_t time);

 private:
  Status Look(std::chrono::milliseconds now);

  const meta::IndexRecord record_;
  const std::string incarnation_;
  Clock* const clock_;
  const std::chrono::milliseconds skew_;
  std::optional<int64_t> complete_;  // absent: nobody says
  std::chrono::milliseconds risen_{0};
  std::chrono::milliseconds next_look_{0};
};

}  // namespace fensi::sweep

// The lease on the scrub of an index: one process at a time, by one cell that also has the position. A process without
// a heartbeat for kSilence loses the lease, and the next one continues at the position. Two scrubs for a moment do no
// harm: both only read, and the position of one of them stays.
//
// The cell is "WORKER BEAT PLACE" (ScrubPlace) and changes by compare-and-set only. Blocks on the store; one thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/clock.h"
#include "meta/versioned_meta_row.h"
#include "sweep/compare/finding.h"

namespace fensi::sweep {

// The position and results of a scrub pass. Plain values, and their text in the meta table.

/// The result of a pass, or of a part of it.
struct ScrubSum {
  int64_t began = 0, ended = 0;  // milliseconds since the epoch; 0: not yet
  int64_t rows = 0;              // of the source, compared forward
  int64_t cells = 0;             // of the index, compared backward
  int64_t missing = 0, orphan = 0, differs = 0;
  int64_t undecided = 0;
  int64_t unattributed = 0;  // cells that do not identify their source row: not compared

  int64_t found() const { return missing + orphan + differs; }
  void Add(const Counts& counts);
  bool operator==(const ScrubSum&) const = default;
};

struct ScrubPlace {
  bool backward = false;
  std::string table;  // of the index, while going backward
  std::string next;   // rows before it are compared
  ScrubSum sum;       // of the pass up to here
  bool operator==(const ScrubPlace&) const = default;
};

std::string TextOf(const ScrubSum& sum);
std::string TextOf(const ScrubPlace& place);
/// Absent: the text is none.
std::optional<ScrubSum> ScrubSumOf(const std::string& text);
std::optional<ScrubPlace> ScrubPlaceOf(const std::string& text);

// The lease on the scrub of an index.

class ScrubLease {
 public:
  static constexpr std::chrono::seconds kSilence{10};

  /// `worker`: a unique name, one word.
  ScrubLease(meta::VersionedMetaRow row, std::string column, std::string worker, Clock* clock)
      : row_(std::move(row)), column_(std::move(column)), worker_(std::move(worker)), clock_(clock) {}

  /// Takes the lease. Returns the position to continue from; a new pass if there is none. Absent: another process has
  /// the lease and sends heartbeats, or was not watched for long enough.
  Result<std::optional<ScrubPlace>> Take();
  /// Sends a heartbeat with the position. False: another process has the lease. On an error it is unknown; call again.
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

  const meta::VersionedMetaRow row_;
  const std::string column_;
  const std::string worker_;
  Clock* const clock_;
  std::string seen_;  // heartbeat of another process
  std::chrono::milliseconds seen_at_{0};
};

}  // namespace fensi::sweep

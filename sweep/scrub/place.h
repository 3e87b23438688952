// How far a pass of a scrub is, and what it found so far. Plain values, and their text in the meta table.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "sweep/finding.h"

namespace fensi::sweep {

/// What a pass, or a part of it, came to.
struct ScrubSum {
  int64_t began = 0, ended = 0;  // milliseconds since the epoch; 0: not yet
  int64_t rows = 0;              // of the source, compared forward
  int64_t cells = 0;             // of the index, compared backward
  int64_t missing = 0, orphan = 0, differs = 0;
  int64_t undecided = 0;
  int64_t unattributed = 0;  // cells that do not tell their source row: not compared

  int64_t found() const { return missing + orphan + differs; }
  void Add(const Counts& counts);
  bool operator==(const ScrubSum&) const = default;
};

struct ScrubPlace {
  bool backward = false;
  std::string table;  // of the index, going backward
  std::string next;   // rows before it are compared
  ScrubSum sum;       // of the pass up to here
  bool operator==(const ScrubPlace&) const = default;
};

std::string TextOf(const ScrubSum& sum);
std::string TextOf(const ScrubPlace& place);
/// Absent: it is none.
std::optional<ScrubSum> ScrubSumOf(const std::string& text);
std::optional<ScrubPlace> ScrubPlaceOf(const std::string& text);

}  // namespace fensi::sweep

// What must be in the index at one moment of what a source row gives: not what a period table takes no longer, and not
// what is about to expire. Pure.
#pragma once

#include <cstdint>
#include <optional>

#include "mapping/index.h"

namespace fensi::sweep {

class Expectation {
 public:
  Expectation(const mapping::Index& index, int64_t now_millis);

  /// False: `fensi run` need not have put it, nor changed it since.
  bool Inside(const mapping::Entry& entry) const { return entry.period >= from_ && entry.period <= to_; }
  /// It goes with the cells it came from now or in a moment. Not long ago: a source that still shows these cells keeps
  /// them beyond the TTL under `create:`, so that the entry is missing.
  bool Expires(const mapping::Entry& entry) const {
    return entry.expires_at >= expires_from_ && entry.expires_at <= expires_to_;
  }

  int64_t from() const { return from_; }
  int64_t to() const { return to_; }

 private:
  int64_t from_ = INT64_MIN;
  int64_t to_ = INT64_MAX;
  int64_t expires_from_;
  int64_t expires_to_;
};

}  // namespace fensi::sweep

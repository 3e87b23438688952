// Random input for properties. All of it calls rapidcheck: only inside of Holds().
#pragma once

#include "support/history.h"

namespace fensi::testing {

/// What a history may contain.
struct Limits {
  bool version_deletes = false;
  bool disorder = true;
  bool compact_source = false;
  bool lose_kinds = false;  // the stream does not tell the kind of a delete
  int max_events = 12;
  int timestamps = 9;
};

History SomeHistory(const Limits& limits);
/// From `from` up to and without `end`.
int SomeNumber(int from, int end);

}  // namespace fensi::testing

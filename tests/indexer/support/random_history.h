// Random input for properties. All of it calls rapidcheck: only inside of Holds().
#pragma once

#include <vector>

#include "tests/indexer/support/history.h"

namespace fensi::testing {

/// What a history may contain.
struct Limits {
  bool version_deletes = false;
  bool disorder = true;
  bool compact_source = false;
  bool lose_kinds = false;  // the stream does not tell the kind of a delete
  int max_events = 12;
  int timestamps = 9;
  std::vector<int> ttls = {};  // of puts; see CellSpec
  bool ttl_of_column = false;  // every put of a column has the same
  int rows = 2;
  int tick = 1;
  int64_t base = 0;
  bool deaths = true;
  int batch = 1;  // its sizes are multiples of it
};

History SomeHistory(const Limits& limits);
/// From `from` up to and without `end`.
int SomeNumber(int from, int end);

}  // namespace fensi::testing

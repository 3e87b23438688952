// A random history: what happened to the source table, how the stream told it, and what went wrong meanwhile. All of
// it small numbers, so that rapidcheck shrinks a failing one to something a person can read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "base/cell.h"
#include "indexer/state/layout.h"

namespace fensi::testing {

struct CellSpec {
  int kind = 0;    // see MakeCell
  int column = 0;  // k, v, m
  int timestamp = 1;
  int value = 0;  // a, b, c, "a,b", "b,c"
  int ttl = 0;    // milliseconds; 0: none of its own
};

struct EventSpec {
  int row = 0;
  std::vector<CellSpec> cells;
  bool compact_source = false;  // the source table is compacted after it
};

/// The stream swaps two neighbouring segments [at, at + left) and [at + left, at + left + right).
struct SwapSpec {
  int at = 0, left = 1, right = 1;
};

/// The stream tells [at, at + length) once more, `later` events later.
struct RepeatSpec {
  int at = 0, length = 1, later = 0;
};

/// The process dies at the `call`-th store call of the `batch`-th batch, before or after it took effect.
struct DeathSpec {
  int batch = 0, call = 1;
  bool after = false;
};

struct History {
  std::vector<EventSpec> events;
  std::vector<SwapSpec> swaps;
  std::vector<RepeatSpec> repeats;
  std::vector<DeathSpec> deaths;
  std::vector<int> batch_sizes;   // used in turn
  std::vector<int> commit_every;  // batches between commits, in turn
  std::vector<int> compact_at;    // batches after which index and state tables are compacted
  int source_ahead = 0;           // events by which the source is ahead of the stream
  int source_late = 0;            // newest events that a first look at the source does not see
  bool lose_kinds = false;
  int bucket_bits = 1;         // of the states of source rows; -1: each has a row of its own
  int most_in_bucket = 1'000;  // bytes of a state; a small one is some 40
  int tick = 1;                // milliseconds between two timestamps; rows stand a quarter of a tick apart
  int64_t base = 0;            // added to every timestamp
};

ChangeEvent MakeEvent(const EventSpec& spec, uint64_t sequence_id, int64_t tick = 1, int64_t base = 0);
/// The event as a stream tells it that only knows "delete".
ChangeEvent WithoutKinds(ChangeEvent event);
indexer::StateLayout LayoutOf(const History& history);
/// Order in which the stream tells the events: indexes into history.events.
std::vector<size_t> StreamOrder(const History& history);
/// For rapidcheck, which shows what a property failed on.
void showValue(const History& history, std::ostream& out);

}  // namespace fensi::testing

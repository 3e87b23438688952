// Divides a batch of mutations into calls of a good size for the gateway. Pure, any thread.
//
// Invariants: every row of `wanted` is in exactly one call; mutations of one row keep their order, because they are in
// one sequence and the calls of a sequence are made one after the other.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "store/store.h"

namespace fensi::store {

struct BatchLimits {
  size_t cells = 1000;
  size_t bytes = 2 << 20;
};

using Batch = std::vector<size_t>;        // indexes of mutations: one call
using CallSequence = std::vector<Batch>;  // calls in order; sequences are independent

/// Makes calls smaller than the limits if that lets `connections` share the work (each gets some 250 cells at least),
/// and no smaller: one more sequence would make a finished connection wait once more. A row that is larger than a call
/// is a call of its own.
std::vector<CallSequence> CutIntoSequences(std::span<const RowMutation> rows, std::span<const size_t> wanted,
                                           int connections, const BatchLimits& limits = {});

/// Number of cells of these mutations.
size_t CellsOf(std::span<const RowMutation> rows, std::span<const size_t> mutations);

/// Number of `count` requests that go into one call.
size_t ShareOf(size_t count, int connections, size_t smallest, size_t largest);

}  // namespace fensi::store

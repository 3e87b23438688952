// What an index has done, counted by all its workers. A copy is what it was when it was made, each number for itself.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include "indexer/plan/letter.h"

namespace fensi::indexer {

/// An atomic number that may be copied.
struct Count : std::atomic<int64_t> {
  using std::atomic<int64_t>::atomic;
  using std::atomic<int64_t>::operator=;
  Count() = default;
  Count(const Count& other) : std::atomic<int64_t>(other.load()) {}
};

struct Counters {
  Count events{0};   // records of finished batches
  Count skipped{0};  // of another table
  Count puts{0};     // index cells
  Count deletes{0};
  Count dead_letters{0};
  std::array<Count, kLetterKinds> letters_of{};  // by LetterKind
  Count consumed_bytes{0};                       // of finished batches
  Count state_reads{0};                          // of rows of their table
  Count units_cached{0};                         // units whose state was wanted: it was remembered,
  Count units_skipped{0};                        // surely was none (M13),
  Count units_read{0};                           // or was asked for
  Count source_reads{0};
  Count batches{0};
  Count requests{0};           // of finished batches
  Count stale_requests{0};     // of them, meant for another incarnation
  Count unmappable_images{0};  // reasons why images gave no entry, also those that no letter tells
};

}  // namespace fensi::indexer

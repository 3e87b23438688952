// The status of the dead letters of a topic, computed from the entries of its ledger.
//
// Two bits per offset from the beginning of the log to the last resolved one, however the entries are divided: a
// million dead letters that were resolved one by one take 250 kB. Pure; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "consumer/codec/letter_codec.h"
#include "operations/dead_letters/place.h"

namespace fensi::operations {

enum class LetterState : uint8_t { kOpen, kRetried, kDiscarded };
inline constexpr std::array<const char*, 3> kLetterStateNames = {"open", "retried", "discarded"};

/// kInvalidArgument: an entry at `place` is about dead letters that did not exist when the entry was written.
Status CheckEntry(const Place& place, const consumer::Resolution& entry);

class Ledger {
 public:
  /// Call before Note, for every message: where the log of its partition begins. Earlier messages are gone, and an
  /// entry about them takes no memory.
  void See(const Place& place);
  /// `place`: position of the entry. The last entry of a partition about a dead letter counts. An entry that CheckEntry
  /// refuses does not count.
  Status Note(const Place& place, const consumer::Resolution& entry);
  LetterState StateOf(const Place& place) const;
  size_t bytes() const;

 private:
  struct Partition {
    int64_t begin = 0;           // beginning of the log, rounded down to a multiple of the dead letters in a byte
    std::vector<uint8_t> bytes;  // of four dead letters each
  };
  static void Fill(Partition* partition, const consumer::DeadLetterRange& range, LetterState state);

  std::map<int32_t, Partition> partitions_;
};

}  // namespace fensi::operations

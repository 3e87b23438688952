// What was done about the letters of a topic, folded from the entries of its ledger.
//
// Two bits for each offset from the begin of the log up to the last that was ever resolved, however the entries are
// cut: a million letters that were resolved one by one take 250 kB. Pure; one thread.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <vector>

#include "cli/parked/place.h"
#include "consumer/codec/letter_codec.h"

namespace fensi::cli {

enum class LetterState : uint8_t { kOpen, kReplayed, kDropped };
inline constexpr std::array<const char*, 3> kLetterStateNames = {"open", "replayed", "dropped"};

/// kInvalidArgument: an entry at `place` speaks of letters that nobody could have seen when it was written.
Status CheckEntry(const Place& place, const consumer::Resolution& entry);

class Ledger {
 public:
  /// Before Note, for every message that is read: where the log of its partition begins. What was before is gone, and
  /// an entry about it takes no memory.
  void See(const Place& place);
  /// `place`: of the entry. Of several entries about a letter the last one of its partition counts. Of one that
  /// CheckEntry refuses nothing counts.
  Status Note(const Place& place, const consumer::Resolution& entry);
  LetterState StateOf(const Place& place) const;
  size_t bytes() const;

 private:
  struct Partition {
    int64_t begin = 0;           // of the log, down to a multiple of the letters in a byte
    std::vector<uint8_t> bytes;  // of four letters each
  };
  static void Fill(Partition* partition, const consumer::LetterRange& range, LetterState state);

  std::map<int32_t, Partition> partitions_;
};

}  // namespace fensi::cli

// M19: which cells no source row gives, where the cell itself does not tell its row. All that the source gives is added
// up and all that the index has is taken away, in buckets; what lies in a bucket that does not come out even is a
// suspect. A second pass over the source strikes out whatever it gives.
//
// Memory does not depend on the size of the tables. One thread.
#pragma once

#include <cstdint>
#include <functional>
#include <unordered_map>
#include <vector>

#include "mapping/entry_list.h"
#include "sweep/bucket_sums.h"
#include "sweep/index_cell.h"

namespace fensi::sweep {

class Orphans {
 public:
  explicit Orphans(size_t max_suspects);

  void NoteDerived(const mapping::Entry& entry) { sums_.Add(CellHash(entry), CellHash(entry)); }
  void NoteFound(const mapping::Entry& cell) { sums_.Take(CellHash(cell), CellHash(cell)); }
  /// Every bucket came out even: all that was found was derived.
  bool Balanced() const { return sums_.uneven() == 0; }
  bool IsSuspicious(const mapping::Entry& cell) const { return !sums_.IsEven(CellHash(cell)); }

  /// False: they are too many.
  bool AddSuspect(const mapping::Entry& cell, int64_t timestamp);
  size_t suspects() const { return suspects_.size(); }
  bool Has(const mapping::Entry& cell) const;
  /// The source gives it.
  void Strike(const mapping::Entry& entry);

  struct Suspect {
    IndexCell cell;
    int64_t timestamp = 0;  // of the version that was seen
  };
  /// Those that were not struck out.
  std::vector<Suspect> Left() const;

 private:
  const size_t max_suspects_;
  BucketSums sums_;
  std::unordered_multimap<uint64_t, Suspect> suspects_;
  size_t held_bytes_ = 0;
};

}  // namespace fensi::sweep

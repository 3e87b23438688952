// Removes cells of an index that belong to no source row and do not identify one, so that no owner can be asked:
// exactly the versions that were proved (M19), repeatedly while an older one shows.
//
// A source row that came to give one of the cells during the proof may have put it at the very version that was
// removed, so the source is scanned once more: such rows are rechecked. Blocks on the store; one thread. Everything
// that is handed in outlives it.
#pragma once

#include <cstdint>
#include <vector>

#include "store/store.h"
#include "sweep/compare/orphan_detector.h"

namespace fensi::operations {

class OrphanRemoval {
 public:
  OrphanRemoval(store::Store* store, sweep::OrphanVerifier* proof) : store_(store), proof_(proof) {}

  Status Remove(std::vector<sweep::IndexCell> cells);

  int64_t removed() const { return removed_; }  // versions
  /// Units that give removed cells now.
  const std::vector<sweep::SourceUnit>& givers() const { return givers_; }

 private:
  Status RemoveVersions(const std::vector<sweep::OrphanVerifier::Versions>& cells);

  store::Store* const store_;
  sweep::OrphanVerifier* const proof_;
  int64_t removed_ = 0;
  std::vector<sweep::SourceUnit> givers_;
};

}  // namespace fensi::operations

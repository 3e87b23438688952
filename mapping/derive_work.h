// What a thread needs while it derives entries: memory that is reused from row to row. Internal to CompiledIndex.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "mapping/compiled_index.h"
#include "mapping/functions/scratch.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

struct CompiledIndex::Work {
  struct Pending {
    Entry entry;
    bool dead = false;  // a later one has the same cell

    /// If both say the same, the later lives as long as either would.
    void GiveWayTo(Entry* later) {
      dead = true;
      if (entry.value == later->value) later->expires_at = std::max(later->expires_at, entry.expires_at);
    }
  };

  void Begin(std::string_view row) {
    scratch.Reset();
    bound.clear();
    pending.clear();
    entry_bytes = 0;
    inputs = {};
    inputs.row = row;
  }

  Scratch scratch;
  std::vector<const VisibleCell*> slots;
  std::vector<const VisibleCell*> bound;
  std::vector<Pending> pending;
  std::vector<Pending*> sorted;
  std::vector<std::string_view> items;
  size_t entry_bytes = 0;  // of everything pending, at most kMostScratchBytes
  Inputs inputs;
};

}  // namespace fensi::mapping

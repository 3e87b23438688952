// Working memory of a thread that derives entries, reused from row to row.
#pragma once

#include <algorithm>
#include <string_view>
#include <vector>

#include "mapping/definition/definition.h"
#include "mapping/entry_list.h"
#include "mapping/functions/scratch.h"
#include "mapping/source_row.h"
#include "mapping/template/program.h"

namespace fensi::mapping {

struct Work {
  struct Pending {
    Entry entry;
    bool dead = false;  // a later one has the same cell

    /// Makes the later of two equal cells live as long as either would, and be renewed with either, if both have the
    /// same value.
    void GiveWayTo(Entry* later) {
      dead = true;
      if (entry.value != later->value) return;
      later->expires_at = std::max(later->expires_at, entry.expires_at);
      later->newest = std::max(later->newest, entry.newest);
    }
  };

  /// Resets for a new row, and finds its cells for the templates. Borrows both.
  void Begin(const IndexDefinition& definition, const RowView& row);
  /// The items of a list of `each:`: trimmed, sorted, each once.
  void TakeItems(const Part& part, const Value& list);

  Scratch scratch;
  std::vector<const VisibleCell*> slots;
  std::vector<const VisibleCell*> bound;
  std::vector<Pending> pending;
  std::vector<Pending*> sorted;
  std::vector<std::string_view> items;
  size_t entry_bytes = 0;  // of everything pending, at most kMostScratchBytes
  bool full = false;       // they would be more
  Inputs inputs;
};

}  // namespace fensi::mapping

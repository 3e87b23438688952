// Drafts a mapping file for a table: what its rows show, the index that it most likely needs, others as comments, each
// with its cost, and a test.
//
// Pure, slow, any thread. The text is always a valid mapping; what it proposes is a guess.
#pragma once

#include <string>
#include <vector>

#include "mapping/starter/columns.h"

namespace fensi::mapping {

struct MappingDraft {
  std::string text;
  std::vector<std::string> skews;  // warnings about keys, of active indexes or not, that would collect too many entries
};

/// `sample` has at least one family.
MappingDraft DraftMapping(const TableSample& sample);

}  // namespace fensi::mapping

// Compares the running indexes of a process with those of its mapping files: what a reload would do. Pure.
#pragma once

#include <string>
#include <vector>

#include "base/redactable_text.h"
#include "operations/mappings/mapping_files.h"

namespace fensi::daemon {

struct RunningIndex {
  const mapping::Index* index;
  bool ended = false;    // by itself, for instance by an error
  bool leaving = false;  // removed by an earlier reload, not ended yet
};

struct Comparison {
  operations::Indexes begin;            // no index of this name runs
  operations::Indexes stay;             // as the files have them now
  std::vector<std::string> end;         // names of running indexes that are in no file
  std::vector<RedactableText> refused;  // why nothing of this may be done; empty: it may
  std::vector<std::string> waits;       // changes that need a restart
  std::vector<std::string> remade;      // of `stay`, with another `create:`
};

/// An index that has ended counts as not running: it begins again, with any definition.
Comparison CompareIndexes(const std::vector<RunningIndex>& running, const operations::Indexes& wanted);

}  // namespace fensi::daemon

// What a reload would do: the indexes of a process beside those that its mapping files have now. Pure.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/words.h"
#include "cli/mappings/mapping_files.h"

namespace fensi::cli {

struct RunningIndex {
  const mapping::Index* index;
  bool ended = false;    // by itself, as by a fault
  bool leaving = false;  // an earlier reload took it away, and it has not ended
};

struct Comparison {
  Indexes begin;                    // nobody of that name works
  Indexes stay;                     // as the files have them now
  std::vector<std::string> end;     // names of what works, and is in no file
  std::vector<Words> refused;       // why nothing of this may be done; empty: it may
  std::vector<std::string> waits;   // what has changed and counts after a restart
  std::vector<std::string> remade;  // of `stay`, whose tables were to be made otherwise
};

/// One that has ended counts as one that does not work: it begins anew, with whatever definition.
Comparison CompareIndexes(const std::vector<RunningIndex>& running, const Indexes& wanted);

}  // namespace fensi::cli

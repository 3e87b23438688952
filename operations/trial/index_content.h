// The content of an index after some events, computed in memory. Blocks until they are applied; one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mapping/test_case.h"
#include "operations/trial/trial.h"

namespace fensi::operations {

struct IndexContent {
  std::unique_ptr<Trial> trial;               // never null
  std::vector<std::string> tables;            // of the index, sorted; for period tables those that were written
  std::vector<mapping::ExpectedCell> cells;   // sorted
  std::vector<consumer::DeadLetter> letters;  // in the order of the events
};

Result<IndexContent> ContentAfter(const std::shared_ptr<const mapping::Index>& index, std::vector<ChangeEvent> events);

}  // namespace fensi::operations

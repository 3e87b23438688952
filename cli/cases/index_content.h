// What an index holds after some events, tried out in memory. Blocks until they are applied; one thread.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "cli/cases/trial.h"
#include "mapping/test_case.h"

namespace fensi::cli {

struct IndexContent {
  std::unique_ptr<Trial> trial;               // never null
  std::vector<std::string> tables;            // of the index, sorted; of a period table those that were written
  std::vector<mapping::ExpectedCell> cells;   // sorted
  std::vector<consumer::DeadLetter> letters;  // in the order of the events
};

Result<IndexContent> ContentAfter(const std::shared_ptr<const mapping::Index>& index, std::vector<ChangeEvent> events);

}  // namespace fensi::cli

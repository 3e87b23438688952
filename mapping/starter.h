// A first mapping file for a table: what its rows show, the index it most likely wants, others as comments, each with
// what it would cost, and a test.
//
// Pure, slow, any thread. The text is always a legal mapping; what it proposes is a guess.
#pragma once

#include <string>
#include <vector>

#include "mapping/starter/sample.h"

namespace fensi::mapping {

struct Starter {
  std::string text;
  std::vector<std::string> skews;  // of any of its indexes, active or not: a key that would collect too much
};

/// `sample` has at least one family.
Starter MakeStarter(const TableSample& sample);

}  // namespace fensi::mapping

// Proposes indexes for a table. Pure guessing; every proposal is a valid index.
#pragma once

#include <string>
#include <vector>

#include "mapping/starter/columns.h"
#include "mapping/starter/row_keys.h"

namespace fensi::mapping {

struct Proposal {
  std::string name;                // of the index
  std::string table;               // of the index table
  std::vector<std::string> about;  // the question that it answers, as comments
  std::vector<std::string> lines;  // lines below the name, without `table:`
};

struct TableGuess {
  KeyGuess key;
  std::vector<FamilyGuess> families;
};

TableGuess GuessTable(const TableSample& sample);

/// The likeliest first; at least one for a table with a family.
std::vector<Proposal> Propose(const TableSample& sample, const TableGuess& guess);

/// "f1:from", with quotes and escapes where a template needs them.
std::string ReferenceText(const std::string& family, const std::string& qualifier);

}  // namespace fensi::mapping

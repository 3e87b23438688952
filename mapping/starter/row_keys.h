// Guesses the structure of a table's row keys. Pure.
#pragma once

#include <string>
#include <vector>

#include "mapping/starter/columns.h"
#include "mapping/starter/values.h"

namespace fensi::mapping {

/// A piece of every row key.
struct GuessedPart {
  std::string reference;  // as in a template: "row | split \"-\" 1"
  ValuesGuess values;
  bool is_hash = false;       // hex digits, or a hash of what follows
  bool newest_first = false;  // Long.MAX_VALUE - milliseconds
};

struct KeyGuess {
  std::string about;  // "2 parts with '-' between"
  ValuesGuess whole;
  std::vector<GuessedPart> parts;  // in order; one: the whole key
};

KeyGuess GuessRowKeys(const TableSample& sample);

/// "text of 2 to 9 bytes", "a hash prefix of 4 hex digits".
std::string KeyPartText(const GuessedPart& part);

}  // namespace fensi::mapping

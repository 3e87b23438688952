// Mappings out of the whole function table, right by their types: for tests of what holds for every mapping that is
// accepted. One seed gives one mapping; a test says the seed of its failure.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "mapping/index.h"
#include "tests/mapping/random_parts.h"

namespace fensi::mapping {

/// FENSI_MAPPINGS, or `otherwise`; fewer where a sanitizer slows every step.
int Runs(int otherwise);

/// A mapping file of one index; all kinds of `each:`, conditions, `requires`, `shared`, `unique`, expiry, period
/// tables, salts and splits. Not every one is accepted.
std::string RandomMapping(Dice* dice);
/// Null: not accepted.
std::shared_ptr<const Index> LoadText(const std::string& file);

/// A mapping of RandomMapping that was accepted.
struct Accepted {
  std::string file;
  std::shared_ptr<const Index> index;
};
/// Says what is wrong, or nothing. The dice go on where the mapping ended.
using AcceptedProperty = std::function<std::string(const Accepted& mapping, Dice* dice)>;
/// Asks of each accepted mapping out of so many seeds. The first of which something is wrong is a failure of the test,
/// told with seed and file, and the last one asked. How many were accepted.
int ForEachAccepted(int seeds, const AcceptedProperty& property);

}  // namespace fensi::mapping

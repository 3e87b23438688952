// One index with rows at random, and what a filter over all of its entries knows of a lookup.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mapping/lookup.h"
#include "mapping/lookup/key_parts.h"
#include "tests/mapping/brute_force.h"

namespace fensi::mapping {

/// An entry that is there, and all that would give the very same.
struct Stored {
  Shelf::Owned cell;
  std::vector<const Maker*> makers;
};

/// One index, its rows, and which of its entries come from where.
struct Case {
  Case(const Accepted& mapping, const std::vector<SourceRow>& rows);

  const Template& row() const { return force.definition().row; }

  std::shared_ptr<const Index> index;
  Shelf shelf;
  BruteForce force;
  std::vector<KeyPart> parts;
  std::vector<Stored> entries;
};

/// As a reader types it.
std::string TextOfValue(const Value& value, Type type);
/// What a reader types who knows the first parts; nothing: there is no such value.
std::optional<std::vector<std::string>> Typed(const Case& one, const Maker& maker, size_t count);
/// Do the first parts of both give the same bytes, wherever they stand in the key?
bool AlikeInParts(const Case& one, const Maker& a, const Maker& b, size_t count);

// For the words of a failure.
std::string Named(const Shelf::Owned& cell);
std::string Asked(const LookupRequest& request);

}  // namespace fensi::mapping

// Every entry of an index beside what made it, from the definition alone: a filter over them says what a lookup must
// find. Knows nothing of key ranges or of the way back from keys. For every kind of index.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "mapping/definition/definition.h"
#include "tests/mapping/lookup_testing.h"
#include "tests/mapping/random_mapping.h"

namespace fensi::mapping {

/// A source row, with the column or the item that `each:` binds: templates give at most one entry of it.
struct Maker {
  const SourceRow* row = nullptr;
  std::optional<size_t> bound;  // one of the row's cells
  std::string item;
};

class BruteForce {
 public:
  /// A file of RandomMapping that is accepted.
  BruteForce(const std::string& file, std::vector<SourceRow> rows);
  BruteForce(const BruteForce&) = delete;
  BruteForce& operator=(const BruteForce&) = delete;

  const IndexDefinition& definition() const { return definition_; }
  const std::vector<Maker>& makers() const { return makers_; }

  /// The cells that a maker gives, when nothing of its row takes their place.
  std::vector<Shelf::Owned> CellsOf(const Maker& maker) const;
  /// What the first steps of a part make of it; nothing: absent or unmappable. The scratch keeps the bytes.
  std::optional<Value> Run(const Part& part, size_t steps, const Maker& maker, Scratch* scratch) const;
  /// What the whole part makes of it.
  std::optional<std::string> BytesOf(const Part& part, const Maker& maker) const;

 private:
  void AddMakers(const SourceRow& row);
  void AddColumns(const SourceRow& row);
  void AddItems(const SourceRow& row);

  IndexDefinition definition_;
  std::vector<SourceRow> rows_;
  std::vector<Maker> makers_;
};

}  // namespace fensi::mapping

// Applies sampled rows to an index in memory, by the code of `fensi run`, and measures what they write. Blocks; one
// thread.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "mapping/hot_keys.h"
#include "mapping/index.h"
#include "operations/forecast/source_sample.h"
#include "operations/forecast/stored_bytes.h"
#include "store/store.h"

namespace fensi::operations {

/// An entry of a sampled row.
struct SampledEntry {
  std::string row;  // of the index
  size_t from = 0;  // number of the sampled row
  int64_t newest = 0;
};

/// Figures of all sampled rows; the vectors have one number for each of them.
struct Measured {
  std::vector<double> entries, index_rows, index_bytes, states, state_bytes;
  std::vector<int64_t> oldest;  // time of the oldest watched cell
  // of changed columns
  std::vector<double> puts, removals, state_writes;
  std::vector<SampledEntry> cells;
  mapping::KeyTally keys, rows;          // by the first part of the row key, and by the whole
  std::vector<CompressedSize> families;  // of the index table, in the order of `create:`
  std::vector<double> family_bytes;      // of the sample
  size_t unmappable = 0;                 // rows
  std::string unmappable_row, reason;    // the first of them
};

class Measurement {
 public:
  Measurement(std::shared_ptr<const mapping::Index> index, uint64_t seed) : index_(std::move(index)), random_(seed) {}

  /// `now`: milliseconds since the epoch. With `changes` a column of each row is changed, too.
  Result<Measured> Run(const SourceSample& sample, int64_t now, bool changes);

 private:
  void Derive(const SourceSample& sample, int64_t now, Measured* out);
  Status Apply(const SourceSample& sample, bool changes, Measured* out);

  const std::shared_ptr<const mapping::Index> index_;
  std::mt19937_64 random_;
};

}  // namespace fensi::operations

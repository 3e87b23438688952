// Reads sample rows of a source table, and measures what an index makes of them. Blocks on the store; one thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/hot_keys.h"
#include "mapping/index.h"
#include "operations/forecast/estimate.h"
#include "store/store.h"

namespace fensi::operations {

// Reads sample rows of a source table. A small table is counted by its keys, and the rows are drawn evenly from all of
// them. Of a large table whose region sizes are known, each region gives short runs of rows at random places, as many
// as its size deserves. Neither reads the whole of a large table.
//
// Blocks on the store; one thread.

struct SampleOptions {
  size_t rows = 1000;      // to draw
  int64_t table_rows = 0;  // of the table, if the caller knows; 0: they are counted, or follow from region sizes
  uint64_t seed = 1;
  bool time_scan = true;
  /// Tables of more bytes are not counted, if the store knows sizes.
  int64_t most_counted_bytes = int64_t{64} << 20;
  /// Without known sizes: the most rows that are counted.
  int64_t most_counted_rows = 1'000'000;
  /// A row with more in its watched columns is not read.
  size_t most_row_bytes = size_t{64} << 20;
};

struct SourceSample {
  std::vector<store::Row> rows;  // visible watched cells; by run, and in a run in the order of their keys
  Population population;         // of the rows above
  size_t regions = 1;
  bool counted = false;             // the number of rows is exact
  double scan_rate = 0;             // rows per second of the scan, by one thread; 0: too few to know
  std::vector<std::string> starts;  // of the regions
};

class SourceSampler {
 public:
  /// Borrows all.
  SourceSampler(store::Store* store, const mapping::Index* index, SampleOptions options, Clock* clock)
      : store_(store), index_(index), options_(options), clock_(clock), random_(options.seed) {}

  /// kConfiguration: the table has no watched cell, a row is too large, or the number of rows is not known. kNotFound:
  /// there is no such table.
  Result<SourceSample> Read();

 private:
  struct Region {
    std::string start, stop;
    double share = 0;         // of the table
    std::string first, last;  // keys between which places are drawn
  };

  Result<std::vector<store::RegionSize>> KnownSizes(const std::vector<std::string>& starts, int64_t* bytes,
                                                    int64_t* rounding);
  Status Count(SourceSample* sample);
  Status Probe(std::vector<Region> regions, const Estimate& size, bool by_bytes, SourceSample* sample);
  Status FindBorders(Region* region);
  Result<std::string> FirstKey(const std::string& start, const std::string& stop);
  std::string DrawKey(const Region& region);
  Status ReadRun(Region* region, size_t run, bool by_bytes, SourceSample* sample);
  Result<double> TimeScan(const std::vector<std::string>& starts);
  Result<store::Row> ReadRow(const std::string& key);
  Result<double> RawBytes(const std::string& key);
  Status NoRows() const;

  store::Store* const store_;
  const mapping::Index* const index_;
  const SampleOptions options_;
  Clock* const clock_;
  std::mt19937_64 random_;
  std::set<std::string> drawn_;  // rows of runs
};

// Applies sampled rows to an index in memory, by the code of `fensi run`, and measures what they write. Blocks; one
// thread.

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
  /// The same of one index row of each source row. Entries of a source row are alike, so those that the table has far
  /// apart must not be compressed together.
  std::vector<CompressedSize> families_apart;
  std::vector<double> family_bytes;  // of the sample
  std::optional<CompressedSize> state_cells;
  size_t unmappable = 0;               // rows
  std::string unmappable_row, reason;  // the first of them
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

// Forecasts an index from a sample of its source: size, writes, spread of the keys, growth, time of the backfill, and
// settings that fit. Compares a forecast with the tables of the index.
//
// Blocks on the store; one thread. Texts and advice are pure.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/hot_keys.h"
#include "mapping/index.h"
#include "operations/access/stores.h"
#include "operations/forecast/estimate.h"
#include "operations/forecast/sample.h"
#include "operations/mappings/mapping_files.h"
#include "store/store.h"

namespace fensi::operations {

struct ForecastOptions {
  SampleOptions sample;
  double scan_rate = 0;   // source rows per second of a backfill; 0: as measured
  double write_rate = 0;  // cells per second; 0: the writes are not limited
  bool changes = true;    // measure what changes write
};

/// How entries spread over regions or salts.
struct Part {
  std::string start;  // first key
  double share = 0, at_least = 0, at_most = 1;
};

struct Advice {
  size_t regions = 1;
  std::vector<std::string> split_keys;  // that part the sampled entries evenly
  size_t salts = 0;                     // 0: none
  bool salt_planned = false;            // the row keys begin with salts already
  bool growing = false;                 // new entries are at one place of the keys
  std::string mode;                     // stateful or stateless
  std::string mode_reason;
  int64_t memory_mb = 0;  // --memory_mb of fensi run
};

struct Forecast {
  std::string index, source_table, table, state_table;
  size_t sampled_rows = 0, regions = 1;
  bool counted = false, whole_table = false;
  Estimate source_rows, entries, index_rows;
  Estimate index_bytes, index_file_bytes;  // cells as they are, and files after compression
  Estimate states, state_bytes, state_file_bytes;
  std::string compression;                               // of the families, each once
  std::optional<Estimate> puts, removals, state_writes;  // of one change of a watched column
  std::vector<mapping::KeyShare> hot_keys, hot_rows;
  double others_at_most = 1;  // share of any other key
  std::optional<mapping::KeyShare> too_large;
  std::vector<Part> parts, salts;
  bool planned_splits = false;
  std::optional<Estimate> growth_per_day;  // entries
  std::string growth_unknown;              // why
  double growth_days = 0;                  // that were looked at
  double scan_rate = 0, write_rate = 0;    // 0: unknown
  bool scan_rate_measured = false;
  std::optional<Estimate> scan_seconds, write_seconds;
  Advice advice;
  std::vector<std::string> notes;
};

/// kConfiguration also if most rows cannot be mapped.
Result<Forecast> MakeForecast(const std::shared_ptr<const mapping::Index>& index, store::Store* store,
                              const ForecastOptions& options, Clock* clock);

// Settings that fit a forecast index. Pure; any thread.

/// `forecast` has everything but its advice.
Advice Advise(const mapping::Index& index, const SourceSample& sample, const Measured& measured,
              const Forecast& forecast);

// Counts the tables of an index, and compares them with its forecast. Blocks on the store; one thread.

/// What the tables have.
struct Reality {
  double entries = 0, index_rows = 0, index_bytes = 0;
  double states = 0, state_bytes = 0;
};

/// A forecast figure with its reality.
struct Compared {
  std::string figure;
  Estimate forecast;
  double reality = 0;
  bool bytes = false;
};

/// Reads the whole index table, and the state table. kNotFound: a table is missing. kConfiguration: period tables that
/// cannot be listed.
Result<Reality> CountReality(const mapping::Index& index, store::Store* store, Clock* clock);

std::vector<Compared> Compare(const Forecast& forecast, const Reality& reality);

// A forecast as text for people, and as JSON. Pure; any thread.

/// Several lines with their ends.
std::string ForecastText(const Forecast& forecast);
/// One object in a line.
std::string ForecastJson(const Forecast& forecast);

std::string ComparisonText(const Forecast& forecast, const std::vector<Compared>& compared);
std::string ComparisonJson(const Forecast& forecast, const std::vector<Compared>& compared);

// The work of `fensi forecast`: a forecast of each index on the console. Blocks on the store; one thread.

struct ForecastRunOptions {
  StoreOptions store;
  ForecastOptions forecast;
  bool compare = false;  // with the tables of the index, which it counts
  bool json = false;
};

/// kNotFound: a source table, or with `compare` an index table, is missing.
Status RunForecast(const Indexes& indexes, const ForecastRunOptions& options);

}  // namespace fensi::operations

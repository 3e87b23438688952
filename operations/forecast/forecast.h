// Forecasts an index from a sample of its source: size, writes, spread of the keys, growth, time of the backfill, and
// settings that fit.
//
// Blocks on the store; one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/hot_keys.h"
#include "mapping/index.h"
#include "operations/forecast/estimate.h"
#include "operations/forecast/source_sample.h"
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
  double unseen_at_most = 1;  // share of any other key
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

}  // namespace fensi::operations

// Scans tables at a given rate, all rows or random samples, and gives the judge its time in between.
//
// Blocks; one thread. Everything that is handed in outlives it.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <random>
#include <string>

#include "base/clock.h"
#include "store/store.h"
#include "sweep/compare/judge.h"
#include "sweep/scan/page_reader.h"

namespace fensi::sweep {

struct TableScanOptions {
  size_t sample = 0;              // number of random ranges of each table, no row twice; 0: all rows
  uint64_t seed = 0;              // of the sample
  int64_t rows_per_second = 0;    // 0: no bound
  size_t most_rows = SIZE_MAX;    // of each table; not with a sample
  std::function<Status()> go_on;  // called often; an error ends the scan
};

class TableScanner {
 public:
  /// Rows of one sampled range.
  static constexpr size_t kSampleRows = 1000;

  TableScanner(store::Store* store, Clock* clock, TableScanOptions options, Judge* judge);

  /// Whether a row that is too wide for one page comes whole or in pieces.
  enum class Rows { kWhole, kInPieces };
  using Use = std::function<Status(const store::Row&)>;
  /// A whole row that is larger than an index can keep is cut: a little more than that much of it comes.
  Status Walk(const std::string& table, const store::ScanRequest& request, Rows rows, const Use& use);
  /// The first row that the last Walk left because of `most_rows`; empty: it reached the end.
  const std::string& next() const { return next_; }
  /// Rows of the last Walk.
  size_t walked() const { return walked_; }

 private:
  Status WalkRange(const std::string& table, const store::ScanRequest& request, size_t most_rows, const Use& use);
  Status AfterPage(size_t rows);
  /// Scans random ranges, as far as they are not scanned yet; calls `end_row` after each.
  Status WalkSample(const std::string& table, const store::ScanRequest& request, const Use& use,
                    const std::function<Status()>& end_row);
  /// A row from which a range may begin; absent: the table has none.
  Result<std::optional<std::string>> RandomStart(const std::string& table, const store::ScanRequest& request);
  Result<std::optional<std::string>> RandomRow(const std::string& table, const std::string& first, std::string to);
  Result<std::optional<std::string>> FirstRow(const std::string& table, const std::string& from, const std::string& to);

  store::Store* const store_;
  Clock* const clock_;
  const TableScanOptions options_;
  Judge* const judge_;
  Pace pace_;
  std::mt19937_64 random_;
  std::string next_;
  size_t walked_ = 0;
};

}  // namespace fensi::sweep

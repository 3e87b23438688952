// Reads a table page by page. The number of rows of a page follows from the size of the last pages, so that memory
// stays small; the rate is bounded, too.
//
// Blocks on the store and on the clock; one thread.
#pragma once

#include <chrono>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "base/clock.h"
#include "mapping/index.h"
#include "store/store.h"

namespace fensi::sweep {

class PageReader {
 public:
  /// Maximum cells of a page, plus those of one more column.
  static constexpr size_t kMostCells = 10'000;

  /// Borrows the store. Overwrites the request's paging options.
  PageReader(store::Store* store, std::string table, store::ScanRequest request);

  /// False: `page` has the last rows, perhaps none.
  Result<bool> Next(std::vector<store::Row>* page);

 private:
  void Adapt(const std::vector<store::Row>& page);

  store::Store* const store_;
  const std::string table_;
  store::ScanRequest request_;
};

/// Limits a scan to a number of rows per second.
class Pace {
 public:
  /// 0: no bound. Borrows the clock.
  Pace(int64_t rows_per_second, Clock* clock)
      : rows_per_second_(rows_per_second), clock_(clock), begin_(clock->MonotonicNow()) {}
  /// Call after `rows` rows; returns how long to sleep to keep the rate.
  std::chrono::milliseconds Took(int64_t rows);

 private:
  const int64_t rows_per_second_;
  Clock* const clock_;
  std::chrono::milliseconds begin_;
  int64_t rows_ = 0;  // since then
};

// Reads named cells of an index, in requests and answers of bounded size.
//
// Blocks on the store; one thread. Borrows both.

/// Maximum size of the answers of one call.
constexpr size_t kAnswerBytes = size_t{8} << 20;

class CellReader {
 public:
  CellReader(const mapping::Index* index, store::Store* store) : index_(index), store_(store) {}

  /// Called once for each of the cells, in any order; null: the cell does not exist. The pointer is valid during the
  /// call.
  using Use = std::function<void(size_t cell, const Cell* found)>;
  /// A missing table of a period has no cells; any other missing table is kNotFound.
  Status Read(std::span<const mapping::Entry> cells, const Use& use);

 private:
  using Places = std::span<const size_t>;
  Status ReadTable(std::span<const mapping::Entry> cells, Places places, const Use& use);
  /// Adds a request for cells of one row, as many as one request may name. Returns how many.
  static size_t AddRequest(std::span<const mapping::Entry> cells, Places places,
                           std::vector<store::GetRequest>* requests);
  static void Match(std::span<const mapping::Entry> cells, Places places, const store::Row& row, const Use& use);

  const mapping::Index* const index_;
  store::Store* const store_;
};

/// Get for rows of any size: calls back with all answers, one after the other, with few of them in memory at a time.
Status GetEach(store::Store* store, const std::string& table, std::span<const store::GetRequest> requests,
               const std::function<Status(size_t request, const store::Row&)>& use);

}  // namespace fensi::sweep

// Builds requests for a row's owner from a raw scan of its source row (M15): an image with every marker that the index
// watches, and the newest put of each watched column, unless a marker of the same read hides the put. A row that does
// not fit into one message becomes several partial images. A cell that alone is too large becomes a recheck, for which
// the owner reads the cell itself.
//
// Pure except for `use`; one thread. The index outlives it.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "consumer/codec/request.h"
#include "mapping/index.h"
#include "store/store.h"
#include "sweep/jobs/board.h"

namespace fensi::sweep {

struct RowSnapshotOptions {
  std::string incarnation;  // of the index
  std::string job;
  size_t most_bytes = size_t{256} << 10;  // cells of one request
  size_t most_cell = size_t{768} << 10;   // largest cell that is sent
};

class RowSnapshotBuilder {
 public:
  using Use = std::function<Status(const consumer::Request&)>;
  RowSnapshotBuilder(const mapping::Index* index, RowSnapshotOptions options, Use use);

  /// Takes a row, or its next piece, from a raw read of one version that began at `read_time`.
  Status Take(const store::Row& piece, int64_t read_time);

 private:
  void BeginRow(const std::string& row);
  Status TakeCell(const Cell& cell);
  bool IsWatched(const Cell& cell) const;
  /// Takes markers in scan order; a put is hidden by markers that came before.
  bool IsHidden(const Cell& cell);
  /// Sends what was taken; `whole`: it is the whole row.
  Status Send(bool whole);
  Status SendRecheck(const Cell& cell);
  consumer::Request RequestOf(consumer::Request::Kind kind) const;

  const mapping::Index* const index_;
  const RowSnapshotOptions options_;
  const Use use_;
  consumer::Request image_;
  size_t bytes_ = 0;
  std::string row_;
  bool goes_on_ = false;                           // the next piece may be of the same row
  bool sent_ = false;                              // a part of the row was sent already
  std::map<std::string, int64_t> family_markers_;  // newest DeleteFamily of each family
  std::string family_, qualifier_;                 // column of the last cell
  int64_t column_marker_ = -1;                     // newest DeleteColumn of this column
};

/// Reads source rows raw, page by page, and builds images of them. Rows may be selected by the time of their cells, but
/// are read whole, or an older cell would pass for the newest.
///
/// Blocks on the store and on `use`; one thread. Memory is bounded by a page, whatever a row holds. Everything that is
/// handed in outlives it.
class RowSnapshotScan {
 public:
  /// `times`: only rows that have a watched cell of that time.
  RowSnapshotScan(const mapping::Index* index, store::Store* store, Clock* clock,
                  std::optional<store::ScanRequest::Times> times, RowSnapshotOptions options,
                  RowSnapshotBuilder::Use use);

  struct Page {
    std::string next;  // all rows before it are handed on; empty: there was no row
    int64_t rows = 0;
    int64_t bytes = 0;
    bool last = false;
  };
  /// Scans the rows of the range, and calls `passed` after each page; an error ends the scan.
  Status Run(const RowRange& range, const std::function<Status(const Page&)>& passed);

 private:
  Status TakeRows(const std::vector<store::Row>& rows, int64_t read_time, Page* page);
  Status ReadWhole(const std::string& row, Page* page);
  store::ScanRequest Request(const RowRange& range) const;

  const mapping::Index* const index_;
  store::Store* const store_;
  Clock* const clock_;
  const std::optional<store::ScanRequest::Times> times_;
  RowSnapshotBuilder images_;
  std::string last_row_;
};

}  // namespace fensi::sweep

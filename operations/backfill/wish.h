// The options of a backfill. Pure except for JoinJob.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "meta/versioned_meta_row.h"
#include "operations/jobs/join.h"
#include "store/store.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

/// As a person types them.
struct BackfillOptions {
  std::string start_row, stop_row, prefix;                              // bytes as fensi writes them
  std::string from, to;                                                 // times of cells; empty: any
  int64_t rows_per_second = 0;                                          // 0: as many as it can
  int64_t bytes_per_second = 0;                                         // 0: as many as it can
  bool paced = false;                                                   // one of both was given
  bool again = false;                                                   // a job that is over begins anew
  bool skip_watermark_check = false;                                    // nobody shows that changes reach the stream
  bool execute = false, pause = false, resume = false, cancel = false;  // at most one
};

struct BackfillWish {
  std::string index;  // its name, for messages
  sweep::RowRange rows;
  std::optional<store::ScanRequest::Times> times;  // rows that have a cell of that time; absent: all
  sweep::JobPace pace;
  bool paced = false;                 // a rate was given
  bool again = false;                 // a job that is over begins anew
  bool skip_watermark_check = false;  // nobody shows that changes reach the stream
  bool alone = false;                 // no other process can have the store

  /// True if all rows of the table are scanned.
  bool whole() const { return rows.start.empty() && rows.stop.empty() && !times; }
  /// The arguments that make another command line join the same job.
  std::string Arguments(const std::string& incarnation) const;
  JobWish OfJob(const std::string& incarnation) const;
};

/// kInvalidArgument: incompatible options.
Result<BackfillWish> AskedBackfill(const BackfillOptions& options);

/// Creates the job, or joins the existing one. kConfiguration: a job with other arguments is running, or this one was
/// cancelled, or it is paused and no process would report it. `losses`: of requests, before a job that is created now.
/// Blocks on the store.
Result<sweep::Job> JoinJob(const meta::VersionedMetaRow& row, const BackfillWish& wish, const std::string& incarnation,
                           const std::vector<sweep::RowRange>& ranges, int64_t now, const std::string& losses);

}  // namespace fensi::operations

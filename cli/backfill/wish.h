// What a person asks of a backfill, from the command line. Pure but for the flags.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "cli/jobs/join.h"
#include "meta/shared_row.h"
#include "store/store.h"
#include "sweep/board.h"

namespace fensi::cli {

struct BackfillWish {
  sweep::RowRange rows;
  std::optional<store::ScanRequest::Times> times;  // rows that have a cell of that time; absent: all
  sweep::JobPace pace;
  bool paced = false;     // a rate was given
  bool again = false;     // a job that is over begins anew
  bool unproven = false;  // nobody shows that changes reach the stream
  bool alone = false;     // no other process can have the store

  /// Of all rows of the table.
  bool whole() const { return rows.start.empty() && rows.stop.empty() && !times; }
  /// What the job of another line must have to be the same job.
  std::string Arguments(const std::string& incarnation) const;
  JobWish OfJob(const std::string& incarnation) const;
};

/// kInvalidArgument: flags that do not go together.
Result<BackfillWish> AskedBackfill();

/// Makes the job, or joins the one that is there. kConfiguration: one with other arguments goes on, or this one was
/// cancelled, or it is paused and nobody could tell. `losses`: of requests, before a job that is made now. Blocks on
/// the store.
Result<sweep::Job> JoinJob(const meta::SharedRow& row, const BackfillWish& wish, const std::string& incarnation,
                           const std::vector<sweep::RowRange>& ranges, int64_t now, const std::string& losses);

}  // namespace fensi::cli

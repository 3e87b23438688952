// Creates a job that scans a table in ranges, joins the existing one, or steers it: shared by all commands that divide
// their work by a board. Blocks on the store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "meta/versioned_meta_row.h"
#include "sweep/jobs/board.h"

namespace fensi::operations {

struct JobWish {
  const char* kind = "";    // "backfill", "verify": name in the row and in messages
  const char* anew = "";    // flags that start a finished job again
  std::string index;        // its name, for messages
  std::string incarnation;  // of the index
  std::string arguments;    // begin with "index INCARNATION,"; other arguments mean another job
  std::string losses;       // of requests, before a job that is created now
  sweep::JobPace pace;
  bool paced = false;  // a rate was given
  bool again = false;  // a finished job starts again
  bool alone = false;  // no other process can have the store
};

/// Creates the job, or joins the existing one. kConfiguration: a job with other arguments is running, or this one was
/// cancelled, or it is paused and no process would report it.
Result<sweep::Job> JoinJob(const meta::VersionedMetaRow& row, const JobWish& wish,
                           const std::vector<sweep::RowRange>& ranges, int64_t now);

/// Steers the running job of index `index`, with another pace if one is given. kConfiguration: none is running.
Status SteerJob(const meta::VersionedMetaRow& row, const JobWish& wish, const std::string& index, sweep::Wish what);

/// "paused", "resumed" or "cancelled".
const char* SteeredText(sweep::Wish what);

/// A row key in the arguments of a job.
std::string KeyText(const std::string& key);

}  // namespace fensi::operations

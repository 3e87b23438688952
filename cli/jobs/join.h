// Makes a job that goes through a table in ranges, joins the one that is there, or tells it something: what all
// commands that share their work by a board have in common. Blocks on the store.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "meta/shared_row.h"
#include "sweep/board.h"

namespace fensi::cli {

struct JobWish {
  const char* kind = "";    // "backfill", "verify": as the row and messages name it
  const char* anew = "";    // flags that begin anew what is over
  std::string incarnation;  // of the index
  std::string arguments;    // begin with "index INCARNATION,"; who has others means another job
  std::string losses;       // of requests, before a job that is made now
  sweep::JobPace pace;
  bool paced = false;  // a rate was given
  bool again = false;  // a job that is over begins anew
  bool alone = false;  // no other process can have the store
};

/// Makes the job, or joins the one that is there. kConfiguration: one with other arguments goes on, or this one was
/// cancelled, or it is paused and nobody could tell.
Result<sweep::Job> JoinJob(const meta::SharedRow& row, const JobWish& wish, const std::vector<sweep::RowRange>& ranges,
                           int64_t now);

/// Tells the job of index `index` that goes on, with another pace where one is given. kConfiguration: none does.
Status SteerJob(const meta::SharedRow& row, const JobWish& wish, const std::string& index, sweep::Wish what);

/// What --pause, --resume and --cancel ask for.
std::optional<sweep::Wish> AskedToSteer();
/// "paused", "resumed" or "cancelled".
const char* SteeredText(sweep::Wish what);

/// A row key in the arguments of a job.
std::string KeyText(const std::string& key);

}  // namespace fensi::cli

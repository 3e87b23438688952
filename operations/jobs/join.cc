#include "operations/jobs/join.h"

#include "base/bytes.h"
#include "base/random_name.h"
#include "operations/access/position.h"

namespace fensi::operations {
namespace {

using sweep::Board;
using sweep::Job;

bool IsOver(const Job& job) { return job.ended_at != 0 || job.pace.wish == sweep::Wish::kCancel; }

/// "backfill" or "comparison".
std::string NameOf(const JobWish& wish) { return std::string_view(wish.kind) == "verify" ? "comparison" : wish.kind; }

/// What a flag that steers a job replaces on the line that begins the job.
std::string InPlaceOfExecute(const JobWish& wish) {
  return std::string_view(wish.anew).starts_with("--execute") ? " in place of --execute" : "";
}

/// The work of a job for a person: its arguments without the incarnation of the index.
std::string WorkOf(const std::string& arguments) {
  const size_t comma = arguments.find(", ");
  return comma == std::string::npos ? arguments : arguments.substr(comma + 2);
}

Status OtherPace(const Job& known, const std::string& which, const std::string& instead) {
  return Status(StatusCode::kConfiguration,
                which + ", has another pace: " + std::to_string(known.pace.rows_per_second) + " rows and " +
                    std::to_string(known.pace.bytes_per_second) +
                    " bytes a second (0: no limit). To change the pace, run this command with --resume" + instead +
                    " and the new pace");
}

/// Whether the job that is there is the one that is meant.
Status CheckJoin(const Job& known, const JobWish& wish) {
  const std::string since = NameOf(wish) + " of index " + wish.index + ", created at " + TimeText(known.made_at);
  const std::string instead = InPlaceOfExecute(wish);
  if (known.arguments != wish.arguments) {
    return Status(StatusCode::kConfiguration, "another " + since +
                                                  ", has not ended. Its work: " + WorkOf(known.arguments) +
                                                  ". The work of this command: " + WorkOf(wish.arguments) +
                                                  ". '-' means no bound. To join the other " + NameOf(wish) +
                                                  ", run this command for the same rows and with the same "
                                                  "options as the other. To end the other, run its command with "
                                                  "--cancel" +
                                                  instead);
  }
  if (known.pace.wish == sweep::Wish::kCancel) {
    return Status(StatusCode::kConfiguration, "the " + since + ", was cancelled. To start it again, add --restart");
  }
  if (known.pace.wish == sweep::Wish::kPause && known.ended_at == 0 && wish.alone) {
    return Status(StatusCode::kConfiguration, "the " + since +
                                                  ", is paused. Only one process can open an embedded store, so no "
                                                  "other process could resume it now. First run this command with "
                                                  "--resume" +
                                                  instead + ", then run it again as it was");
  }
  const bool other_pace = wish.pace.rows_per_second != known.pace.rows_per_second ||
                          wish.pace.bytes_per_second != known.pace.bytes_per_second;
  if (!wish.paced || !other_pace || known.ended_at != 0) return {};
  return OtherPace(known, "the " + since, instead);
}

}  // namespace

std::string KeyText(const std::string& key) {
  std::string text = Escape(key);
  for (size_t at = 0; (at = text.find('\'', at)) != std::string::npos; at += 4) text.replace(at, 1, "\\x27");
  return key.empty() ? "-" : "'" + text + "'";
}

Result<Job> JoinJob(const meta::VersionedMetaRow& row, const JobWish& wish, const std::vector<sweep::RowRange>& ranges,
                    int64_t now) {
  const Job mine{
      .name = RandomName(), .made_at = now, .arguments = wish.arguments, .pace = wish.pace, .losses = wish.losses};
  for (int tries = 0; tries < meta::VersionedMetaRow::kMostTries; ++tries) {
    FENSI_ASSIGN_OR_RETURN(const std::optional<Job> known, Board::Find(row));
    const bool same = known.has_value() && known->arguments == wish.arguments;
    // No process works on a job of an index that is gone.
    const bool stale = known.has_value() && !known->arguments.starts_with("index " + wish.incarnation + ",");
    const bool over = known.has_value() && IsOver(*known);
    const bool make = !known.has_value() || stale || (over && (!same || wish.again));
    if (!make) {
      FENSI_RETURN_IF_ERROR(CheckJoin(*known, wish));
      return *known;
    }
    Result<Job> made = Board::Make(row, known, mine, ranges);
    FENSI_RETURN_IF_ERROR(made.status());
    if (made->name == mine.name) return made;
  }
  return row.TooManyTries("spec");
}

Status SteerJob(const meta::VersionedMetaRow& row, const JobWish& wish, const std::string& index, sweep::Wish what) {
  FENSI_ASSIGN_OR_RETURN(const std::optional<Job> job, Board::Find(row));
  const std::string which = NameOf(wish) + " of index " + index;
  if (!job.has_value() || job->ended_at != 0) {
    return Status(StatusCode::kConfiguration,
                  "no " + which + " is running under this --meta_table. If the " + NameOf(wish) +
                      " has ended, there is nothing to do. If not, give the --meta_table with which it was started");
  }
  sweep::JobPace pace = job->pace;
  if (pace.wish == sweep::Wish::kCancel && what != sweep::Wish::kCancel) {
    return Status(StatusCode::kConfiguration, "the " + which + " was cancelled. To start it again, give " + wish.anew);
  }
  if (what == sweep::Wish::kRun && wish.paced) pace = wish.pace;
  pace.wish = what;
  return Board(row, job->name).Steer(pace);
}

const char* SteeredText(sweep::Wish what) {
  if (what == sweep::Wish::kRun) return "resumed";
  return what == sweep::Wish::kPause ? "paused" : "cancelled";
}

}  // namespace fensi::operations

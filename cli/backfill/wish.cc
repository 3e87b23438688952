#include "cli/backfill/wish.h"

#include "base/bytes.h"
#include "base/random_name.h"
#include "cli/access/position.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

using sweep::Board;
using sweep::Job;

std::string KeyText(const std::string& key) { return key.empty() ? "-" : "'" + Escape(key) + "'"; }

Status ReadTimes(BackfillWish* wish) {
  if (FLAGS_from.empty() && FLAGS_to.empty()) return {};
  store::ScanRequest::Times times;
  if (!FLAGS_from.empty()) {
    const Result<int64_t> from = ParseTime(FLAGS_from, "--from");
    FENSI_RETURN_IF_ERROR(from.status());
    times.from = *from;
  }
  if (!FLAGS_to.empty()) {
    const Result<int64_t> to = ParseTime(FLAGS_to, "--to");
    FENSI_RETURN_IF_ERROR(to.status());
    times.to = *to;
  }
  if (times.from >= times.to) return Status(StatusCode::kInvalidArgument, "no time lies from --from to --to");
  wish->times = times;
  return {};
}

Status ReadRows(BackfillWish* wish) {
  if (!FLAGS_prefix.empty() && !(FLAGS_start_row.empty() && FLAGS_stop_row.empty())) {
    return Status(StatusCode::kInvalidArgument, "--prefix does not go with --start_row and --stop_row");
  }
  wish->rows.start = *Unescape(FLAGS_prefix.empty() ? FLAGS_start_row : FLAGS_prefix);
  wish->rows.stop = FLAGS_prefix.empty() ? *Unescape(FLAGS_stop_row) : PrefixEnd(wish->rows.start);
  const bool none = !wish->rows.stop.empty() && wish->rows.start >= wish->rows.stop;
  return none ? Status(StatusCode::kInvalidArgument, "no row lies from --start_row to --stop_row") : Status();
}

bool IsOver(const Job& job) { return job.ended_at != 0 || job.pace.wish == sweep::Wish::kCancel; }

/// Whether the job that is there is the one that is meant.
Status CheckJoin(const Job& known, const BackfillWish& wish, const std::string& arguments) {
  const std::string since = " made at " + TimeText(known.made_at);
  if (known.arguments != arguments) {
    return Status(StatusCode::kConfiguration, "another backfill," + since + ", goes on (" + known.arguments +
                                                  "), and this one would be: " + arguments +
                                                  ". Join it with its own arguments, or end it with --cancel");
  }
  if (known.pace.wish == sweep::Wish::kCancel) {
    return Status(StatusCode::kConfiguration, "this backfill," + since + ", was cancelled; --again begins it anew");
  }
  if (known.pace.wish == sweep::Wish::kPause && known.ended_at == 0 && wish.alone) {
    return Status(StatusCode::kConfiguration, "this backfill," + since +
                                                  ", is paused, and while this process has the store nobody could "
                                                  "tell it to go on; --resume does it before");
  }
  const bool other_pace = wish.pace.rows_per_second != known.pace.rows_per_second ||
                          wish.pace.bytes_per_second != known.pace.bytes_per_second;
  if (!wish.paced || !other_pace || known.ended_at != 0) return {};
  return Status(StatusCode::kConfiguration,
                "this backfill," + since + ", has another pace (" + std::to_string(known.pace.rows_per_second) +
                    " rows and " + std::to_string(known.pace.bytes_per_second) +
                    " bytes a second, 0 is no bound); --resume with the new one changes it");
}

}  // namespace

std::string BackfillWish::Arguments(const std::string& incarnation) const {
  std::string text = "index " + incarnation + ", rows " + KeyText(rows.start) + " to " + KeyText(rows.stop);
  if (times) text += ", cells " + std::to_string(times->from) + " to " + std::to_string(times->to);
  return text;
}

Result<BackfillWish> AskedBackfill() {
  BackfillWish wish;
  FENSI_RETURN_IF_ERROR(ReadRows(&wish));
  FENSI_RETURN_IF_ERROR(ReadTimes(&wish));
  if (FLAGS_execute + FLAGS_pause + FLAGS_resume + FLAGS_cancel > 1) {
    return Status(StatusCode::kInvalidArgument, "--execute, --pause, --resume and --cancel exclude one another");
  }
  wish.pace = {sweep::Wish::kRun, FLAGS_rows_per_second, FLAGS_bytes_per_second};
  wish.paced = FlagIsGiven("rows_per_second") || FlagIsGiven("bytes_per_second");
  wish.again = FLAGS_again;
  wish.unproven = FLAGS_unproven;
  return wish;
}

Result<Job> JoinJob(const meta::SharedRow& row, const BackfillWish& wish, const std::string& incarnation,
                    const std::vector<sweep::RowRange>& ranges, int64_t now, const std::string& losses) {
  const std::string arguments = wish.Arguments(incarnation);
  const Job mine{.name = RandomName(), .made_at = now, .arguments = arguments, .pace = wish.pace, .losses = losses};
  for (;;) {
    const Result<std::optional<Job>> known = Board::Find(row);
    FENSI_RETURN_IF_ERROR(known.status());
    const bool same = known->has_value() && (*known)->arguments == arguments;
    // Of an index that is gone nobody works on a job.
    const bool stale = known->has_value() && !(*known)->arguments.starts_with("index " + incarnation + ",");
    const bool over = known->has_value() && IsOver(**known);
    const bool make = !known->has_value() || stale || (over && (!same || wish.again));
    if (!make) {
      FENSI_RETURN_IF_ERROR(CheckJoin(**known, wish, arguments));
      return **known;
    }
    Result<Job> made = Board::Make(row, *known, mine, ranges);
    FENSI_RETURN_IF_ERROR(made.status());
    if (made->name == mine.name) return made;
  }
}

}  // namespace fensi::cli

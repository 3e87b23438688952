#include "cli/backfill/wish.h"

#include "base/bytes.h"
#include "cli/access/position.h"
#include "cli/flags/flags.h"

namespace fensi::cli {
namespace {

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

JobWish BackfillWish::OfJob(const std::string& incarnation) const {
  return {.kind = "backfill",
          .anew = "--execute --again",
          .incarnation = incarnation,
          .arguments = Arguments(incarnation),
          .losses = "",
          .pace = pace,
          .paced = paced,
          .again = again,
          .alone = alone};
}

Result<sweep::Job> JoinJob(const meta::SharedRow& row, const BackfillWish& wish, const std::string& incarnation,
                           const std::vector<sweep::RowRange>& ranges, int64_t now, const std::string& losses) {
  JobWish job = wish.OfJob(incarnation);
  job.losses = losses;
  return JoinJob(row, job, ranges, now);
}

}  // namespace fensi::cli

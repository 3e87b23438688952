#include "operations/backfill/wish.h"

#include "base/bytes.h"
#include "operations/access/flag_faults.h"
#include "operations/access/position.h"

namespace fensi::operations {
namespace {

Status ReadTimes(const BackfillOptions& options, BackfillWish* wish) {
  if (options.from.empty() && options.to.empty()) return {};
  store::ScanRequest::Times times;
  if (!options.from.empty()) {
    FENSI_ASSIGN_OR_RETURN(const int64_t from, ParseTime(options.from, "--from"));
    times.from = from;
  }
  if (!options.to.empty()) {
    FENSI_ASSIGN_OR_RETURN(const int64_t to, ParseTime(options.to, "--to"));
    times.to = to;
  }
  if (times.from >= times.to)
    return Status(StatusCode::kInvalidArgument, "--from must be before --to, but " + TimeText(times.from) +
                                                    " is not before " + TimeText(times.to) + ". Correct one of them");
  wish->times = times;
  return {};
}

Status ReadRows(const BackfillOptions& options, BackfillWish* wish) {
  FENSI_RETURN_IF_ERROR(CheckRowFlags(options.prefix, options.start_row, options.stop_row));
  wish->rows.start = *Unescape(options.prefix.empty() ? options.start_row : options.prefix);
  wish->rows.stop = options.prefix.empty() ? *Unescape(options.stop_row) : PrefixEnd(wish->rows.start);
  return Status();
}

}  // namespace

std::string BackfillWish::Arguments(const std::string& incarnation) const {
  std::string text = "index " + incarnation + ", rows " + KeyText(rows.start) + " to " + KeyText(rows.stop);
  if (times) text += ", cells " + std::to_string(times->from) + " to " + std::to_string(times->to);
  return text;
}

Result<BackfillWish> AskedBackfill(const BackfillOptions& options) {
  BackfillWish wish;
  FENSI_RETURN_IF_ERROR(ReadRows(options, &wish));
  FENSI_RETURN_IF_ERROR(ReadTimes(options, &wish));
  if (options.execute + options.pause + options.resume + options.cancel > 1) {
    return Status(StatusCode::kInvalidArgument,
                  "--execute, --pause, --resume and --cancel exclude one another: give one of them");
  }
  wish.pace = {sweep::Wish::kRun, options.rows_per_second, options.bytes_per_second};
  wish.paced = options.paced;
  wish.again = options.again;
  wish.skip_watermark_check = options.skip_watermark_check;
  return wish;
}

JobWish BackfillWish::OfJob(const std::string& incarnation) const {
  return {.kind = "backfill",
          .anew = "--execute --restart",
          .index = index,
          .incarnation = incarnation,
          .arguments = Arguments(incarnation),
          .losses = "",
          .pace = pace,
          .paced = paced,
          .again = again,
          .alone = alone};
}

Result<sweep::Job> JoinJob(const meta::VersionedMetaRow& row, const BackfillWish& wish, const std::string& incarnation,
                           const std::vector<sweep::RowRange>& ranges, int64_t now, const std::string& losses) {
  JobWish job = wish.OfJob(incarnation);
  job.losses = losses;
  return JoinJob(row, job, ranges, now);
}

}  // namespace fensi::operations

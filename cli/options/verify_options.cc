#include <chrono>
#include <random>
#include <string>

#include "base/bytes.h"
#include "cli/flags/flags.h"
#include "cli/options/operations_options.h"
#include "operations/access/flag_faults.h"
#include "operations/verify/verify_run.h"

namespace fensi::cli {
namespace {

/// Checks flags that only a shared comparison takes, and flags that only a single one takes.
Status CheckJobFlags() {
  for (const char* flag : {"workers", "restart", "pause", "resume", "cancel"}) {
    if (FLAGS_distributed || !FlagIsTyped(flag)) continue;
    return operations::FlagRequires(std::string("--") + flag, "--distributed");
  }
  if (!FLAGS_distributed) return Status();
  if (FLAGS_pause + FLAGS_resume + FLAGS_cancel > 1) {
    return InvalidArgument("--pause, --resume and --cancel exclude one another: give one of them");
  }
  if (FlagIsGiven("sample")) {
    return operations::FlagsExclude("--sample", "--distributed", "a sample is too short to be shared");
  }
  if (FLAGS_as_of == "watermark") {
    return operations::FlagsExclude(
        "--as_of=watermark", "--distributed",
        "each process would have another watermark. Give a time, such as --as_of=2026-01-31T12:00:00Z");
  }
  if (!operations::StoreIsEmbedded(FLAGS_store) || !FlagIsTyped("workers")) return Status();
  return operations::FlagsExclude("--workers", "an embedded store", "only one process can open the store");
}

/// A sum says something of whole tables only.
Status CheckMethodFlags() {
  if (FLAGS_method != "digest") return {};
  for (const char* flag : {"direction", "start_row", "stop_row", "prefix", "sample", "distributed"}) {
    if (!FlagIsGiven(flag)) continue;
    return operations::FlagsExclude(std::string("--") + flag, "--method=digest",
                                    "a digest sums all rows of both tables in one process");
  }
  return {};
}

Status CheckVerifyFlags() {
  FENSI_RETURN_IF_ERROR(CheckJobFlags());
  FENSI_RETURN_IF_ERROR(CheckMethodFlags());
  if (FLAGS_overwrite && FLAGS_report.empty()) {
    return operations::FlagRequires("--overwrite", "--report");
  }
  FENSI_RETURN_IF_ERROR(operations::CheckAsOf(FLAGS_as_of));
  return operations::CheckRowFlags(FLAGS_prefix, FLAGS_start_row, FLAGS_stop_row);
}

sweep::CompareOptions ReadCompareOptions() {
  sweep::CompareOptions options;
  options.forward = FLAGS_direction != "reverse";
  options.backward = FLAGS_direction != "forward";
  options.digest = FLAGS_method == "digest";
  options.start_row = *Unescape(FLAGS_prefix.empty() ? FLAGS_start_row : FLAGS_prefix);
  options.stop_row = FLAGS_prefix.empty() ? *Unescape(FLAGS_stop_row) : PrefixEnd(options.start_row);
  options.walk.sample = FlagIsGiven("sample") ? static_cast<size_t>(FLAGS_sample) : 0;
  options.walk.seed = std::random_device()();
  options.walk.rows_per_second = FLAGS_rows_per_second;
  options.judge.recheck = std::chrono::seconds(FLAGS_recheck_s);
  options.judge.max_suspects = static_cast<size_t>(FLAGS_max_suspects);
  return options;
}

}  // namespace

Result<operations::VerifyRunOptions> ReadVerifyOptions() {
  FENSI_RETURN_IF_ERROR(CheckVerifyFlags());
  return operations::VerifyRunOptions{.store = ReadStoreOptions(),
                                      .marks = ReadMarkOptions(),
                                      .compare = ReadCompareOptions(),
                                      .as_of = FLAGS_as_of,
                                      .report = FLAGS_report,
                                      .overwrite = FLAGS_overwrite,
                                      .json = FLAGS_json,
                                      .distributed = FLAGS_distributed,
                                      .workers = FLAGS_workers,
                                      .paced = FlagIsGiven("rows_per_second"),
                                      .again = FLAGS_restart,
                                      .steer = AskedToSteer()};
}

}  // namespace fensi::cli

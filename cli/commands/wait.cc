#include <algorithm>
#include <optional>

#include "base/bytes.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/jobs/stop_limit.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/redefinition/own_name.h"
#include "cli/run/signals.h"
#include "cli/run/unless_stopped.h"
#include "indexer/index_table.h"
#include "indexer/meta_row.h"
#include "indexer/pause_watch.h"
#include "indexer/remedies.h"
#include "meta/index_record.h"
#include "meta/meta_table.h"

namespace fensi::cli {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{100};
// A daemon that has just started tells its first marks some seconds later.
constexpr milliseconds kFirstMark{10'000};

/// Milliseconds since the epoch.
Result<int64_t> AskedTime() {
  if (FLAGS_until == "now") return SystemClock()->WallMillis() + FLAGS_clock_skew_ms;
  return ParseTime(FLAGS_until, "--until");
}

class Waiting {
 public:
  Waiting(const mapping::Index* index, std::shared_ptr<store::Store> store, int64_t until)
      : index_(index),
        store_(std::move(store)),
        record_(meta::SharedRow(store_.get(), FLAGS_meta_table, meta::IndexRow(index->name()))),
        until_(until),
        began_(SystemClock()->SinceBoot()) {}

  Result<int> Run() {
    const milliseconds timeout = std::chrono::seconds(FLAGS_timeout_s);
    while (true) {
      FENSI_RETURN_IF_ERROR(Look());
      if (complete_ && *complete_ > until_ && !ClockIsBehind()) return Done();
      const milliseconds passed = SystemClock()->SinceBoot() - began_;
      if (ClockIsBehind() && passed >= std::min(timeout, kFirstMark)) return WrongClock();
      if (!complete_ && failure_.ok() && paused_.empty() && passed >= std::min(timeout, kFirstMark)) return NoMarks();
      if (passed >= timeout) return TooLate();
      if (AwaitStopSignal(kLook) != 0) return Status(StatusCode::kCancelled, "stopped: " + Standing());
    }
  }

 private:
  /// A store that does not answer is asked again.
  Status Look() {
    failure_ = LookOnce();
    return failure_.code() == StatusCode::kUnavailable ? Status() : failure_;
  }
  /// A watermark counts if it is of this index: of its name, its tables, and the incarnation that they have.
  Status LookOnce() {
    FENSI_RETURN_IF_ERROR(RequireOwnName(*index_, store_.get()));
    const Result<std::optional<meta::IndexState>> state = record_.Read();
    FENSI_RETURN_IF_ERROR(state.status());
    const Result<std::optional<Cell>> incarnation = indexer::MetaRow(index_, store_.get()).Read("incarnation");
    const bool no_table = incarnation.status().code() == StatusCode::kNotFound;
    if (!no_table) FENSI_RETURN_IF_ERROR(incarnation.status());
    const bool begun = !no_table && incarnation->has_value();
    const bool is_this = begun && state->has_value() && (*state)->incarnation == (*incarnation)->value;
    complete_ = is_this ? (*state)->complete : std::nullopt;
    if (!begun) return Status();
    FENSI_RETURN_IF_ERROR(CheckTable());
    return LearnPause();
  }
  /// A watermark says nothing of what a table held that was made again. Daemons look at the table every minute, and
  /// this at what they have noted.
  Status CheckTable() const {
    const Result<std::optional<indexer::NotedTable>> noted = indexer::IndexTable(index_, store_.get()).Noted();
    FENSI_RETURN_IF_ERROR(noted.status());
    if (!indexer::IsMismatch(*noted)) return Status();
    return Status(StatusCode::kConfiguration,
                  "index " + index_->name() + " is 'mismatch'. " + indexer::MadeAgainText(*index_));
  }
  /// A person may let it go on while this waits.
  Status LearnPause() {
    Result<std::string> paused = indexer::ReadPause(indexer::MetaRow(index_, store_.get()));
    FENSI_RETURN_IF_ERROR(paused.status());
    if (!paused->empty() && *paused != paused_) Say("wait: " + indexer::PauseText(*index_, *paused));
    paused_ = std::move(*paused);
    return {};
  }

  /// A watermark is never ahead of the servers' clocks. By a clock that is behind them, now is a moment of the past.
  bool ClockIsBehind() const {
    return FLAGS_until == "now" && complete_ && *complete_ > SystemClock()->WallMillis() + FLAGS_clock_skew_ms;
  }
  Status WrongClock() const {
    return Status(StatusCode::kConfiguration,
                  "index " + index_->name() + " is complete to " + TimeText(*complete_) +
                      ", and this machine's clock is at " + TimeText(SystemClock()->WallMillis()) +
                      ": by a clock that is more than --clock_skew_ms (" + std::to_string(FLAGS_clock_skew_ms) +
                      ") behind the servers', --until now proves nothing. Set it right, and run this again");
  }

  int Done() const {
    Print(TimeText(*complete_) + "\n");
    return kExitDone;
  }
  std::string Standing() const {
    if (!complete_) return "index " + index_->name() + ": how complete it is was not learned";
    return "index " + index_->name() + " is complete to " + TimeText(*complete_) + ", asked for was " +
           TimeText(until_);
  }
  Status TooLate() const {
    if (!failure_.ok()) return failure_;
    if (!paused_.empty()) {
      return Status(StatusCode::kCancelled, Standing() + "; " + indexer::PauseText(*index_, paused_));
    }
    return Status(StatusCode::kCancelled,
                  Standing() + "; the lines of 'fensi run' and 'fensi capture' say what holds it back");
  }
  Status NoMarks() const {
    return Status(
        StatusCode::kConfiguration,
        "index " + index_->name() + " has no marks in table " + FLAGS_meta_table +
            ": they need a 'fensi run' that works, a 'fensi capture' with --mark_ms, and HBase's replication "
            "markers ('fensi capture --plan' prints the settings). 'fensi status' and the log of 'fensi run' say what "
            "is missing");
  }

  const mapping::Index* const index_;
  const std::shared_ptr<store::Store> store_;
  const meta::IndexRecord record_;
  const int64_t until_;
  const milliseconds began_;
  std::optional<int64_t> complete_;
  std::string paused_;  // by whom, when and why; empty: it is not
  Status failure_;
};

Result<int> Wait(const Arguments& arguments) {
  if (FLAGS_until.empty()) return Status(StatusCode::kInvalidArgument, "--until is missing (now, or a time)");
  // First of all: what is asked for is what was put before this command began.
  const Result<int64_t> until = AskedTime();
  FENSI_RETURN_IF_ERROR(until.status());
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  BlockStopSignals();
  const StopLimit limit("wait");
  Result<std::unique_ptr<store::Store>> store =
      UnlessStopped([] { return OpenStoreToRead(FLAGS_meta_table); }, "wait: stopped before the store had answered");
  FENSI_RETURN_IF_ERROR(store.status());
  return Waiting(index->get(), std::move(*store), *until).Run();
}

}  // namespace

Command WaitCommand() {
  Command command;
  command.name = "wait";
  command.summary = "wait until an index is complete up to a time";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Ends with 0 as soon as every change that was put into the source up to --until is in the index, and prints the "
      "time up to which it is complete. Who has put something, then waits --until now, and then reads, finds it. Exit "
      "code 75: not within --timeout_s; 78: the index has no marks, from which this is known, or is 'mismatch' because "
      "its table was made again. It needs 'fensi capture', and settings of HBase that 'fensi capture --plan' prints. "
      "What HBase's replication does not send is not in the index: bulk loads and writes without the log.";
  command.flags = {{"store", true}, {"until"}, {"timeout_s"}, {"clock_skew_ms"}, {"meta_table"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi wait guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --until now", "read your own write"},
      {"fensi wait guanzhu.yaml fensi --store hbase://127.0.0.1:9090 --until 2016-12-20T12:00:00 --timeout_s 600",
       "before a report of a day"}};
  command.run = Wait;
  return command;
}

}  // namespace fensi::cli

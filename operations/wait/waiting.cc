#include "operations/wait/waiting.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "indexer/index_table.h"
#include "indexer/meta_row.h"
#include "indexer/remedies.h"
#include "meta/bulk_loads.h"
#include "meta/index_record.h"
#include "operations/access/position.h"
#include "operations/console/console.h"
#include "operations/jobs/signals.h"
#include "operations/tables/taken_names.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLook{100};
// A daemon that has just started tells its first marks some seconds later.
constexpr milliseconds kFirstMark{10'000};

}  // namespace

Result<int> Waiting::Run() {
  const milliseconds timeout = options_.timeout;
  while (true) {
    FENSI_RETURN_IF_ERROR(Look());
    // M20: a clock that is slow proves nothing about now.
    if (complete_ && *complete_ > until_ && !ClockIsBehind()) return Done();
    const milliseconds passed = SystemClock()->MonotonicNow() - began_;
    if (ClockIsBehind() && passed >= std::min(timeout, kFirstMark)) return WrongClock();
    if (!complete_ && failure_.ok() && paused_.empty() && passed >= std::min(timeout, kFirstMark)) return NoWatermark();
    if (passed >= timeout) return TooLate();
    if (AwaitStopSignal(kLook) != 0) return Status(StatusCode::kCancelled, "stopped: " + Standing());
  }
}

Status Waiting::CheckTimeout() const {
  if (SystemClock()->MonotonicNow() - began_ < options_.timeout + kGrace) return {};
  return Status(StatusCode::kUnavailable, "--timeout_s is over, and the server with table " + options_.meta_table +
                                              " or with the state of the index does not answer");
}

Status Waiting::Look() {
  failure_ = LookOnce();
  return failure_.code() == StatusCode::kUnavailable ? Status() : failure_;
}

Status Waiting::LookOnce() {
  FENSI_RETURN_IF_ERROR(RequireOwnName(*index_, store_.get(), options_.meta_table));
  FENSI_ASSIGN_OR_RETURN(const std::optional<meta::IndexState> state, record_.Read());
  const Result<std::optional<Cell>> incarnation = indexer::MetaRow(index_, store_.get()).Read("incarnation");
  const bool no_table = incarnation.status().code() == StatusCode::kNotFound;
  if (!no_table) FENSI_RETURN_IF_ERROR(incarnation.status());
  const bool begun = !no_table && incarnation->has_value();
  const bool is_this = begun && state.has_value() && state->incarnation == (*incarnation)->value;
  complete_ = is_this ? state->complete : std::nullopt;
  if (!begun) return Status();
  FENSI_RETURN_IF_ERROR(LearnLoads((*incarnation)->value));
  FENSI_RETURN_IF_ERROR(CheckTable());
  return LearnPause();
}

Status Waiting::CheckTable() const {
  FENSI_ASSIGN_OR_RETURN(const std::optional<indexer::NotedTable> noted,
                         indexer::IndexTable(index_, store_.get()).Noted());
  if (!indexer::IsMismatch(noted)) return Status();
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + " is 'mismatch'. " + indexer::MadeAgainText(*index_));
}

Status Waiting::LearnLoads(const std::string& incarnation) {
  const meta::BulkLoads loads({store_.get(), options_.meta_table, meta::LoadsRow(index_->name())}, incarnation);
  FENSI_ASSIGN_OR_RETURN(const std::vector<meta::LoadedRegion> waiting, loads.Waiting());
  loads_ = waiting.size();
  return {};
}

Status Waiting::LearnPause() {
  FENSI_ASSIGN_OR_RETURN(std::string paused, indexer::ReadPause(indexer::MetaRow(index_, store_.get())));
  if (!paused.empty() && paused != paused_) Say("wait: " + indexer::PauseText(*index_, paused));
  paused_ = std::move(paused);
  return {};
}

bool Waiting::ClockIsBehind() const {
  return options_.until_now && complete_ && *complete_ > SystemClock()->WallMillis() + options_.clock_skew.count();
}

Status Waiting::WrongClock() const {
  return Status(StatusCode::kConfiguration, "the clock of this machine (" + TimeText(SystemClock()->WallMillis()) +
                                                ") is behind the servers' clocks by more than --clock_skew_ms (" +
                                                std::to_string(options_.clock_skew.count()) + " ms): index " +
                                                index_->name() + " is already complete to " + TimeText(*complete_) +
                                                ". With this clock, --until now proves nothing. " +
                                                indexer::kCompareClocks + ". Then run the command again");
}

int Waiting::Done() const {
  Print(TimeText(*complete_) + "\n");
  return kExitDone;
}

std::string Waiting::Standing() const {
  if (!complete_) return "index " + index_->name() + ": its watermark is unknown";
  const std::string loads = loads_ == 0 ? ""
                                        : ". It stays before the bulk loads into " +
                                              Counted(static_cast<int64_t>(loads_), "region") +
                                              " whose rows 'fensi run' still reads";
  return "the watermark of index " + index_->name() + " is " + TimeText(*complete_) + ", before " + TimeText(until_) +
         " (--until)" + loads;
}

Status Waiting::TooLate() const {
  if (!failure_.ok()) return failure_;
  if (!paused_.empty()) {
    return Status(StatusCode::kCancelled, Standing() + "; " + indexer::PauseText(*index_, paused_));
  }
  return Status(StatusCode::kCancelled,
                Standing() + ". Check with 'fensi status' that 'fensi run' and 'fensi capture' work, then wait again");
}

Status Waiting::NoWatermark() const {
  return Status(StatusCode::kConfiguration,
                "index " + index_->name() + " has no watermark in table " + options_.meta_table +
                    ". A watermark needs a 'fensi run' that works, a 'fensi capture' with --watermark_interval_ms, and "
                    "HBase's replication markers. 'fensi capture --plan' prints the settings of HBase. 'fensi status' "
                    "and the log of 'fensi run' name what is missing");
}

}  // namespace fensi::operations

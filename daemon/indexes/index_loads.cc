#include "daemon/indexes/index_loads.h"

#include <exception>
#include <utility>

#include "base/text.h"
#include "daemon/log/log.h"
#include "operations/backfill/stream_owners.h"
#include "operations/loads/load_follower.h"
#include "sweep/compare/judge.h"

namespace fensi::daemon {

void IndexLoads::Start() {
  thread_ = std::thread([this] { Work(); });
}

void IndexLoads::Join() {
  if (thread_.joinable()) thread_.join();
}

LoadCounts IndexLoads::counts() const {
  const MutexLock lock(mu_);
  return counts_;
}

Status IndexLoads::GoOn() const {
  return parts_.stopped() ? Status(StatusCode::kCancelled, "asked to stop") : Status();
}

bool IndexLoads::Rest(std::chrono::milliseconds pause) const {
  return sweep::WaitUntil(parts_.clock->MonotonicNow() + pause, parts_.clock, [this] { return GoOn(); }).ok();
}

void IndexLoads::Work() {
  while (!parts_.ready()) {
    if (!Rest(kPause)) return;
  }
  operations::LoadFollower follower(
      {.index = parts_.index,
       .store = parts_.store.get(),
       .meta_table = parts_.meta_table,
       .clock_skew = parts_.clock_skew,
       .clock = parts_.clock,
       .listener = this,
       .find_owners = [this]() -> Result<std::unique_ptr<operations::Owners>> {
         FENSI_ASSIGN_OR_RETURN(std::unique_ptr<operations::StreamOwners> owners,
                                operations::StreamOwners::Find(parts_.index, parts_.store.get(), {parts_.kafka}));
         return std::unique_ptr<operations::Owners>(std::move(owners));
       },
       .find_stream = [this] { return operations::KafkaAppliedStream::Create(parts_.index, parts_.kafka); },
       .go_on = [this] { return GoOn(); }});
  for (;;) {
    Status turn;
    try {
      turn = follower.Turn();
    } catch (const std::exception& error) {  // lack of memory: the index must not end by it
      turn = InternalError(error);
    }
    if (!GoOn().ok()) return;
    Note(turn);
    if (!Rest(turn.ok() ? kPause : kFailurePause)) return;
  }
}

/// The log has a failure once, and the status as long as it lasts. A server that is away has lines of its own.
void IndexLoads::Note(const Status& turn) {
  std::string before;
  {
    const MutexLock lock(mu_);
    before = std::exchange(counts_.trouble, turn.message());
    if (!turn.ok()) ++counts_.failures;
  }
  if (turn.ok() || turn.code() == StatusCode::kUnavailable || before == turn.message()) return;
  Tell("bulk_load_failed", "cannot read the rows of a bulk load, and tries again by itself: " + turn.words());
}

void IndexLoads::Progress(const operations::LoadProgress& progress) {
  const MutexLock lock(mu_);
  counts_.now = progress;
}

void IndexLoads::Begins(int64_t regions, size_t ranges) {
  Tell("bulk_load_begun", RedactableText("reads the rows of " + Counted(regions, "loaded region") + " in " +
                                         Counted(static_cast<int64_t>(ranges), "range")));
}

void IndexLoads::Ends(int64_t rows) {
  {
    const MutexLock lock(mu_);
    ++counts_.jobs;
  }
  Tell("bulk_load_done", RedactableText(Counted(rows, "row") + " of bulk loads read and applied"));
}

void IndexLoads::Tell(Event event, const RedactableText& words) const {
  Log(event, "index " + parts_.index->name() + ": bulk load: " + words, {.index = parts_.index->name()});
}

}  // namespace fensi::daemon

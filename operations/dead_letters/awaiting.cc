#include "operations/dead_letters/awaiting.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>

#include "base/text.h"
#include "consumer/kafka/client/handles.h"
#include "indexer/partition_progress.h"
#include "operations/jobs/signals.h"

namespace fensi::operations {
namespace {

using std::chrono::milliseconds;
using Passed = std::map<std::string, std::map<int32_t, int64_t>>;  // topic, partition, first offset that is not done

constexpr milliseconds kAskEach{200};

/// `asked`: the incarnation that was there at the first look; others do not do what was asked of it.
Result<Passed> LookHowFar(const mapping::Index& index, consumer::TopicAdmin* admin, store::Store* store,
                          std::optional<std::string>* asked) {
  const auto committed = admin->groups().CommittedOffsets(index.group(), index.topic());
  FENSI_RETURN_IF_ERROR(committed.status());
  FENSI_ASSIGN_OR_RETURN(const indexer::PartitionProgress progress, indexer::ReadPartitionProgress(index, store));
  if (!*asked) *asked = progress.incarnation;
  FENSI_RETURN_IF_ERROR(indexer::CheckIncarnation(index, progress, **asked));
  Passed passed;
  passed[index.requests_topic()] = progress.done;
  for (size_t i = 0; i < committed->size(); ++i) {
    passed[index.topic()][static_cast<int32_t>(i)] = (*committed)[i].value_or(0);
  }
  return passed;
}

int64_t NotDone(const DeadLetterRetry::Sent& sent, Passed* passed) {
  int64_t open = 0;
  for (const auto& [where, offsets] : sent) {
    const int64_t next = (*passed)[where.first][where.second];
    open += offsets.end() - std::lower_bound(offsets.begin(), offsets.end(), next);
  }
  return open;
}

Result<AwaitedEnd> FailedAgain(const DeadLetterRetry::Sent& sent, const DeadLetterLog& parked) {
  AwaitedEnd end;
  FENSI_RETURN_IF_ERROR(parked.ForEach(
      std::nullopt, [&](const Place& place, LetterState, consumer::DeadLetterRecord* letter) -> Result<bool> {
        const auto found = sent.find({letter->letter.topic, letter->letter.partition});
        if (!letter->begins() || found == sent.end()) return true;
        if (!std::binary_search(found->second.begin(), found->second.end(), letter->letter.offset)) return true;
        if (++end.failed_again == 1) end.first = place;
        return true;
      }));
  return end;
}

}  // namespace

Result<AwaitedEnd> AwaitDone(const mapping::Index& index, const DeadLetterRetry::Sent& sent,
                             const DeadLetterLog& parked, consumer::TopicAdmin* admin, store::Store* store,
                             milliseconds timeout) {
  const consumer::Deadline deadline(timeout);
  std::optional<std::string> asked;
  for (;;) {
    FENSI_ASSIGN_OR_RETURN(Passed passed, LookHowFar(index, admin, store, &asked));
    const int64_t open = NotDone(sent, &passed);
    if (open == 0) return FailedAgain(sent, parked);
    const bool stopped = AwaitStopSignal(kAskEach) != 0;
    if (!stopped && !deadline.over()) continue;
    return Status(
        StatusCode::kCancelled,
        std::string(stopped ? "stopped" : "not in time (--wait_s)") + ": all dead letters were sent again, " +
            "but the daemons of index " + index.name() + " have not applied " + WithCommas(open) +
            " of the messages yet. The daemons apply the messages all the same. 'fensi dead-letters list MAPPING " +
            index.name() + "' shows the dead letters that come back");
  }
}

}  // namespace fensi::operations

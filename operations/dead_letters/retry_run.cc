#include "operations/dead_letters/retry_run.h"

#include <chrono>
#include <memory>
#include <string>
#include <utility>

#include "base/exit_codes.h"
#include "base/text.h"
#include "base/who.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_facts.h"
#include "consumer/kafka/producer/partitioned_producer.h"
#include "operations/access/stores.h"
#include "operations/console/console.h"
#include "operations/dead_letters/awaiting.h"
#include "operations/dead_letters/dead_letter_retry.h"
#include "operations/dead_letters/ledger_writer.h"
#include "operations/jobs/signals.h"
#include "operations/repair/incarnation.h"

namespace fensi::operations {
namespace {

// Regions move and gateways start again; longer than that is no passing trouble.
constexpr std::chrono::minutes kGiveUp{2};

class DeadLetterRetryRun {
 public:
  DeadLetterRetryRun(const mapping::Index* index, const DeadLetterLog* parked, ReplayWish wish)
      : index_(*index), log_(*parked), wish_(std::move(wish)) {}

  Result<int> Run() {
    FENSI_RETURN_IF_ERROR(Open());
    FENSI_ASSIGN_OR_RETURN(ReplayOptions options, Options());
    DeadLetterRetry replay(&log_, std::move(options));
    FENSI_RETURN_IF_ERROR(replay.Plan());
    FENSI_RETURN_IF_ERROR(SayPlan(replay));
    if (!wish_.execute) {
      if (replay.planned() > 0) wish_.say_the_line();
      return kExitDone;
    }
    if (replay.planned() > 0) FENSI_RETURN_IF_ERROR(Execute(&replay));
    return Conclude(replay);
  }

 private:
  Status Open() {
    FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, OpenStoreToReadAny(wish_.store));
    store_ = WaitingStore(std::move(store), kGiveUp);
    Result<std::unique_ptr<consumer::TopicAdmin>> admin =
        consumer::TopicAdmin::Create(wish_.kafka.cluster, wish_.kafka.connect_timeout);
    FENSI_RETURN_IF_ERROR(admin.status());
    admin_ = std::move(*admin);
    return Status();
  }

  Result<ReplayTopic> Topic(const std::string& name) const {
    const Result<consumer::TopicDescription> found = admin_->Describe(name);
    if (found.status().code() == StatusCode::kNotFound) return ReplayTopic{.name = name};
    FENSI_RETURN_IF_ERROR(found.status());
    return ReplayTopic{name, found->partitions, found->max_message_bytes.value_or(0)};
  }

  Result<ReplayOptions> Options() {
    FENSI_ASSIGN_OR_RETURN(const ReplayTopic stream, Topic(index_.topic()));
    FENSI_ASSIGN_OR_RETURN(const ReplayTopic requests, Topic(index_.requests_topic()));
    const Result<std::string> incarnation =
        NeededIncarnation(index_, indexer::IndexMeta(&index_, store_.get(), SystemClock()));
    if (!incarnation.ok() && incarnation.status().code() != StatusCode::kConfiguration) return incarnation.status();
    return ReplayOptions{.filter = wish_.filter,
                         .ended_too = wish_.ended_too,
                         .most = wish_.most,
                         .force = wish_.force,
                         .format = wish_.format,
                         .stream = stream,
                         .requests = requests,
                         .source_table = index_.source_table(),
                         .incarnation = incarnation.ok() ? *incarnation : "",
                         .may_ask = incarnation.ok() ? MayAsk(stream, requests) : incarnation.status(),
                         .stopped = [execute = wish_.execute] {
                           // The ledger has the results of an interrupted replay.
                           return execute && AwaitStopSignal(std::chrono::milliseconds(0)) != 0;
                         }};
  }

  /// Why no owner can recheck a row.
  Status MayAsk(const ReplayTopic& stream, const ReplayTopic& requests) const {
    if (requests.partitions == 0) {
      return NoRequestsTopic(requests.name, wish_.kafka.cluster.brokers);
    }
    return consumer::CheckRequestPartitions(requests.name, requests.partitions, stream.name, stream.partitions);
  }

  Status SayPlan(const DeadLetterRetry& replay) const {
    const int64_t rechecks = replay.planned() - replay.as_bytes();
    std::string text = "index " + index_.name() + ": " + Counted(replay.planned(), "dead letter") +
                       (wish_.execute ? " in this retry" : " to be retried");
    if (replay.as_bytes() > 0) text += "; " + WithCommas(replay.as_bytes()) + " as the bytes that they hold";
    if (rechecks > 0) text += "; " + WithCommas(rechecks) + " as a re-read of their source rows";
    Print(text + "\n");
    for (const auto& [kind, letters] : replay.kinds()) Print("  " + kind + ": " + WithCommas(letters) + "\n");
    SayLeft(replay);
    return FinishOutput();
  }

  static void SayLeft(const DeadLetterRetry& replay) {
    for (const auto& [why, left] : replay.left()) {
      const bool one = left.letters == 1;
      Print("  not retried: " + Counted(left.letters, "dead letter") + (one ? " " : ", the first is ") +
            PlaceText(left.first) + (one ? ". Reason: " : ". Reason for each: ") + why + "\n");
    }
    if (replay.unnamed() == 0) return;
    Print("  not retried: " + Counted(replay.unnamed(), "dead letter") +
          " that fensi could not decode. Upgrade fensi if the writer is newer, then retry them with --kind "
          "undecodable\n");
  }

  Status RequireDaemon() const {
    if (wish_.wait.count() == 0) return Status();
    FENSI_ASSIGN_OR_RETURN(const consumer::GroupDescription group, admin_->groups().DescribeGroup(index_.group()));
    if (group.active()) return Status();
    return NoDaemonRuns(index_.name(), index_.group());
  }

  Status Execute(DeadLetterRetry* replay) {
    FENSI_RETURN_IF_ERROR(RequireDaemon());
    FENSI_ASSIGN_OR_RETURN(const std::unique_ptr<consumer::PartitionedProducer> producer,
                           consumer::PartitionedProducer::Create(
                               {.cluster = wish_.kafka.cluster, .connect_timeout = wish_.kafka.connect_timeout}));
    LedgerWriter ledger(producer.get(), index_.dead_letter_topic(),
                        {.index = index_.name(),
                         .action = consumer::Resolution::Action::kReplayed,
                         .letters = {},
                         .who = WhoIsAtWork(),
                         .why = wish_.reason});
    const Status executed = replay->Execute(producer.get(), &ledger);
    if (!executed.ok()) return executed.WithContext("after a retry of " + Counted(replay->sent(), "dead letter"));
    Say("dead-letters: " + Counted(replay->sent(), "dead letter") + " retried");
    return Status();
  }

  Result<int> Conclude(const DeadLetterRetry& replay) const {
    const int left = replay.left().empty() ? kExitDone : kExitDifference;
    if (wish_.wait.count() == 0 || replay.sent() == 0) return left;
    const Result<AwaitedEnd> end = AwaitDone(index_, replay.places(), log_, admin_.get(), store_.get(), wish_.wait);
    FENSI_RETURN_IF_ERROR(end.status());
    if (end->failed_again == 0) {
      Say("dead-letters: the daemons have applied all retried dead letters");
      return left;
    }
    Say("dead-letters: " + Counted(end->failed_again, "dead letter") + " failed again, the first is " +
        PlaceText(end->first) + ". See why with 'fensi dead-letters show MAPPING " + index_.name() + " " +
        PlaceText(end->first) + "'");
    return kExitDifference;
  }

  const mapping::Index& index_;
  const DeadLetterLog& log_;
  const ReplayWish wish_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
};

}  // namespace

Result<int> RetryDeadLetters(const mapping::Index& index, const DeadLetterLog& parked, ReplayWish wish) {
  return DeadLetterRetryRun(&index, &parked, std::move(wish)).Run();
}

}  // namespace fensi::operations

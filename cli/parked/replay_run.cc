#include "cli/parked/replay_run.h"

#include <chrono>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "base/counted.h"
#include "cli/access/kafka.h"
#include "cli/access/stores.h"
#include "cli/flags/flags.h"
#include "cli/parked/awaiting.h"
#include "cli/parked/ledger_writer.h"
#include "cli/parked/replaying.h"
#include "cli/program/command.h"
#include "cli/program/output.h"
#include "cli/program/who.h"
#include "cli/repair/incarnation.h"
#include "cli/run/signals.h"
#include "consumer/kafka/placed_producer.h"
#include "consumer/kafka/topic_admin.h"

namespace fensi::cli {
namespace {

using std::chrono::seconds;

// Regions move and gateways start again; longer than that is no passing trouble.
constexpr std::chrono::minutes kGiveUp{2};

/// What an interrupted replay did is in the ledger.
bool StopAsked() { return FLAGS_execute && AwaitStopSignal(std::chrono::milliseconds(0)) != 0; }

class ReplayRun {
 public:
  ReplayRun(const mapping::Index* index, const ParkedLetters* parked, ReplayWish wish)
      : index_(*index), parked_(*parked), wish_(std::move(wish)) {}

  Result<int> Run() {
    FENSI_RETURN_IF_ERROR(Open());
    Result<ReplayOptions> options = Options();
    FENSI_RETURN_IF_ERROR(options.status());
    LetterReplay replay(&parked_, std::move(*options));
    FENSI_RETURN_IF_ERROR(replay.Plan());
    FENSI_RETURN_IF_ERROR(SayPlan(replay));
    if (!FLAGS_execute) {
      if (replay.planned() > 0) wish_.say_the_line();
      return kExitDone;
    }
    if (replay.planned() > 0) FENSI_RETURN_IF_ERROR(Execute(&replay));
    return Conclude(replay);
  }

 private:
  Status Open() {
    Result<std::unique_ptr<store::Store>> store = OpenStoreToReadAny();
    FENSI_RETURN_IF_ERROR(store.status());
    store_ = WaitingStore(std::move(*store), kGiveUp);
    Result<std::unique_ptr<consumer::TopicAdmin>> admin =
        consumer::TopicAdmin::Create(SourceCluster(), seconds(FLAGS_connect_timeout_s));
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
    const Result<ReplayTopic> stream = Topic(index_.topic()), requests = Topic(index_.requests_topic());
    FENSI_RETURN_IF_ERROR(stream.status());
    FENSI_RETURN_IF_ERROR(requests.status());
    const Result<std::string> incarnation =
        NeededIncarnation(index_, indexer::IndexMeta(&index_, store_.get(), SystemClock()));
    if (!incarnation.ok() && incarnation.status().code() != StatusCode::kConfiguration) return incarnation.status();
    return ReplayOptions{.filter = wish_.filter,
                         .ended_too = !FLAGS_state.empty(),
                         .most = FLAGS_max,
                         .force = FLAGS_force,
                         .format = wish_.format,
                         .stream = *stream,
                         .requests = *requests,
                         .source_table = index_.source_table(),
                         .incarnation = incarnation.ok() ? *incarnation : "",
                         .may_ask = incarnation.ok() ? MayAsk(*stream, *requests) : incarnation.status(),
                         .stopped = StopAsked};
  }

  /// Why nobody could be asked to look at a row.
  Status MayAsk(const ReplayTopic& stream, const ReplayTopic& requests) const {
    const std::string make_it = "; make it with: fensi create … --kafka " + SourceCluster().brokers + " --execute, and";
    if (requests.partitions == 0) {
      return Status(StatusCode::kConfiguration, "topic " + requests.name +
                                                    " is missing, through which the owners of the rows are asked" +
                                                    make_it + " start 'fensi run' again");
    }
    if (requests.partitions == stream.partitions) return Status();
    return Status(StatusCode::kConfiguration, "topic " + requests.name + " has " + std::to_string(requests.partitions) +
                                                  " partitions, and " + stream.name + " " +
                                                  std::to_string(stream.partitions) +
                                                  ": a request would reach who does not own its row. Delete topic " +
                                                  requests.name + make_it + " replay again");
  }

  Status SayPlan(const LetterReplay& replay) const {
    const int64_t rechecks = replay.planned() - replay.as_bytes();
    std::string text = "index " + index_.name() + ": " + Counted(replay.planned(), "letter") +
                       (FLAGS_execute ? " in this replay" : " to be replayed");
    if (replay.as_bytes() > 0) text += "; " + WithCommas(replay.as_bytes()) + " as the bytes that they hold";
    if (rechecks > 0) text += "; " + WithCommas(rechecks) + " as a new look at their source rows";
    Print(text + "\n");
    for (const auto& [kind, letters] : replay.kinds()) Print("  " + kind + ": " + WithCommas(letters) + "\n");
    SayLeft(replay);
    return FinishOutput();
  }

  static void SayLeft(const LetterReplay& replay) {
    for (const auto& [why, left] : replay.left()) {
      Print("  left: " + Counted(left.letters, "letter") + ", first " + PlaceText(left.first) + ": " + why + "\n");
    }
    if (replay.unnamed() == 0) return;
    Print("  left: " + Counted(replay.unnamed(), "letter") +
          " that no fensi could decode; when one can, --kind undecodable replays them\n");
  }

  Status RequireDaemon() const {
    if (FLAGS_wait_s == 0) return Status();
    const Result<consumer::GroupDescription> group = admin_->groups().DescribeGroup(index_.group());
    FENSI_RETURN_IF_ERROR(group.status());
    if (group->active()) return Status();
    return Status(StatusCode::kConfiguration, "nobody runs index " + index_.name() + ": group " + index_.group() +
                                                  " has no members. Start 'fensi run', or replay without waiting for "
                                                  "the outcome: --wait_s 0");
  }

  Status Execute(LetterReplay* replay) {
    FENSI_RETURN_IF_ERROR(RequireDaemon());
    const Result<std::unique_ptr<consumer::PlacedProducer>> producer = consumer::PlacedProducer::Create(
        {.cluster = SourceCluster(), .connect_timeout = seconds(FLAGS_connect_timeout_s)});
    FENSI_RETURN_IF_ERROR(producer.status());
    LedgerWriter ledger(producer->get(), index_.dead_letter_topic(),
                        {.index = index_.name(),
                         .action = consumer::Resolution::Action::kReplayed,
                         .letters = {},
                         .who = WhoIsAtWork(),
                         .why = FLAGS_reason});
    const Status executed = replay->Execute(producer->get(), &ledger);
    if (!executed.ok()) return executed.WithContext(Counted(replay->sent(), "letter") + " replayed, then");
    Say("parked: " + Counted(replay->sent(), "letter") + " replayed");
    return Status();
  }

  Result<int> Conclude(const LetterReplay& replay) const {
    const int left = replay.left().empty() ? kExitDone : kExitDifference;
    if (FLAGS_wait_s == 0 || replay.sent() == 0) return left;
    const Result<AwaitedEnd> end =
        AwaitDone(index_, replay.places(), parked_, admin_.get(), store_.get(), seconds(FLAGS_wait_s));
    FENSI_RETURN_IF_ERROR(end.status());
    if (end->parked_again == 0) {
      Say("parked: all of them are done");
      return left;
    }
    Say("parked: " + Counted(end->parked_again, "letter") + " parked again, the first is " + PlaceText(end->first));
    return kExitDifference;
  }

  const mapping::Index& index_;
  const ParkedLetters& parked_;
  const ReplayWish wish_;
  std::unique_ptr<store::Store> store_;
  std::unique_ptr<consumer::TopicAdmin> admin_;
};

}  // namespace

Result<int> ReplayLetters(const mapping::Index& index, const ParkedLetters& parked, ReplayWish wish) {
  return ReplayRun(&index, &parked, std::move(wish)).Run();
}

}  // namespace fensi::cli

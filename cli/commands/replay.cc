#include "base/counted.h"
#include "cli/access/kafka.h"
#include "cli/access/position.h"
#include "cli/access/stores.h"
#include "cli/commands/commands.h"
#include "cli/flags/flags.h"
#include "cli/mappings/mapping_files.h"
#include "cli/program/output.h"
#include "cli/run/sources.h"
#include "consumer/kafka/topic_admin.h"
#include "indexer/index_meta.h"

namespace fensi::cli {
namespace {

using consumer::PartitionOffset;
using consumer::TopicAdmin;
using mapping::Index;
using Offsets = std::vector<PartitionOffset>;

int64_t OffsetOf(const Offsets& offsets, int32_t partition) {
  for (const PartitionOffset& entry : offsets) {
    if (entry.partition == partition) return entry.offset;
  }
  return 0;
}

/// Where one index's group stands and where it is to go.
class ReplayPlan {
 public:
  ReplayPlan(const Index& index, TopicAdmin* admin) : index_(index), admin_(admin) {}

  Status Make(const Position& position) {
    FENSI_RETURN_IF_ERROR(ReadTopic());
    Result<Offsets> target = Target(position);
    if (!target.ok()) return target.status();
    target_ = std::move(*target);
    return CheckTarget();
  }

  void Show(const Position& position) const {
    Print("index " + index_.name() + ": group " + index_.group() + ", topic " + index_.topic() + ", from " +
          PositionText(position) + "\n");
    for (const PartitionOffset& to : target_) {
      const auto& from = committed_[static_cast<size_t>(to.partition)];
      std::string text = "  partition " + std::to_string(to.partition) + ": ";
      text += from ? "offset " + std::to_string(*from) : "no offset";
      Print(text + " -> " + std::to_string(to.offset) + Meaning(from, to) + "\n");
    }
  }

  Status RequireIdle() const {
    const Result<consumer::GroupDescription> group = admin_->groups().DescribeGroup(index_.group());
    if (!group.ok()) return group.status();
    if (!group->active()) return Status();
    return Status(StatusCode::kConfiguration, "group " + index_.group() + " is active (" +
                                                  Counted(static_cast<int64_t>(group->members), "member") +
                                                  "); stop every 'fensi run' of index " + index_.name() + " first");
  }

  /// First the state learns where the index may begin, then the group is moved: a crash between leaves a permission
  /// that nothing uses.
  Status Execute(store::Store* store) const {
    indexer::IndexMeta meta(&index_, store);
    FENSI_RETURN_IF_ERROR(meta.CheckReplayHelps());
    for (const PartitionOffset& to : target_) {
      FENSI_RETURN_IF_ERROR(meta.AllowStart(index_.topic(), to.partition, to.offset));
    }
    const Result<std::string> cluster = admin_->ClusterId();
    if (cluster.ok()) FENSI_RETURN_IF_ERROR(meta.AllowCluster(index_.topic(), *cluster));
    return admin_->groups().AlterOffsets(index_.group(), index_.topic(), target_);
  }

 private:
  Status ReadTopic() {
    auto earliest = admin_->EarliestOffsets(index_.topic());
    if (!earliest.ok()) return earliest.status();
    auto latest = admin_->LatestOffsets(index_.topic());
    if (!latest.ok()) return latest.status();
    auto committed = admin_->groups().CommittedOffsets(index_.group(), index_.topic());
    if (!committed.ok()) return committed.status();
    earliest_ = std::move(*earliest);
    latest_ = std::move(*latest);
    committed_ = std::move(*committed);
    return Status();
  }

  Result<Offsets> Target(const Position& position) const {
    switch (position.kind) {
      case Position::Kind::kEarliest:
        return earliest_;
      case Position::Kind::kLatest:
        return latest_;
      case Position::Kind::kTime:
        return admin_->OffsetsAt(index_.topic(), position.value);
      case Position::Kind::kOffset:
        break;
    }
    Offsets offsets = earliest_;
    for (PartitionOffset& entry : offsets) entry.offset = position.value;
    return offsets;
  }

  /// An offset outside the log would stop the index at its next start.
  Status CheckTarget() const {
    std::string faults;
    for (const PartitionOffset& to : target_) {
      const int64_t first = OffsetOf(earliest_, to.partition), end = OffsetOf(latest_, to.partition);
      if (to.offset >= first && to.offset <= end) continue;
      faults += "\n  partition " + std::to_string(to.partition) + " holds offsets " + std::to_string(first) + " to " +
                std::to_string(end);
    }
    if (faults.empty()) return Status();
    return Status(StatusCode::kInvalidArgument, "--from lies outside the topic:" + faults);
  }

  /// A group without an offset would begin at the log's begin: what lies before the target is skipped then, too.
  std::string Meaning(const std::optional<int64_t>& from, const PartitionOffset& to) const {
    const int64_t distance = to.offset - from.value_or(OffsetOf(earliest_, to.partition));
    if (distance == 0) return "";
    if (distance < 0) return " (" + Counted(-distance, "event") + " again)";
    return " (" + Counted(distance, "event") + " SKIPPED: the index will not have them)";
  }

  const Index& index_;
  TopicAdmin* const admin_;
  Offsets earliest_;
  Offsets latest_;
  std::vector<std::optional<int64_t>> committed_;
  Offsets target_;
};

Status ExecuteReplay(const ReplayPlan& plan, const Index& index) {
  const Result<std::unique_ptr<store::Store>> store = OpenStoreToWrite();
  if (!store.ok()) return store.status();
  const Result<std::optional<store::TableDescriptor>> state = (*store)->DescribeTable(index.state_table());
  if (!state.ok()) return state.status();
  if (state->has_value()) return plan.Execute(store->get());
  return Status(StatusCode::kNotFound,
                "table " + index.state_table() + " is missing; make it with 'fensi create' first");
}

Result<int> Replay(const Arguments& arguments) {
  if (!SourceIsKafka())
    return Status(StatusCode::kInvalidArgument,
                  "only a Kafka topic can be replayed; a file is read again by every run");
  const auto index = LoadIndex(arguments[0], arguments[1]);
  FENSI_RETURN_IF_ERROR(index.status());
  const Result<Position> position = ParsePosition(FLAGS_from);
  if (!position.ok()) return position.status();
  const auto admin = TopicAdmin::Create(SourceCluster(), std::chrono::seconds(FLAGS_connect_timeout_s));
  if (!admin.ok()) return admin.status();
  ReplayPlan plan(**index, admin->get());
  FENSI_RETURN_IF_ERROR(plan.Make(*position));
  plan.Show(*position);
  FENSI_RETURN_IF_ERROR(plan.RequireIdle());
  if (FLAGS_execute) FENSI_RETURN_IF_ERROR(ExecuteReplay(plan, **index));
  Say(FLAGS_execute ? "replay: the offsets are set; the next 'fensi run' begins there"
                    : "replay: nothing was done; --execute does it");
  return kExitDone;
}

}  // namespace

Command ReplayCommand() {
  Command command;
  command.name = "replay";
  command.summary = "let an index read its topic again from some place";
  command.arguments = "MAPPING INDEX";
  command.min_arguments = command.max_arguments = 2;
  command.description =
      "Shows where the consumer group of an index stands and where it would begin; --execute moves it. Refused while "
      "the group has members. Events that are applied again change nothing in an index that has them, and rebuild one "
      "that was emptied together with its state.";
  command.flags = {{"source", true},   {"store", true},         {"from", true},       {"execute"},
                   {"kafka_property"}, {"kafka_property_file"}, {"connect_timeout_s"}};
  command.examples = {
      {"fensi replay guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090 --from earliest",
       "the plan for a replay of everything"},
      {"fensi replay guanzhu.yaml fensi --source kafka://127.0.0.1:9092 --store hbase://127.0.0.1:9090 "
       "--from 2026-01-31T12:00:00Z --execute",
       "reads again what came since that moment"}};
  command.run = Replay;
  return command;
}

}  // namespace fensi::cli

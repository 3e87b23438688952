#include "operations/replay/replay_plan.h"

#include "base/text.h"
#include "indexer/index_meta.h"
#include "operations/access/kafka.h"
#include "operations/console/console.h"

namespace fensi::operations {

using consumer::PartitionOffset;

Status ReplayPlan::Make(const Position& position) {
  FENSI_RETURN_IF_ERROR(ReadTopic());
  FENSI_ASSIGN_OR_RETURN(target_, Target(position));
  return CheckTarget();
}

void ReplayPlan::Show(const Position& position) const {
  Print("index " + index_.name() + ": group " + index_.group() + ", topic " + index_.topic() + ", from " +
        PositionText(position) + "\n");
  for (const PartitionOffset& to : target_) {
    const auto& from = committed_[static_cast<size_t>(to.partition)];
    std::string text = "  partition " + std::to_string(to.partition) + ": ";
    text += from ? "offset " + std::to_string(*from) : "no offset";
    Print(text + " -> " + std::to_string(to.offset) + Meaning(from, to) + "\n");
  }
}

Status ReplayPlan::RequireIdle() const {
  FENSI_ASSIGN_OR_RETURN(const consumer::GroupDescription group, admin_->groups().DescribeGroup(index_.group()));
  if (!group.active()) return Status();
  return Status(StatusCode::kConfiguration, MembersText(index_.group(), group));
}

Status ReplayPlan::Execute(store::Store* store) const {
  indexer::IndexMeta meta(&index_, store);
  FENSI_ASSIGN_OR_RETURN(const std::string vain, meta.WhyReplayIsVain());
  if (!vain.empty()) Say("warning: " + vain);
  for (const PartitionOffset& to : target_) {
    FENSI_RETURN_IF_ERROR(meta.SetStartOffset(index_.topic(), to.partition, to.offset));
  }
  FENSI_ASSIGN_OR_RETURN(const std::string cluster, admin_->ClusterId());
  FENSI_RETURN_IF_ERROR(admin_->groups().AlterOffsets(index_.group(), index_.topic(), target_));
  // Only now: another cluster may have offsets of the group that somebody copied.
  return meta.AllowCluster(index_.topic(), cluster);
}

Status ReplayPlan::ReadTopic() {
  FENSI_ASSIGN_OR_RETURN(earliest_, admin_->EarliestOffsets(index_.topic()));
  FENSI_ASSIGN_OR_RETURN(latest_, admin_->LatestOffsets(index_.topic()));
  FENSI_ASSIGN_OR_RETURN(committed_, admin_->groups().CommittedOffsets(index_.group(), index_.topic()));
  return Status();
}

Result<std::vector<PartitionOffset>> ReplayPlan::Target(const Position& position) const {
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

Status ReplayPlan::CheckTarget() const {
  std::string faults;
  for (const PartitionOffset& to : target_) {
    const int64_t first = OffsetOf(earliest_, to.partition), end = OffsetOf(latest_, to.partition);
    if (to.offset >= first && to.offset <= end) continue;
    faults += "\n  partition " + std::to_string(to.partition) + " holds offsets " + std::to_string(first) + " to " +
              std::to_string(end);
  }
  if (faults.empty()) return Status();
  return Status(StatusCode::kInvalidArgument, "--from lies outside the topic " + index_.topic() +
                                                  ". Give an offset that every partition holds, or a time, earliest "
                                                  "or latest:" +
                                                  faults);
}

std::string ReplayPlan::Meaning(const std::optional<int64_t>& from, const PartitionOffset& to) const {
  const int64_t distance = to.offset - from.value_or(OffsetOf(earliest_, to.partition));
  if (distance == 0) return "";
  if (distance < 0) return " (" + Counted(-distance, "event") + " again)";
  return " (" + Counted(distance, "event") + " SKIPPED: the index will not have them)";
}

}  // namespace fensi::operations

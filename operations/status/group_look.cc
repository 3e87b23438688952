#include <algorithm>
#include <chrono>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_tail.h"
#include "indexer/index_meta.h"
#include "indexer/index_table.h"
#include "indexer/meta_row.h"
#include "meta/index_record.h"
#include "meta/versioned_meta_row.h"
#include "operations/dead_letters/letter_counts.h"
#include "operations/mappings/mapping_files.h"
#include "operations/status/status_report.h"

namespace fensi::operations {
namespace {

using consumer::TopicAdmin;
using consumer::TopicTail;
using std::chrono::milliseconds;

constexpr milliseconds kForTimes{5'000};  // a log may end with what is no message

/// Servers that do not answer end the look; what else is wrong is of one index.
bool IsOfServers(const Status& status) { return status.code() == StatusCode::kUnavailable; }

class GroupLook {
 public:
  GroupLook(const GroupLookOptions& options, TopicAdmin* admin, store::Store* store)
      : admin_(admin), store_(store), options_(options) {}

  Result<GroupStanding> Of(const mapping::Index& index) {
    standing_ = {.index = index.name(), .topic = index.topic(), .group = index.group()};
    incarnation_.clear();
    for (const auto look : {&GroupLook::LookAtStream, &GroupLook::LookAtGroup, &GroupLook::LookAtTimes,
                            &GroupLook::LookAtState, &GroupLook::LookAtMeta, &GroupLook::LookAtLetters}) {
      const Status status = (this->*look)(index);
      if (IsOfServers(status)) return status.WithContext("index " + index.name());
      if (!status.ok()) standing_.faults.push_back(status.message());
    }
    return std::move(standing_);
  }

 private:
  Status LookAtStream(const mapping::Index& index) {
    const auto starts = admin_->EarliestOffsets(index.topic());
    FENSI_RETURN_IF_ERROR(starts.status());
    const auto ends = admin_->LatestOffsets(index.topic());
    FENSI_RETURN_IF_ERROR(ends.status());
    standing_.partitions.resize(std::max(starts->size(), ends->size()));
    for (const auto& each : *starts) standing_.partitions[static_cast<size_t>(each.partition)].log_start = each.offset;
    for (const auto& each : *ends) standing_.partitions[static_cast<size_t>(each.partition)].log_end = each.offset;
    return Status();
  }

  Status LookAtGroup(const mapping::Index& index) {
    const auto group = admin_->groups().DescribeGroup(index.group());
    FENSI_RETURN_IF_ERROR(group.status());
    standing_.group_state = group->state;
    standing_.members = static_cast<int64_t>(group->members);
    if (standing_.partitions.empty()) return Status();
    const auto committed = admin_->groups().CommittedOffsets(index.group(), index.topic());
    FENSI_RETURN_IF_ERROR(committed.status());
    const size_t partitions = std::min(committed->size(), standing_.partitions.size());
    for (size_t i = 0; i < partitions; ++i) standing_.partitions[i].committed = (*committed)[i];
    return Status();
  }

  /// Time of the next message of each partition that has one.
  Status LookAtTimes(const mapping::Index& index) {
    std::vector<consumer::PartitionOffset> from;
    size_t wanted = 0;
    for (size_t i = 0; i < standing_.partitions.size(); ++i) {
      const GroupPartition& each = standing_.partitions[i];
      wanted += each.Behind() > 0 ? 1 : 0;
      from.push_back({static_cast<int32_t>(i), each.log_end - each.Behind()});
    }
    if (wanted == 0) return Status();
    const auto tail =
        TopicTail::Create({.cluster = options_.kafka.cluster,
                           .topic = index.topic(),
                           .from = {.kind = consumer::TailFrom::Kind::kOffsets, .offsets = std::move(from)},
                           .decode = false,
                           .connect_timeout = options_.kafka.connect_timeout});
    FENSI_RETURN_IF_ERROR(tail.status());
    return ReadTimes(tail->get(), wanted);
  }

  Status ReadTimes(TopicTail* tail, size_t wanted) {
    const milliseconds end = SystemClock()->MonotonicNow() + kForTimes;
    while (wanted > 0 && SystemClock()->MonotonicNow() < end) {
      FENSI_ASSIGN_OR_RETURN(const TopicTail::Outcome next, tail->Next(milliseconds(200)));
      const auto* message = std::get_if<TopicTail::Message>(&next);
      if (message == nullptr || message->message_time <= 0) continue;
      std::optional<int64_t>& time = standing_.partitions[static_cast<size_t>(message->partition)].next_time;
      wanted -= time ? 0 : 1;
      if (!time) time = message->message_time;
    }
    return Status();
  }

  Status LookAtState(const mapping::Index& index) {
    const auto begun = indexer::IndexMeta(&index, store_).Known();
    if (begun.status().code() == StatusCode::kNotFound) return Status();  // `fensi create` has not made it yet
    FENSI_RETURN_IF_ERROR(begun.status());
    standing_.begun = begun->has_value();
    if (begun->has_value()) incarnation_ = (*begun)->incarnation;
    FENSI_ASSIGN_OR_RETURN(standing_.paused, indexer::ReadPause(indexer::MetaRow(&index, store_)));
    return standing_.begun ? LookAtTable(index) : Status();
  }

  /// A table that nobody may look at, or that is on its way, is no fault of the index.
  Status LookAtTable(const mapping::Index& index) {
    const auto table = indexer::IndexTable(&index, store_).Look();
    standing_.mismatch = table.ok() && indexer::IsMismatch(*table);
    return Status();
  }

  /// It is for people: without it the index works. What is said of another index of that name, or of one that had it
  /// before, is not told.
  Status LookAtMeta(const mapping::Index& index) {
    const meta::VersionedMetaRow row(store_, options_.store.meta_table, meta::IndexRow(index.name()));
    const auto state = meta::IndexRecord(row).Read();
    const StatusCode code = state.status().code();
    if (code == StatusCode::kNotFound || code == StatusCode::kPermission) return Status();
    FENSI_RETURN_IF_ERROR(state.status());
    if (!state->has_value() || (*state)->incarnation != incarnation_) return Status();
    standing_.phase = meta::PhaseName((*state)->phase);
    standing_.complete = (*state)->complete;
    return Status();
  }

  Status LookAtLetters(const mapping::Index& index) {
    TopicLetters reader(options_.kafka.cluster, index.dead_letter_topic(), options_.kafka.connect_timeout);
    FENSI_ASSIGN_OR_RETURN(standing_.letters, CountLetters(&reader, index.name()));
    return Status();
  }

  TopicAdmin* const admin_;
  store::Store* const store_;
  const GroupLookOptions& options_;
  GroupStanding standing_;
  std::string incarnation_;  // of the index that is looked at; empty: nobody has begun it
};

}  // namespace

Result<std::vector<GroupStanding>> LookAtGroups(const std::vector<std::string>& paths,
                                                const GroupLookOptions& options) {
  FENSI_ASSIGN_OR_RETURN(const std::vector<mapping::Mapping> mappings, LoadMappings(paths, options.store.meta_table));
  FENSI_ASSIGN_OR_RETURN(const Indexes indexes, ChosenIndexes(mappings, options.indexes));
  const auto admin = TopicAdmin::Create(options.kafka.cluster, options.kafka.connect_timeout);
  FENSI_RETURN_IF_ERROR(admin.status());
  const auto store = OpenStoreToReadAny(options.store);
  FENSI_RETURN_IF_ERROR(store.status());
  std::vector<GroupStanding> groups;
  for (const auto& index : indexes) {
    FENSI_ASSIGN_OR_RETURN(GroupStanding group, GroupLook(options, admin->get(), store->get()).Of(*index));
    groups.push_back(std::move(group));
  }
  return groups;
}

}  // namespace fensi::operations

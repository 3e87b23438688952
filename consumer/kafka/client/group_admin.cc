#include "consumer/kafka/client/group_admin.h"

#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {
namespace {

using ListRequest =
    std::unique_ptr<rd_kafka_ListConsumerGroupOffsets_t, Destroy<rd_kafka_ListConsumerGroupOffsets_destroy>>;
using AlterRequest =
    std::unique_ptr<rd_kafka_AlterConsumerGroupOffsets_t, Destroy<rd_kafka_AlterConsumerGroupOffsets_destroy>>;

/// Of a broker that does not answer for the one group it was asked about.
Status WrongCount(const std::string& what, size_t count) {
  return Status(StatusCode::kInternal, what + ": the broker answered for " + std::to_string(count) +
                                           " groups instead of 1. Report this line and the version of Kafka to the "
                                           "developers");
}

/// The one group's partitions, or the first error.
Result<const rd_kafka_topic_partition_list_t*> OneGroup(const rd_kafka_group_result_t** groups, size_t count,
                                                        const std::string& what) {
  if (count != 1) return WrongCount(what, count);
  if (const rd_kafka_error_t* error = rd_kafka_group_result_error(groups[0]); error != nullptr) {
    return KafkaStatus(rd_kafka_error_code(error), what);
  }
  const rd_kafka_topic_partition_list_t* partitions = rd_kafka_group_result_partitions(groups[0]);
  for (int i = 0; partitions != nullptr && i < partitions->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = partitions->elems[i];
    if (each.err != RD_KAFKA_RESP_ERR_NO_ERROR) {
      return KafkaStatus(each.err, what + " partition " + std::to_string(each.partition));
    }
  }
  return partitions;
}

/// Kafka writes "/127.0.0.1".
std::map<std::string, std::string> HostsByName(const rd_kafka_ConsumerGroupDescription_t* group) {
  std::map<std::string, std::string> hosts;
  for (size_t i = 0; i < rd_kafka_ConsumerGroupDescription_member_count(group); ++i) {
    const rd_kafka_MemberDescription_t* member = rd_kafka_ConsumerGroupDescription_member(group, i);
    const char* name = rd_kafka_MemberDescription_group_instance_id(member);
    const std::string host = rd_kafka_MemberDescription_host(member);
    if (name != nullptr) hosts[name] = host.starts_with('/') ? host.substr(1) : host;
  }
  return hosts;
}

}  // namespace

Result<std::vector<std::optional<int64_t>>> GroupAdmin::CommittedOffsets(const std::string& group,
                                                                         const std::string& topic) {
  const Deadline deadline(client_->timeout());
  FENSI_ASSIGN_OR_RETURN(const int32_t count, client_->Partitions(topic, deadline));
  std::vector<PartitionOffset> wanted;
  for (int32_t partition = 0; partition < count; ++partition) wanted.push_back({partition, RD_KAFKA_OFFSET_INVALID});
  const PartitionsHandle list = MakePartitions(topic, wanted);
  const ListRequest request(rd_kafka_ListConsumerGroupOffsets_new(group.c_str(), list.get()));
  rd_kafka_ListConsumerGroupOffsets_t* requests[] = {request.get()};
  AdminCall call(client_->get(), RD_KAFKA_ADMIN_OP_LISTCONSUMERGROUPOFFSETS, deadline.left());
  rd_kafka_ListConsumerGroupOffsets(client_->get(), requests, 1, call.options(), call.queue());
  const std::string what = "reading the offsets of group " + group + ", topic " + topic;
  const Result<EventHandle> event = call.Wait(what);
  if (!event.ok()) return client_->Explain(event.status());
  size_t groups = 0;
  const auto* result = rd_kafka_event_ListConsumerGroupOffsets_result(event->get());
  const auto answers = rd_kafka_ListConsumerGroupOffsets_result_groups(result, &groups);
  const auto partitions = OneGroup(answers, groups, what);
  if (!partitions.ok()) return client_->Explain(partitions.status());
  std::vector<std::optional<int64_t>> offsets(static_cast<size_t>(count));
  for (int i = 0; *partitions != nullptr && i < (*partitions)->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = (*partitions)->elems[i];
    if (each.offset >= 0) offsets.at(static_cast<size_t>(each.partition)) = each.offset;
  }
  return offsets;
}

Result<GroupDescription> GroupAdmin::DescribeGroup(const std::string& group) {
  return DescribeGroup(group, Deadline(client_->timeout()));
}

Result<GroupDescription> GroupAdmin::DescribeGroup(const std::string& group, const Deadline& deadline) {
  const char* names[] = {group.c_str()};
  AdminCall call(client_->get(), RD_KAFKA_ADMIN_OP_DESCRIBECONSUMERGROUPS, deadline.left());
  rd_kafka_DescribeConsumerGroups(client_->get(), names, 1, call.options(), call.queue());
  const std::string what = "describing group " + group;
  const Result<EventHandle> event = call.Wait(what);
  if (!event.ok()) return client_->Explain(event.status());
  size_t count = 0;
  const auto* result = rd_kafka_event_DescribeConsumerGroups_result(event->get());
  const rd_kafka_ConsumerGroupDescription_t** groups = rd_kafka_DescribeConsumerGroups_result_groups(result, &count);
  if (count != 1) return WrongCount(what, count);
  if (const rd_kafka_error_t* error = rd_kafka_ConsumerGroupDescription_error(groups[0]); error != nullptr) {
    return client_->Explain(KafkaStatus(rd_kafka_error_code(error), what));
  }
  const auto state = rd_kafka_ConsumerGroupDescription_state(groups[0]);
  return GroupDescription{rd_kafka_consumer_group_state_name(state),
                          rd_kafka_ConsumerGroupDescription_member_count(groups[0]), HostsByName(groups[0])};
}

Status GroupAdmin::AlterOffsets(const std::string& group, const std::string& topic,
                                const std::vector<PartitionOffset>& offsets) {
  const std::string what = "moving the offsets of group " + group + ", topic " + topic;
  const Deadline deadline(client_->timeout());
  FENSI_ASSIGN_OR_RETURN(const GroupDescription description, DescribeGroup(group, deadline));
  if (description.active()) {
    return Status(StatusCode::kConfiguration,
                  what + ": the group has " + std::to_string(description.members) +
                      " running members. Stop each 'fensi run' of the index, then enter this command again");
  }
  const PartitionsHandle list = MakePartitions(topic, offsets);
  const AlterRequest request(rd_kafka_AlterConsumerGroupOffsets_new(group.c_str(), list.get()));
  rd_kafka_AlterConsumerGroupOffsets_t* requests[] = {request.get()};
  AdminCall call(client_->get(), RD_KAFKA_ADMIN_OP_ALTERCONSUMERGROUPOFFSETS, deadline.left());
  rd_kafka_AlterConsumerGroupOffsets(client_->get(), requests, 1, call.options(), call.queue());
  const Result<EventHandle> event = call.Wait(what);
  if (!event.ok()) return client_->Explain(event.status());
  size_t count = 0;
  const auto* result = rd_kafka_event_AlterConsumerGroupOffsets_result(event->get());
  const auto answers = rd_kafka_AlterConsumerGroupOffsets_result_groups(result, &count);
  return OneGroup(answers, count, what).status();
}

Status GroupAdmin::Delete(const std::string& group) {
  using DeleteGroupHandle = std::unique_ptr<rd_kafka_DeleteGroup_t, Destroy<rd_kafka_DeleteGroup_destroy>>;
  const std::string what = "deleting group " + group;
  const DeleteGroupHandle request(rd_kafka_DeleteGroup_new(group.c_str()));
  rd_kafka_DeleteGroup_t* groups[] = {request.get()};
  AdminCall call(client_->get(), RD_KAFKA_ADMIN_OP_DELETEGROUPS, client_->timeout());
  rd_kafka_DeleteGroups(client_->get(), groups, 1, call.options(), call.queue());
  const Result<EventHandle> event = call.Wait(what);
  if (!event.ok()) return client_->Explain(event.status());
  size_t count = 0;
  const rd_kafka_group_result_t** answers =
      rd_kafka_DeleteGroups_result_groups(rd_kafka_event_DeleteGroups_result(event->get()), &count);
  const rd_kafka_error_t* error = count == 1 ? rd_kafka_group_result_error(answers[0]) : nullptr;
  if (error == nullptr) return {};
  const rd_kafka_resp_err_t code = rd_kafka_error_code(error);
  if (code == RD_KAFKA_RESP_ERR_GROUP_ID_NOT_FOUND)
    return Status(StatusCode::kNotFound, "group " + group + " does not exist");
  return client_->Explain(KafkaStatus(code, what));
}

}  // namespace fensi::consumer

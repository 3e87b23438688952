#include "consumer/kafka/client/topic_facts.h"

#include <algorithm>
#include <numeric>

#include "consumer/kafka/client/handles.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;

constexpr rd_kafka_resp_err_t kNoLeader = RD_KAFKA_RESP_ERR_LEADER_NOT_AVAILABLE;

using ConfigResource = std::unique_ptr<rd_kafka_ConfigResource_t, Destroy<rd_kafka_ConfigResource_destroy>>;

TopicSettings SettingsOf(const rd_kafka_ConfigResource_t* resource) {
  TopicSettings settings;
  size_t count = 0;
  const rd_kafka_ConfigEntry_t** entries = rd_kafka_ConfigResource_configs(resource, &count);
  for (size_t i = 0; i < count; ++i) {
    const char* value = rd_kafka_ConfigEntry_value(entries[i]);
    if (value != nullptr) settings[rd_kafka_ConfigEntry_name(entries[i])] = value;
  }
  return settings;
}

/// Metadata of one topic; the answer says whether it exists.
Result<MetadataHandle> AskForTopic(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const std::string what = "asking for topic " + topic;
  const TopicHandle handle(rd_kafka_topic_new(client, topic.c_str(), nullptr));
  if (handle == nullptr) return KafkaStatus(rd_kafka_last_error(), what);
  const rd_kafka_metadata_t* answer = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(client, 0, handle.get(), &answer, static_cast<int>(timeout.count()));
  MetadataHandle metadata(answer);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  if (metadata->topic_cnt != 1) return MissingTopic(topic);
  const rd_kafka_metadata_topic_t& found = metadata->topics[0];
  if (found.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) return MissingTopic(topic);
  if (found.err != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(found.err, what);
  if (found.partition_cnt == 0) return MissingTopic(topic);
  return metadata;
}

std::string QuestionFor(const std::string& topic, int32_t partition) {
  return "reading the offsets of topic " + topic + " partition " + std::to_string(partition);
}

/// One end of each log: RD_KAFKA_OFFSET_BEGINNING or RD_KAFKA_OFFSET_END. Not by rd_kafka_query_watermark_offsets,
/// which waits for a silent broker without end.
rd_kafka_resp_err_t AskForEnds(rd_kafka_t* client, const std::string& topic, const std::vector<int32_t>& partitions,
                               int64_t which, const Deadline& deadline, std::map<int32_t, int64_t>* ends) {
  std::vector<PartitionOffset> wanted;
  for (const int32_t partition : partitions) wanted.push_back({partition, which});
  const PartitionsHandle list = MakePartitions(topic, wanted);
  const rd_kafka_resp_err_t error = rd_kafka_offsets_for_times(client, list.get(), deadline.left_ms());
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return error;
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    if (each.err != RD_KAFKA_RESP_ERR_NO_ERROR) return each.err;
    if (each.offset < 0) return RD_KAFKA_RESP_ERR__UNKNOWN_PARTITION;
    (*ends)[each.partition] = each.offset;
  }
  return RD_KAFKA_RESP_ERR_NO_ERROR;
}

rd_kafka_resp_err_t AskTogether(rd_kafka_t* client, const std::string& topic, const std::vector<int32_t>& partitions,
                                const Deadline& deadline, LogRanges* ranges) {
  std::map<int32_t, int64_t> starts;
  std::map<int32_t, int64_t> ends;
  rd_kafka_resp_err_t error = AskForEnds(client, topic, partitions, RD_KAFKA_OFFSET_BEGINNING, deadline, &starts);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) {
    error = AskForEnds(client, topic, partitions, RD_KAFKA_OFFSET_END, deadline, &ends);
  }
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return error;
  for (const auto& [partition, end] : ends) ranges->insert_or_assign(partition, LogRange{starts.at(partition), end});
  return error;
}

}  // namespace

Status MissingTopic(const std::string& topic) {
  return Status(StatusCode::kNotFound,
                "topic " + topic +
                    " does not exist. Check its name, or create the topic: fensi create MAPPING --store … "
                    "--kafka HOST:PORT --execute");
}

Result<TopicLayout> DescribeLayout(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  FENSI_ASSIGN_OR_RETURN(const MetadataHandle metadata, AskForTopic(client, topic, timeout));
  const rd_kafka_metadata_topic_t& found = metadata->topics[0];
  TopicLayout layout;
  layout.teller = metadata->orig_broker_id;
  layout.leaders.resize(static_cast<size_t>(found.partition_cnt), KafkaStatus(kNoLeader, "asking for its leader"));
  for (int i = 0; i < found.partition_cnt; ++i) {
    const rd_kafka_metadata_partition_t& each = found.partitions[i];
    layout.fewest_replicas = i == 0 ? each.replica_cnt : std::min<int32_t>(layout.fewest_replicas, each.replica_cnt);
    if (each.leader >= 0 && each.id < found.partition_cnt) layout.leaders[static_cast<size_t>(each.id)] = each.leader;
  }
  return layout;
}

namespace {

std::string AlterTopic(const std::string& topic, const std::string& setting) {
  return "kafka-configs.sh --bootstrap-server HOST:PORT --alter --entity-type topics --entity-name " + topic +
         " --add-config " + setting;
}

}  // namespace

Status MessagesTooSmall(const std::string& topic, int64_t most, const std::string& what, int64_t least) {
  return Status(StatusCode::kConfiguration,
                "topic " + topic + " takes messages of up to " + std::to_string(most) +
                    " bytes (max.message.bytes), and a " + what + " may need " + std::to_string(least) +
                    " bytes. Raise the limit: " + AlterTopic(topic, "max.message.bytes=" + std::to_string(least)));
}

Status CheckRequestPartitions(const std::string& requests, int32_t count, const std::string& stream, int32_t wanted) {
  if (count == wanted) return {};
  return Status(StatusCode::kConfiguration,
                "topic " + requests + " has " + std::to_string(count) + " partitions, and topic " + stream + " has " +
                    std::to_string(wanted) + ", so that requests would reach owners of other rows. Create topic " +
                    requests + " again: kafka-topics.sh --bootstrap-server HOST:PORT --delete --topic " + requests +
                    ", then fensi create MAPPING --store … --kafka HOST:PORT --execute. Requests that were not applied "
                    "are lost: repeat the backfill or repair that sent them");
}

Result<int32_t> LeaderOf(const TopicLayout& layout, const std::string& topic, int32_t partition) {
  if (partition < layout.partitions()) return layout.leaders[static_cast<size_t>(partition)];
  return Status(StatusCode::kNotFound,
                "topic " + topic + " has no partition " + std::to_string(partition) +
                    " any more. Somebody deleted the topic, and created it with fewer partitions. See "
                    "'fensi help recovery'");
}

Result<std::string> AskClusterId(rd_kafka_t* client, milliseconds timeout) {
  char* const id = rd_kafka_clusterid(client, static_cast<int>(timeout.count()));
  if (id == nullptr) return KafkaStatus(RD_KAFKA_RESP_ERR__TIMED_OUT, "reading the cluster's id");
  std::string copy = id;
  rd_kafka_mem_free(client, id);
  return copy;
}

Result<int32_t> PartitionCount(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  FENSI_ASSIGN_OR_RETURN(const MetadataHandle metadata, AskForTopic(client, topic, timeout));
  return metadata->topics[0].partition_cnt;
}

Result<TopicSettings> DescribeSettings(rd_kafka_t* client, const std::string& topic, int32_t broker,
                                       milliseconds timeout) {
  AdminCall call(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, timeout);
  if (broker >= 0) call.SendTo(broker);
  const ConfigResource resource(rd_kafka_ConfigResource_new(RD_KAFKA_RESOURCE_TOPIC, topic.c_str()));
  rd_kafka_ConfigResource_t* resources[] = {resource.get()};
  rd_kafka_DescribeConfigs(client, resources, 1, call.options(), call.queue());
  const std::string what = "describing topic " + topic;
  const Result<EventHandle> event = call.Wait(what);
  if (call.error() == RD_KAFKA_RESP_ERR__UNSUPPORTED_FEATURE) return TopicSettings();
  if (!event.ok()) return event.status();
  size_t count = 0;
  const auto* result = rd_kafka_event_DescribeConfigs_result(event->get());
  const rd_kafka_ConfigResource_t** described = rd_kafka_DescribeConfigs_result_resources(result, &count);
  if (count != 1) return MissingTopic(topic);
  const rd_kafka_resp_err_t error = rd_kafka_ConfigResource_error(described[0]);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  return SettingsOf(described[0]);
}

Result<TopicSettings> SettingsOfStream(rd_kafka_t* client, const std::string& topic, int32_t broker,
                                       milliseconds timeout) {
  Result<TopicSettings> settings = DescribeSettings(client, topic, broker, timeout);
  if (!settings.ok()) return settings;
  const std::string policy = (*settings)["cleanup.policy"];
  if (policy.find("compact") == std::string::npos) return settings;
  return Status(StatusCode::kConfiguration,
                "topic " + topic + " has cleanup.policy=" + policy +
                    ": compaction drops events, and each event is a change. Set the policy: " +
                    AlterTopic(topic, "cleanup.policy=delete") +
                    ". If events were dropped, start 'fensi run', and repair the index: fensi verify MAPPING INDEX … "
                    "--report FILE, then fensi repair MAPPING INDEX … --from_report FILE --execute");
}

LogRanges QueryLogRanges(rd_kafka_t* client, const std::string& topic, const std::vector<int32_t>& partitions,
                         milliseconds timeout) {
  const Deadline deadline(timeout);
  LogRanges ranges;
  const rd_kafka_resp_err_t error = AskTogether(client, topic, partitions, deadline, &ranges);
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return ranges;
  // The answer for one of them fails them all.
  const bool silent = partitions.size() == 1 || deadline.over();
  for (const int32_t partition : partitions) {
    const rd_kafka_resp_err_t own = silent ? error : AskTogether(client, topic, {partition}, deadline, &ranges);
    if (own == RD_KAFKA_RESP_ERR_NO_ERROR) continue;
    ranges.insert_or_assign(partition, KafkaStatus(own, QuestionFor(topic, partition)));
  }
  return ranges;
}

Result<std::vector<LogRange>> QueryAllLogRanges(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const Deadline deadline(timeout);
  FENSI_ASSIGN_OR_RETURN(const int32_t count, PartitionCount(client, topic, deadline.left()));
  std::vector<int32_t> all(static_cast<size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  std::vector<LogRange> ranges;
  for (const auto& [partition, range] : QueryLogRanges(client, topic, all, deadline.left())) {
    if (!range.ok()) return range.status();
    ranges.push_back(*range);
  }
  return ranges;
}

}  // namespace fensi::consumer

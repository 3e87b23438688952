#include "consumer/kafka/topic_facts.h"

#include <algorithm>

#include "consumer/kafka/admin_call.h"

namespace fensi::consumer {
namespace {

using std::chrono::milliseconds;
using ConfigResource = std::unique_ptr<rd_kafka_ConfigResource_t, Destroy<rd_kafka_ConfigResource_destroy>>;

Status Missing(const std::string& topic) {
  return Status(StatusCode::kNotFound,
                "topic " + topic + " does not exist; create it first (fensi create does), or check its name");
}

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

/// Of one topic; whether it is there stands in the answer.
Result<MetadataHandle> AskForTopic(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const std::string what = "asking for topic " + topic;
  const TopicHandle handle(rd_kafka_topic_new(client, topic.c_str(), nullptr));
  if (handle == nullptr) return KafkaStatus(rd_kafka_last_error(), what);
  const rd_kafka_metadata_t* answer = nullptr;
  const rd_kafka_resp_err_t error =
      rd_kafka_metadata(client, 0, handle.get(), &answer, static_cast<int>(timeout.count()));
  MetadataHandle metadata(answer);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  if (metadata->topic_cnt != 1) return Missing(topic);
  const rd_kafka_metadata_topic_t& found = metadata->topics[0];
  if (found.err == RD_KAFKA_RESP_ERR_UNKNOWN_TOPIC_OR_PART) return Missing(topic);
  if (found.err != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(found.err, what);
  if (found.partition_cnt == 0) return Missing(topic);
  return metadata;
}

}  // namespace

Result<int32_t> PartitionCount(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const Result<MetadataHandle> metadata = AskForTopic(client, topic, timeout);
  if (!metadata.ok()) return metadata.status();
  return (*metadata)->topics[0].partition_cnt;
}

Result<int32_t> ReplicaCount(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const Result<MetadataHandle> metadata = AskForTopic(client, topic, timeout);
  if (!metadata.ok()) return metadata.status();
  const rd_kafka_metadata_topic_t& found = (*metadata)->topics[0];
  int32_t fewest = found.partitions[0].replica_cnt;
  for (int i = 1; i < found.partition_cnt; ++i) fewest = std::min<int32_t>(fewest, found.partitions[i].replica_cnt);
  return fewest;
}

Result<TopicSettings> DescribeSettings(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  const Result<MetadataHandle> metadata = AskForTopic(client, topic, timeout);
  if (!metadata.ok()) return metadata.status();
  AdminCall call(client, RD_KAFKA_ADMIN_OP_DESCRIBECONFIGS, timeout);
  if ((*metadata)->broker_cnt > 0) call.SendTo((*metadata)->brokers[0].id);
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
  if (count != 1) return Missing(topic);
  const rd_kafka_resp_err_t error = rd_kafka_ConfigResource_error(described[0]);
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  return SettingsOf(described[0]);
}

Status RefuseCompacted(rd_kafka_t* client, const std::string& topic, milliseconds timeout) {
  Result<TopicSettings> settings = DescribeSettings(client, topic, timeout);
  if (!settings.ok()) return settings.status();
  const std::string& policy = (*settings)["cleanup.policy"];
  if (policy.find("compact") == std::string::npos) return {};
  return Status(StatusCode::kConfiguration,
                "topic " + topic + " has cleanup.policy=" + policy +
                    "; events are changes, not states, and compaction drops some of them. Set cleanup.policy=delete "
                    "and index what was lost anew");
}

Result<LogRange> QueryLogRange(rd_kafka_t* client, const std::string& topic, int32_t partition, milliseconds timeout) {
  LogRange range;
  const rd_kafka_resp_err_t error = rd_kafka_query_watermark_offsets(client, topic.c_str(), partition, &range.start,
                                                                     &range.end, static_cast<int>(timeout.count()));
  if (error == RD_KAFKA_RESP_ERR_NO_ERROR) return range;
  return KafkaStatus(error, "asking for the offsets of topic " + topic + " partition " + std::to_string(partition));
}

}  // namespace fensi::consumer

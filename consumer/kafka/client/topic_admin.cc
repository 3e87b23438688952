#include "consumer/kafka/client/topic_admin.h"

#include "base/clock.h"
#include "base/text.h"
#include "consumer/kafka/client/handles.h"
#include "consumer/kafka/client/topic_facts.h"

namespace fensi::consumer {
namespace {

using NewTopicHandle = std::unique_ptr<rd_kafka_NewTopic_t, Destroy<rd_kafka_NewTopic_destroy>>;

Result<NewTopicHandle> MakeNewTopic(const TopicSpec& spec) {
  char error[512] = "";
  NewTopicHandle topic(rd_kafka_NewTopic_new(spec.name.c_str(), spec.partitions, spec.replicas, error, sizeof error));
  if (topic == nullptr)
    return Status(StatusCode::kInvalidArgument,
                  "topic " + spec.name + ": " + error + ". Correct the name, --partitions or --replication");
  for (const auto& [name, value] : spec.configs) {
    rd_kafka_NewTopic_set_config(topic.get(), name.c_str(), value.c_str());
  }
  return topic;
}

Status FirstTopicError(const rd_kafka_topic_result_t** results, size_t count) {
  for (size_t i = 0; i < count; ++i) {
    const rd_kafka_resp_err_t error = rd_kafka_topic_result_error(results[i]);
    if (error == RD_KAFKA_RESP_ERR_NO_ERROR) continue;
    const char* detail = rd_kafka_topic_result_error_string(results[i]);
    const Status status = KafkaStatus(error, std::string("topic ") + rd_kafka_topic_result_name(results[i]));
    return detail == nullptr ? status : status.WithSuffix(std::string(" (") + detail + ")");
  }
  return {};
}

std::optional<int64_t> Number(const TopicSettings& settings, const std::string& name) {
  const auto found = settings.find(name);
  return found == settings.end() ? std::nullopt : ParseWhole<int64_t>(found->second);
}

}  // namespace

Result<std::unique_ptr<TopicAdmin>> TopicAdmin::Create(const KafkaCluster& cluster, std::chrono::milliseconds timeout) {
  FENSI_ASSIGN_OR_RETURN(std::shared_ptr<AdminClient> client, AdminClient::Create(cluster, timeout));
  return std::unique_ptr<TopicAdmin>(new TopicAdmin(std::move(client)));
}

Result<std::string> TopicAdmin::ClusterId() {
  const Result<std::string> id = AskClusterId(client_->get(), client_->timeout());
  return id.ok() ? id : client_->Explain(id.status());
}

Status TopicAdmin::CreateTopic(const TopicSpec& spec) {
  FENSI_ASSIGN_OR_RETURN(const NewTopicHandle topic, MakeNewTopic(spec));
  const Deadline deadline(client_->timeout());
  AdminCall call(client_->get(), RD_KAFKA_ADMIN_OP_CREATETOPICS, deadline.left());
  rd_kafka_NewTopic_t* topics[] = {topic.get()};
  rd_kafka_CreateTopics(client_->get(), topics, 1, call.options(), call.queue());
  const Result<EventHandle> event = call.Wait("creating topic " + spec.name);
  if (!event.ok()) return client_->Explain(event.status());
  size_t count = 0;
  const auto* result = rd_kafka_event_CreateTopics_result(event->get());
  const rd_kafka_topic_result_t** results = rd_kafka_CreateTopics_result_topics(result, &count);
  const Status made = FirstTopicError(results, count);
  // What the broker does not take is a name or a number that a person chose: a name that differs from another topic's
  // in '.' and '_' alone, too many replicas, what a policy forbids.
  if (made.code() == StatusCode::kRejected) return made.As(StatusCode::kConfiguration);
  FENSI_RETURN_IF_ERROR(made);
  return WaitVisible(spec.name, deadline);
}

Status TopicAdmin::DeleteTopic(const std::string& topic) {
  using DeleteTopicHandle = std::unique_ptr<rd_kafka_DeleteTopic_t, Destroy<rd_kafka_DeleteTopic_destroy>>;
  const DeleteTopicHandle request(rd_kafka_DeleteTopic_new(topic.c_str()));
  rd_kafka_DeleteTopic_t* topics[] = {request.get()};
  AdminCall call(client_->get(), RD_KAFKA_ADMIN_OP_DELETETOPICS, client_->timeout());
  rd_kafka_DeleteTopics(client_->get(), topics, 1, call.options(), call.queue());
  const Result<EventHandle> event = call.Wait("deleting topic " + topic);
  if (!event.ok()) return client_->Explain(event.status());
  size_t count = 0;
  const auto* result = rd_kafka_event_DeleteTopics_result(event->get());
  const rd_kafka_topic_result_t** results = rd_kafka_DeleteTopics_result_topics(result, &count);
  return client_->Explain(FirstTopicError(results, count));
}

Status TopicAdmin::WaitVisible(const std::string& topic, const Deadline& deadline) {
  // The controller has made it; brokers hear of it a moment later.
  while (true) {
    const Status found = client_->Partitions(topic, deadline).status();
    if (found.code() != StatusCode::kNotFound || deadline.over()) return found;
    SystemClock()->Sleep(std::chrono::milliseconds(50));
  }
}

Result<int32_t> TopicAdmin::Partitions(const std::string& topic) {
  return client_->Partitions(topic, Deadline(client_->timeout()));
}

Result<TopicDescription> TopicAdmin::Describe(const std::string& topic) {
  const Deadline deadline(client_->timeout());
  const Result<TopicLayout> layout = DescribeLayout(client_->get(), topic, deadline.left());
  if (!layout.ok()) return client_->Explain(layout.status());
  Result<TopicSettings> settings = DescribeSettings(client_->get(), topic, layout->teller, deadline.left());
  if (!settings.ok()) return client_->Explain(settings.status());
  return TopicDescription{layout->partitions(),
                          (*settings)["cleanup.policy"],
                          Number(*settings, "retention.ms"),
                          Number(*settings, "retention.bytes"),
                          Number(*settings, "max.message.bytes"),
                          layout->fewest_replicas};
}

Result<std::vector<PartitionOffset>> TopicAdmin::Offsets(const std::string& topic, bool latest,
                                                         const Deadline& deadline) {
  const Result<std::vector<LogRange>> ranges = QueryAllLogRanges(client_->get(), topic, deadline.left());
  if (!ranges.ok()) return client_->Explain(ranges.status());
  std::vector<PartitionOffset> offsets;
  for (const LogRange& range : *ranges) {
    offsets.push_back({static_cast<int32_t>(offsets.size()), latest ? range.end : range.start});
  }
  return offsets;
}

Result<std::vector<PartitionOffset>> TopicAdmin::EarliestOffsets(const std::string& topic) {
  return Offsets(topic, /*latest=*/false, Deadline(client_->timeout()));
}

Result<std::vector<PartitionOffset>> TopicAdmin::LatestOffsets(const std::string& topic) {
  return Offsets(topic, /*latest=*/true, Deadline(client_->timeout()));
}

Result<std::vector<PartitionOffset>> TopicAdmin::OffsetsAt(const std::string& topic, int64_t time) {
  const Deadline deadline(client_->timeout());
  Result<std::vector<PartitionOffset>> offsets = Offsets(topic, /*latest=*/true, deadline);
  if (!offsets.ok()) return offsets;
  std::vector<PartitionOffset> times = *offsets;
  for (PartitionOffset& each : times) each.offset = time;
  const PartitionsHandle list = MakePartitions(topic, times);
  const rd_kafka_resp_err_t error = rd_kafka_offsets_for_times(client_->get(), list.get(), deadline.left_ms());
  const std::string what = "reading the offsets of topic " + topic + " at a time";
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return client_->Explain(KafkaStatus(error, what));
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    if (each.err != RD_KAFKA_RESP_ERR_NO_ERROR) return client_->Explain(KafkaStatus(each.err, what));
    if (each.offset >= 0) offsets->at(static_cast<size_t>(each.partition)).offset = each.offset;
  }
  return offsets;
}

}  // namespace fensi::consumer

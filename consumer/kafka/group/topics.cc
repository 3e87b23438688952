#include "consumer/kafka/group/topics.h"

namespace fensi::consumer {

Result<Commits> AskCommits(rd_kafka_t* client, const Topics& topics, const std::string& group,
                           const std::vector<LogId>& logs, std::chrono::milliseconds timeout) {
  const std::string what = "asking for the committed offsets of group " + group;
  const PartitionsHandle list = topics.List(logs);
  const rd_kafka_resp_err_t error = rd_kafka_committed(client, list.get(), static_cast<int>(timeout.count()));
  if (error != RD_KAFKA_RESP_ERR_NO_ERROR) return KafkaStatus(error, what);
  Commits commits;
  for (int i = 0; i < list->cnt; ++i) {
    const rd_kafka_topic_partition_t& each = list->elems[i];
    const std::optional<int64_t> offset = each.offset >= 0 ? std::optional(each.offset) : std::nullopt;
    const Status status = KafkaStatus(each.err, what);
    commits.emplace(LogId(each.partition, topics.LogOf(each.topic)),
                    status.ok() ? Result(offset) : Result<std::optional<int64_t>>(status));
  }
  return commits;
}

}  // namespace fensi::consumer

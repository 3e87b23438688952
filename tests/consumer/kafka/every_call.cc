#include "tests/consumer/kafka/every_call.h"

#include "consumer/kafka/client/topic_admin.h"
#include "consumer/kafka/client/topic_tail.h"
#include "consumer/kafka/kafka_source.h"
#include "consumer/kafka/producer/event_producer.h"

namespace fensi::consumer {

std::map<std::string, KafkaCall> EveryCall(std::chrono::milliseconds timeout) {
  const auto admin = [timeout](auto ask) {
    return [ask, timeout](const KafkaCluster& cluster) -> Status {
      const auto made = TopicAdmin::Create(cluster, timeout);
      return made.ok() ? ask(made->get()) : made.status();
    };
  };
  return {
      {"create", admin([](TopicAdmin* kafka) { return kafka->CreateTopic({.name = "new"}); })},
      {"delete topic", admin([](TopicAdmin* kafka) { return kafka->DeleteTopic("changes"); })},
      {"delete group", admin([](TopicAdmin* kafka) { return kafka->groups().Delete("g"); })},
      {"partitions", admin([](TopicAdmin* kafka) { return kafka->Partitions("changes").status(); })},
      {"describe", admin([](TopicAdmin* kafka) { return kafka->Describe("changes").status(); })},
      {"committed", admin([](TopicAdmin* kafka) { return kafka->groups().CommittedOffsets("g", "changes").status(); })},
      {"group", admin([](TopicAdmin* kafka) { return kafka->groups().DescribeGroup("g").status(); })},
      {"earliest", admin([](TopicAdmin* kafka) { return kafka->EarliestOffsets("changes").status(); })},
      {"latest", admin([](TopicAdmin* kafka) { return kafka->LatestOffsets("changes").status(); })},
      {"at", admin([](TopicAdmin* kafka) { return kafka->OffsetsAt("changes", 1).status(); })},
      {"replay", admin([](TopicAdmin* kafka) {
         return kafka->groups().AlterOffsets("g", "changes", {{0, 0}, {1, 0}});
       })},
      {"tail",
       [timeout](const KafkaCluster& cluster) {
         return TopicTail::Create({.cluster = cluster, .topic = "changes", .connect_timeout = timeout}).status();
       }},
      {"produce",
       [timeout](const KafkaCluster& cluster) {
         const auto producer = EventProducer::Create(
             {.cluster = cluster, .connect_timeout = timeout / 4, .delivery_timeout = timeout / 4});
         const Status sent = (*producer)->Send("changes", "k", "v");
         return sent.ok() ? (*producer)->Flush() : sent;
       }},
      {"reach",
       [timeout](const KafkaCluster& cluster) {
         const auto source = KafkaSource::Create({.cluster = cluster, .topic = "changes", .group = "g"});
         return (*source)->WaitReachable(timeout);
       }},
  };
}

}  // namespace fensi::consumer

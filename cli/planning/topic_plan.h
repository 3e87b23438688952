// What the topics of a mapping should be, what they are, and what is to be done about it.
//
// Blocks on the brokers; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "cli/planning/table_plan.h"
#include "consumer/kafka/topic_admin.h"
#include "mapping/mapping.h"

namespace fensi::cli {

struct TopicPlan {
  consumer::TopicSpec wanted;
  bool exists = false;
  consumer::TopicDescription found;  // of an existing one
  std::string fault;                 // why an existing one cannot be used; empty: it can
};

/// A change stream, a topic of dead letters, and one of requests, as they are made.
consumer::TopicSpec StreamTopic(const std::string& name, int32_t partitions, int32_t replicas);
consumer::TopicSpec DeadLetterTopic(const std::string& name, int32_t replicas);
consumer::TopicSpec RequestsTopic(const std::string& name, int32_t partitions, int32_t replicas);

enum class TopicUse { kStream, kDeadLetters, kRequests };

struct WantedTopic {
  TopicUse use = TopicUse::kStream;
  consumer::TopicSpec spec;
  std::string stream;  // beside which requests stand
};

/// The change stream of each mapping, then the dead letters and the requests of each index, each topic once.
std::vector<WantedTopic> TopicsOf(const std::vector<mapping::Mapping>& mappings, int32_t partitions, int32_t replicas);

/// How many partitions the stream beside which requests stand has or will have, by the plans made before.
int32_t PartitionsBeside(const WantedTopic& requests, const std::vector<TopicPlan>& plans);
/// Why requests that exist cannot be used beside a stream of so many partitions; empty: they can.
std::string FaultOfRequests(const TopicPlan& plan, int32_t stream_partitions);

Result<TopicPlan> PlanTopic(const consumer::TopicSpec& wanted, consumer::TopicAdmin* admin);

/// What a person asked for and an existing topic does not have, with what can be done; empty: nothing.
std::string FaultOfAsked(const TopicPlan& plan, std::optional<int32_t> partitions, std::optional<int32_t> replicas);

/// For people: "topic guanzhu: to be created with 4 partitions, 1 replica", or "created".
std::string PlanText(const TopicPlan& plan, PlanState state = PlanState::kPlanned);

/// Creates what does not exist. A topic that appeared meanwhile is taken as it is.
Status CreateTopics(const std::vector<TopicPlan>& plans, consumer::TopicAdmin* admin);

}  // namespace fensi::cli

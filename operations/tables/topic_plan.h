// Plans the topics of a mapping: what they should be, what they are, and the necessary changes.
//
// Blocks on the brokers; any thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client/topic_admin.h"
#include "mapping/mapping.h"
#include "operations/tables/table_plan.h"

namespace fensi::operations {

struct TopicPlan {
  consumer::TopicSpec wanted;
  bool exists = false;
  consumer::TopicDescription found;  // of an existing one
  std::string fault;                 // why an existing one cannot be used; empty: it can
};

/// A change stream, a topic of dead letters, and one of requests, as they are created.
consumer::TopicSpec StreamTopic(const std::string& name, int32_t partitions, int32_t replicas);
consumer::TopicSpec DeadLetterTopic(const std::string& name, int32_t replicas);
consumer::TopicSpec RequestsTopic(const std::string& name, int32_t partitions, int32_t replicas);
/// Compacted: it keeps the last message of each row, so that a new consumer gets the whole table.
consumer::TopicSpec ChangelogTopic(const std::string& name, int32_t partitions, int32_t replicas);

enum class TopicUse { kStream, kDeadLetters, kRequests, kChangelog };

struct WantedTopic {
  TopicUse use = TopicUse::kStream;
  consumer::TopicSpec spec;
  std::string stream;  // of these requests, or of the changelog
};

/// The change stream of each mapping, then the dead letters, the requests and the changelog of each index, each topic
/// once.
std::vector<WantedTopic> TopicsOf(const std::vector<mapping::Mapping>& mappings, int32_t partitions, int32_t replicas);

/// The number of partitions of the stream beside requests or a changelog, existing or planned.
int32_t PartitionsBeside(const WantedTopic& beside, const std::vector<TopicPlan>& plans);
/// Why existing requests cannot be used with a stream of this many partitions; empty: they can.
std::string FaultOfRequests(const TopicPlan& plan, int32_t stream_partitions);

Result<TopicPlan> PlanTopic(const consumer::TopicSpec& wanted, consumer::TopicAdmin* admin);

/// Requested settings that an existing topic does not have, with the remedy; empty: none.
std::string FaultOfAsked(const TopicPlan& plan, std::optional<int32_t> partitions, std::optional<int32_t> replicas);

/// For people: "topic guanzhu: to be created with 4 partitions, 1 replica", or "created".
std::string PlanText(const TopicPlan& plan, PlanState state = PlanState::kPlanned);

/// Creates missing topics. A topic that appeared meanwhile is taken as it is.
Status CreateTopics(const std::vector<TopicPlan>& plans, consumer::TopicAdmin* admin);

}  // namespace fensi::operations

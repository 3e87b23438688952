#include "operations/tables/topic_plan.h"

#include <algorithm>
#include <map>

#include "base/text.h"

namespace fensi::operations {
namespace {

using consumer::TopicAdmin;
using consumer::TopicSpec;

// Long enough for a person to come back from a holiday and look.
constexpr char kDeadLetterRetentionMs[] = "2592000000";
// The caller waits for the answer, and retries.
constexpr char kRequestsRetentionMs[] = "86400000";

}  // namespace

TopicSpec StreamTopic(const std::string& name, int32_t partitions, int32_t replicas) {
  std::map<std::string, std::string> configs = {{"cleanup.policy", "delete"}};
  // With fewer replicas in step a write is refused, so that no acknowledged one is lost with one broker.
  if (replicas >= 3) configs["min.insync.replicas"] = "2";
  return {name, partitions, replicas, std::move(configs)};
}

TopicSpec DeadLetterTopic(const std::string& name, int32_t replicas) {
  TopicSpec topic = StreamTopic(name, 1, replicas);
  topic.configs["retention.ms"] = kDeadLetterRetentionMs;
  return topic;
}

TopicSpec RequestsTopic(const std::string& name, int32_t partitions, int32_t replicas) {
  TopicSpec topic = StreamTopic(name, partitions, replicas);
  topic.configs["retention.ms"] = kRequestsRetentionMs;
  return topic;
}

TopicSpec ChangelogTopic(const std::string& name, int32_t partitions, int32_t replicas) {
  TopicSpec topic = StreamTopic(name, partitions, replicas);
  topic.configs["cleanup.policy"] = "compact";
  return topic;
}

std::vector<WantedTopic> TopicsOf(const std::vector<mapping::Mapping>& mappings, int32_t partitions, int32_t replicas) {
  std::vector<WantedTopic> topics;
  const auto add = [&](TopicUse use, TopicSpec spec, const std::string& stream = "") {
    const auto same = [&](const WantedTopic& known) { return known.spec.name == spec.name; };
    if (std::none_of(topics.begin(), topics.end(), same)) topics.push_back({use, std::move(spec), stream});
  };
  for (const mapping::Mapping& mapping : mappings) {
    add(TopicUse::kStream, StreamTopic(mapping.topic, partitions, replicas));
    for (const auto& index : mapping.indexes) {
      add(TopicUse::kDeadLetters, DeadLetterTopic(index->dead_letter_topic(), replicas));
      add(TopicUse::kRequests, RequestsTopic(index->requests_topic(), partitions, replicas), mapping.topic);
      if (index->changelog() == nullptr) continue;
      add(TopicUse::kChangelog, ChangelogTopic(index->changelog()->topic, partitions, replicas), mapping.topic);
    }
  }
  return topics;
}

int32_t PartitionsBeside(const WantedTopic& beside, const std::vector<TopicPlan>& plans) {
  for (const TopicPlan& plan : plans) {
    if (plan.wanted.name == beside.stream) return plan.exists ? plan.found.partitions : plan.wanted.partitions;
  }
  return beside.spec.partitions;
}

std::string FaultOfRequests(const TopicPlan& plan, int32_t stream_partitions) {
  if (!plan.exists || plan.found.partitions == stream_partitions) return "";
  return "the change stream has " + Counted(stream_partitions, "partition") +
         ", and requests need as many. When no backfill or repair runs, delete this topic (kafka-topics.sh --delete) "
         "and create it again";
}

Result<TopicPlan> PlanTopic(const TopicSpec& wanted, TopicAdmin* admin) {
  TopicPlan plan;
  plan.wanted = wanted;
  const Result<consumer::TopicDescription> found = admin->Describe(wanted.name);
  if (found.status().code() == StatusCode::kNotFound) return plan;
  if (!found.ok()) return found.status();
  plan.exists = true;
  plan.found = *found;
  const auto policy = wanted.configs.find("cleanup.policy");
  const bool may_compact = policy != wanted.configs.end() && policy->second == "compact";
  if (!may_compact && found->cleanup_policy.find("compact") != std::string::npos) {
    plan.fault = "cleanup.policy is " + found->cleanup_policy +
                 ": events are deltas, and compaction destroys them. Set cleanup.policy to delete, with "
                 "kafka-configs.sh --alter";
  }
  return plan;
}

std::string FaultOfAsked(const TopicPlan& plan, std::optional<int32_t> partitions, std::optional<int32_t> replicas) {
  if (!plan.exists) return "";
  if (partitions && *partitions != plan.found.partitions) {
    return "--partitions " + std::to_string(*partitions) +
           " was given: a topic whose partitions change loses the order of its rows. Leave the flag out, or build "
           "a second version of the index from a new topic";
  }
  if (replicas && *replicas != plan.found.replicas) {
    return "--replication " + std::to_string(*replicas) +
           " was given: leave the flag out, or change the topic with kafka-reassign-partitions.sh";
  }
  return "";
}

std::string PlanText(const TopicPlan& plan, PlanState state) {
  const std::string text = "topic " + plan.wanted.name + ": ";
  if (!plan.exists) {
    return text + (state == PlanState::kDone ? "created with " : "to be created with ") +
           Counted(plan.wanted.partitions, "partition") + ", " + Counted(plan.wanted.replicas, "replica") + "\n";
  }
  const std::string exists = text + "exists with " + Counted(plan.found.partitions, "partition") + ", " +
                             Counted(plan.found.replicas, "replica") + "\n";
  return plan.fault.empty() ? exists : exists + "  " + plan.fault + "\n";
}

Status CreateTopics(const std::vector<TopicPlan>& plans, TopicAdmin* admin) {
  for (const TopicPlan& plan : plans) {
    if (plan.exists) continue;
    const Status status = admin->CreateTopic(plan.wanted);
    if (!status.ok() && status.code() != StatusCode::kAlreadyExists) {
      return status.WithContext("creating topic " + plan.wanted.name);
    }
  }
  return Status();
}

}  // namespace fensi::operations

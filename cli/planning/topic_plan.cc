#include "cli/planning/topic_plan.h"

#include <algorithm>

#include "cli/program/output.h"

namespace fensi::cli {
namespace {

using consumer::TopicAdmin;
using consumer::TopicSpec;

// Long enough for a person to come back from a holiday and look.
constexpr char kDeadLetterRetentionMs[] = "2592000000";

}  // namespace

std::vector<TopicSpec> TopicsOf(const std::vector<mapping::Mapping>& mappings, int32_t partitions, int32_t replicas) {
  std::vector<TopicSpec> topics;
  const auto add = [&](const std::string& name, int32_t count, std::map<std::string, std::string> configs) {
    const auto same = [&](const TopicSpec& spec) { return spec.name == name; };
    if (std::none_of(topics.begin(), topics.end(), same)) topics.push_back({name, count, replicas, std::move(configs)});
  };
  for (const mapping::Mapping& mapping : mappings) {
    add(mapping.topic, partitions, {{"cleanup.policy", "delete"}});
    for (const auto& index : mapping.indexes) {
      add(index->dead_letter_topic(), 1, {{"cleanup.policy", "delete"}, {"retention.ms", kDeadLetterRetentionMs}});
    }
  }
  return topics;
}

Result<TopicPlan> PlanTopic(const TopicSpec& wanted, TopicAdmin* admin) {
  TopicPlan plan;
  plan.wanted = wanted;
  const Result<consumer::TopicDescription> found = admin->Describe(wanted.name);
  if (found.status().code() == StatusCode::kNotFound) return plan;
  if (!found.ok()) return found.status();
  plan.exists = true;
  plan.found = *found;
  if (found->cleanup_policy.find("compact") != std::string::npos) {
    plan.fault = "cleanup.policy is " + found->cleanup_policy + ": events are deltas, compaction destroys them";
  }
  return plan;
}

std::string PlanText(const TopicPlan& plan) {
  const std::string text = "topic " + plan.wanted.name + ": ";
  if (!plan.exists) {
    return text + "to be created with " + Counted(plan.wanted.partitions, "partition") + ", " +
           Counted(plan.wanted.replicas, "replica") + "\n";
  }
  const std::string exists = text + "exists with " + Counted(plan.found.partitions, "partition") + "\n";
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

}  // namespace fensi::cli

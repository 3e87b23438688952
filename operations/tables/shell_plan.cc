#include <algorithm>

#include "operations/shell/shell_lines.h"
#include "operations/tables/creation.h"

namespace fensi::operations {
namespace {

/// An existing table belongs to somebody, so its alteration is a comment.
std::string AlterationOf(const PlannedTable& plan) {
  const auto matters = [](const TableDifference& difference) { return difference.matters; };
  if (std::none_of(plan.differences.begin(), plan.differences.end(), matters)) return "";
  std::string text;
  for (const store::FamilyDescriptor& family : plan.wanted.table.families) {
    text += ShellAlter(plan.wanted.table.name, family);
  }
  return text;
}

}  // namespace

std::string ShellPlan(const PlannedTable& plan) {
  if (plan.exists) return ShellComment(PlanText(plan) + AlterationOf(plan));
  std::string text;
  for (const std::string& note : plan.notes) text += ShellComment("table " + plan.wanted.table.name + ": " + note);
  return text + ShellCreate(plan.wanted.table, plan.wanted.split_keys);
}

std::string ShellPlan(const TopicPlan& plan, const std::string& brokers) {
  if (plan.exists) return ShellComment(PlanText(plan));
  std::string text = "kafka-topics.sh --bootstrap-server " + brokers + " --create --topic " + plan.wanted.name +
                     " --partitions " + std::to_string(plan.wanted.partitions) + " --replication-factor " +
                     std::to_string(plan.wanted.replicas);
  for (const auto& [key, value] : plan.wanted.configs) text += " --config " + key + "=" + value;
  return ShellComment(text);
}

}  // namespace fensi::operations

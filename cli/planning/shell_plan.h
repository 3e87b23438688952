// A plan as lines for the HBase shell, for who makes tables there and not by fensi. Pure.
#pragma once

#include <string>

#include "cli/planning/table_plan.h"
#include "cli/planning/topic_plan.h"

namespace fensi::cli {

/// What makes the table; of one that exists a comment, with what would make it as wanted.
std::string ShellPlan(const PlannedTable& plan);

/// Comments: the line for Kafka's own kafka-topics.sh that makes the topic, or how it differs.
std::string ShellPlan(const TopicPlan& plan, const std::string& brokers);

}  // namespace fensi::cli

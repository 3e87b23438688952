// Mapping files beside what really is there: source, index and state tables, and topics.
//
// Blocks on the servers; one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/mappings/mapping_files.h"
#include "cli/planning/topic_plan.h"
#include "consumer/kafka/topic_admin.h"
#include "store/store.h"

namespace fensi::cli {

struct OnlineFinding {
  bool error = false;  // the index cannot work so; otherwise a warning
  std::string index;   // empty: of the whole file
  std::string about;   // "table fensi", "topic guanzhu"
  std::string text;
};

/// Tables of every index, and the source's: existence, families, attributes, replication, coprocessors; and what the
/// server cannot do that an index needs.
Result<std::vector<OnlineFinding>> CheckTablesOnline(const Indexes& indexes, store::Store* store);

/// Change streams and dead letters: existence, partitions, cleanup policy, retention, size of messages.
/// `message_bytes`: the largest message that is sent.
Result<std::vector<OnlineFinding>> CheckTopicsOnline(const std::vector<mapping::Mapping>& mappings,
                                                     int64_t message_bytes, consumer::TopicAdmin* admin);

/// What can be said about one topic; `is_stream`: it holds changes, not dead letters. Pure.
std::vector<OnlineFinding> TopicFindings(const TopicPlan& plan, TopicUse use, int64_t message_bytes);

}  // namespace fensi::cli

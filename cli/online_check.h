// Mapping files beside what really is there: source, index and state tables, and topics.
//
// Blocks on the servers; one thread.
#pragma once

#include <string>
#include <vector>

#include "cli/mapping_files.h"
#include "consumer/kafka/topic_admin.h"
#include "store/store.h"

namespace fensi::cli {

struct OnlineFinding {
  bool error = false;  // the index cannot work so; otherwise a warning
  std::string index;   // empty: of the whole file
  std::string about;   // "table fensi", "topic guanzhu"
  std::string text;
};

/// Tables of every index, and the source's: existence, families, attributes, replication.
Result<std::vector<OnlineFinding>> CheckTablesOnline(const Indexes& indexes, store::Store* store);

/// Change streams and dead letters: existence, partitions, cleanup policy.
Result<std::vector<OnlineFinding>> CheckTopicsOnline(const std::vector<mapping::Mapping>& mappings,
                                                     consumer::TopicAdmin* admin);

}  // namespace fensi::cli

// Compares mapping files with the existing source, index and state tables, and topics, and prints what it finds, for
// `fensi check --online`.
//
// Blocks on the servers; one thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "consumer/kafka/client/topic_admin.h"
#include "mapping/mapping.h"
#include "operations/access/kafka.h"
#include "operations/access/stores.h"
#include "operations/mappings/mapping_files.h"
#include "operations/tables/topic_plan.h"
#include "store/store.h"

namespace fensi::operations {

struct OnlineFinding {
  bool error = false;  // the index cannot work; otherwise a warning
  std::string index;   // empty: of the whole file
  std::string about;   // "table fensi", "topic guanzhu"
  std::string text;
  bool note = false;  // neither: a fact
};

/// Checks tables of every index, and the source's: existence, families, attributes, replication, coprocessors; and what
/// the server must be able to do.
Result<std::vector<OnlineFinding>> CheckTablesOnline(const Indexes& indexes, store::Store* store,
                                                     const std::string& meta_table);

/// Checks the cluster of the sources, if it is another one than that of the indexes: its servers and their clocks.
Result<std::vector<OnlineFinding>> CheckSourceCluster(store::Store* store);

/// Checks change streams and dead letters: existence, partitions, cleanup policy, retention, size of messages.
/// `message_bytes`: the largest message that is sent.
Result<std::vector<OnlineFinding>> CheckTopicsOnline(const std::vector<mapping::Mapping>& mappings,
                                                     int64_t message_bytes, consumer::TopicAdmin* admin);

/// Findings about one topic; `is_stream`: it has changes, not dead letters. Pure.
std::vector<OnlineFinding> TopicFindings(const TopicPlan& plan, TopicUse use, int64_t message_bytes);

struct OnlineOptions {
  std::optional<StoreOptions> store = {};  // absent: tables are not compared
  std::optional<KafkaOptions> kafka = {};  // absent: topics are not compared
  int64_t message_bytes = 1'000'000;       // the largest message that is sent
  bool json = false;
};

/// kInvalidArgument: there is nothing to compare with. kConfiguration: an index cannot work with what exists.
Status CheckOnline(const std::vector<mapping::Mapping>& mappings, const OnlineOptions& options);

/// Prints each finding. kConfiguration: there are errors among them.
Status PrintFindings(const std::vector<OnlineFinding>& findings, bool json);

}  // namespace fensi::operations

#include "daemon/capture/own_tables.h"

#include <algorithm>

#include "base/bytes.h"
#include "daemon/capture/settings.h"
#include "mapping/lookup.h"
#include "operations/mappings/environment.h"
#include "operations/tables/taken_names.h"

namespace fensi::daemon {
namespace {

Status Refused(const std::string& table, const std::string& what) {
  return Status(StatusCode::kConfiguration,
                "table " + table + " cannot be captured, because fensi uses the table as " + what +
                    ". Each change that fensi writes would come back as a new change. Leave the table out");
}

Status RefusedTopic(const std::string& pattern, const std::string& table, const std::string& what) {
  return Status(StatusCode::kConfiguration, "--topic " + pattern + ": the changes of table " + table + " would go to " +
                                                what + ", which holds no change events. Choose another --topic");
}

/// Checks the topics of one index in which fensi itself writes.
Status RefuseTopics(const std::vector<std::string>& tables, const std::string& pattern, const std::string& index,
                    const std::string& requests, const std::string& dead) {
  for (const std::string& table : tables) {
    const std::string topic = TopicOfTable(pattern, table);
    if (topic == requests)
      return RefusedTopic(pattern, table, "the control topic " + topic + " of index " + Escape(index));
    if (topic == dead)
      return RefusedTopic(pattern, table, "the dead-letter topic " + topic + " of index " + Escape(index));
  }
  return Status();
}

}  // namespace

Status RefuseOwnTables(const std::vector<std::string>& tables, const std::string& topic_pattern,
                       const std::string& meta_table, const std::vector<mapping::Mapping>& mappings) {
  const std::vector<std::string> meta_tables = operations::FileEnvironment(meta_table).meta_tables;
  for (const std::string& table : tables) {
    if (std::find(meta_tables.begin(), meta_tables.end(), table) != meta_tables.end()) {
      return Refused(table, "the meta table");
    }
    if (table.ends_with(mapping::kStateTableSuffix))
      return Refused(table, "a state table (its name ends with " + std::string(mapping::kStateTableSuffix) + ")");
    for (const mapping::Mapping& mapping : mappings) {
      for (const auto& index : mapping.indexes) {
        if (table == index->state_table()) return Refused(table, "the state table of index " + index->name());
        if (mapping::CouldBePeriodTable(*index, table)) return Refused(table, "the table of index " + index->name());
      }
    }
  }
  for (const mapping::Mapping& mapping : mappings) {
    for (const auto& index : mapping.indexes) {
      FENSI_RETURN_IF_ERROR(
          RefuseTopics(tables, topic_pattern, index->name(), index->requests_topic(), index->dead_letter_topic()));
    }
  }
  return Status();
}

Status CheckTablesInStore(const std::vector<std::string>& tables, const std::string& topic_pattern,
                          const operations::StoreOptions& options) {
  const operations::StoreOptions of_source = operations::SourceOf(options);
  FENSI_ASSIGN_OR_RETURN(std::unique_ptr<store::Store> store, operations::OpenStoreToWrite(of_source));
  for (const std::string& table : tables) {
    FENSI_RETURN_IF_ERROR(operations::RequireTable(of_source, store.get(), table).status());
    const std::string state_name = table + std::string(mapping::kStateTableSuffix);
    const auto state = store->DescribeTable(state_name);
    if (!state.ok()) return state.status();
    if (state->has_value()) return Refused(table, "the table of an index (state table " + state_name + " exists)");
  }
  // The table of all indexes is where they are.
  if (!options.source.url.empty()) {
    FENSI_ASSIGN_OR_RETURN(store, operations::OpenStoreToWrite(options));
  }
  const Result<std::vector<operations::NamesOfIndex>> known =
      operations::NamesOfIndexes(store.get(), options.meta_table);
  // A capture may be kept from the meta table: then the indexes of --mapping are those that are known.
  if (!known.ok()) return known.status().code() == StatusCode::kUnavailable ? known.status() : Status();
  for (const operations::NamesOfIndex& index : *known) {
    FENSI_RETURN_IF_ERROR(
        RefuseTopics(tables, topic_pattern, index.name, index.name + ".requests", index.name + ".dead"));
  }
  return Status();
}

}  // namespace fensi::daemon

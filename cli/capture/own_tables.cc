#include "cli/capture/own_tables.h"

#include "cli/flags/flags.h"
#include "cli/stores.h"

namespace fensi::cli {
namespace {

constexpr std::string_view kStateSuffix = "_state";

Status Refused(const std::string& table, const std::string& what) {
  return Status(StatusCode::kConfiguration,
                "table " + table + " is " + what + " of fensi and is not captured: its changes would feed themselves");
}

}  // namespace

Status RefuseOwnTables(const std::vector<std::string>& tables, const std::vector<mapping::Mapping>& mappings) {
  for (const std::string& table : tables) {
    if (table.ends_with(kStateSuffix)) return Refused(table, "by its name a state table");
    for (const mapping::Mapping& mapping : mappings) {
      for (const auto& index : mapping.indexes) {
        if (table == index->state_table()) return Refused(table, "the state table of index " + index->name());
        if (table == index->table()) return Refused(table, "the table of index " + index->name());
      }
    }
  }
  return Status();
}

Status CheckTablesInStore(const std::vector<std::string>& tables) {
  const Result<std::unique_ptr<store::Store>> store = OpenStoreToWrite();
  if (!store.ok()) return store.status();
  for (const std::string& table : tables) {
    const auto found = (*store)->DescribeTable(table);
    if (!found.ok()) return found.status();
    if (!found->has_value()) return Status(StatusCode::kNotFound, FLAGS_store + " has no table '" + table + "'");
    const auto state = (*store)->DescribeTable(table + std::string(kStateSuffix));
    if (!state.ok()) return state.status();
    if (state->has_value()) return Refused(table, "the table of an index (there is " + table + "_state beside it)");
  }
  return Status();
}

}  // namespace fensi::cli

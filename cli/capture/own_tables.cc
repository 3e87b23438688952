#include "cli/capture/own_tables.h"

#include <algorithm>

#include "cli/access/stores.h"
#include "cli/mappings/environment.h"
#include "mapping/lookup.h"

namespace fensi::cli {
namespace {

Status Refused(const std::string& table, const std::string& what) {
  return Status(StatusCode::kConfiguration,
                "table " + table + " is " + what + " of fensi and is not captured: its changes would feed themselves");
}

}  // namespace

Status RefuseOwnTables(const std::vector<std::string>& tables, const std::vector<mapping::Mapping>& mappings) {
  const std::vector<std::string> meta_tables = FileEnvironment().meta_tables;
  for (const std::string& table : tables) {
    if (std::find(meta_tables.begin(), meta_tables.end(), table) != meta_tables.end()) {
      return Refused(table, "the meta table");
    }
    if (table.ends_with(mapping::kStateTableSuffix)) return Refused(table, "by its name a state table");
    for (const mapping::Mapping& mapping : mappings) {
      for (const auto& index : mapping.indexes) {
        if (table == index->state_table()) return Refused(table, "the state table of index " + index->name());
        if (mapping::MayBeTable(*index, table)) return Refused(table, "the table of index " + index->name());
      }
    }
  }
  return Status();
}

Status CheckTablesInStore(const std::vector<std::string>& tables) {
  const Result<std::unique_ptr<store::Store>> store = OpenStoreToWrite();
  if (!store.ok()) return store.status();
  for (const std::string& table : tables) {
    FENSI_RETURN_IF_ERROR(RequireTable(store->get(), table).status());
    const std::string state_name = table + std::string(mapping::kStateTableSuffix);
    const auto state = (*store)->DescribeTable(state_name);
    if (!state.ok()) return state.status();
    if (state->has_value()) return Refused(table, "the table of an index (there is " + state_name + " beside it)");
  }
  return Status();
}

}  // namespace fensi::cli

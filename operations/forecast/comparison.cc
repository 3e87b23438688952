#include <functional>

#include "operations/forecast/estimate.h"
#include "operations/forecast/forecast.h"
#include "sweep/scan/page_reader.h"
#include "sweep/scan/table_list.h"

namespace fensi::operations {
namespace {

/// With all versions: in a shared cell each source row has its own.
Status ForEachCell(store::Store* store, const std::string& table,
                   const std::function<void(const std::string& row, const Cell&)>& use) {
  store::ScanRequest request;
  request.max_versions = INT32_MAX;
  sweep::PageReader reader(store, table, request);
  std::vector<store::Row> page;
  for (bool more = true; more;) {
    FENSI_ASSIGN_OR_RETURN(more, reader.Next(&page));
    for (const store::Row& row : page) {
      for (const Cell& cell : row.cells) use(row.row, cell);
    }
  }
  return Status();
}

double BytesOf(const std::string& row, const Cell& cell, bool expires) {
  return static_cast<double>(StoredBytes(row, cell.family, cell.qualifier, cell.value.size(), expires));
}

}  // namespace

Result<Reality> CountReality(const mapping::Index& index, store::Store* store, Clock* clock) {
  sweep::TableList list(&index, store);
  FENSI_RETURN_IF_ERROR(list.CanEnumerateAll(clock->WallMillis())
                            .WithSuffix(", so --compare cannot count the entries. Leave out --compare"));
  FENSI_ASSIGN_OR_RETURN(const std::vector<std::string> tables, list.Existing(clock->WallMillis()));
  const Status missing(StatusCode::kNotFound, "index " + index.name() + " has no table " + index.table() +
                                                  " yet. Compare after 'fensi backfill MAPPING " + index.name() +
                                                  " --execute'");
  if (tables.empty()) return missing;
  Reality reality;
  std::string last;
  for (const std::string& table : tables) {
    last.clear();
    const Status counted = ForEachCell(store, table, [&](const std::string& row, const Cell& cell) {
      if (row != last) reality.index_rows += 1;
      last = row;
      reality.entries += 1;
      reality.index_bytes += BytesOf(row, cell, index.expires_exactly());
    });
    if (counted.code() == StatusCode::kNotFound) return missing;
    FENSI_RETURN_IF_ERROR(counted);
  }
  FENSI_RETURN_IF_ERROR(ForEachCell(store, index.state_table(), [&](const std::string& row, const Cell& cell) {
    if (cell.family == kIndexFamilyOfStates) return;
    reality.states += 1;
    reality.state_bytes += BytesOf(row, cell, false);
  }));
  return reality;
}

std::vector<Compared> Compare(const Forecast& forecast, const Reality& reality) {
  return {{"entries", forecast.entries, reality.entries, false},
          {"index bytes", forecast.index_bytes, reality.index_bytes, true},
          {"states", forecast.states, reality.states, false},
          {"state bytes", forecast.state_bytes, reality.state_bytes, true}};
}

}  // namespace fensi::operations

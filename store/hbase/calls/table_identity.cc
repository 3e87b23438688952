#include "store/hbase/calls/table_identity.h"

#include <vector>

#include "store/hbase/calls/range_scanner.h"
#include "store/hbase/messages/conversions.h"
#include "store/table_identity.h"

namespace fensi::store {

Result<TableIdentity> IdentityOn(Connection& connection, const std::string& table, const ReadLimits& limits) {
  const auto scan = [&](const ScanRequest& request) -> Result<std::vector<Row>> {
    static const std::string kMeta = "hbase:meta";
    std::vector<Row> rows;
    FENSI_RETURN_IF_ERROR(RangeScanner(connection, kMeta, request, limits).Read(&rows));
    return rows;
  };
  return ReadIdentity(FromTableName(ToTableName(table)), scan);
}

}  // namespace fensi::store

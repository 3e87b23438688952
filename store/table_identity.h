// Reads the identity of a table from the rows of hbase:meta: the table's own row, and those of its regions. (Thrift2's
// answer about regions has no ids: HBase 2.6.1 sends 0 for each.)
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "store/store.h"

namespace fensi::store {

/// Reads a page of hbase:meta, without its description, which needs more rights.
using MetaScanner = std::function<Result<std::vector<Row>>(const ScanRequest& request)>;

/// As Store::IdentityOf; `name` is canonical. Blocks as the scans do.
Result<TableIdentity> ReadIdentity(const std::string& name, const MetaScanner& scan);

}  // namespace fensi::store

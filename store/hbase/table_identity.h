// Which table has a name, by the rows of hbase:meta: that of the table, and those of its regions. (Thrift2's answer
// about regions has no ids: HBase 2.6.1 sends 0 for each.)
//
// For tasks of the pool; blocks on the gateway.
#pragma once

#include <string>

#include "store/hbase/connection.h"
#include "store/hbase/row_getter.h"
#include "store/store.h"

namespace fensi::store {

/// As Store::IdentityOf. Does not ask for the description of hbase:meta, which a user needs more rights for.
Result<TableIdentity> IdentityOn(Connection& connection, const std::string& table, const ReadLimits& limits);

}  // namespace fensi::store

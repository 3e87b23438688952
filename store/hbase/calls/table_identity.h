// Reads the identity of a table from a gateway (store/table_identity.h).
//
// For tasks of the pool; blocks on the gateway.
#pragma once

#include <string>

#include "store/hbase/calls/row_getter.h"
#include "store/hbase/wire/connection.h"
#include "store/store.h"

namespace fensi::store {

/// As Store::IdentityOf. Does not read the description of hbase:meta, which needs more rights.
Result<TableIdentity> IdentityOn(Connection& connection, const std::string& table, const ReadLimits& limits);

}  // namespace fensi::store

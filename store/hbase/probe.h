// Is the region of a row alive? And: the gateway then knows where it is.
//
// That matters for the longest rows: to find the region of a row that it has not met, HBase's client looks for
// "table,row,99999999999999" in hbase:meta, and breaks when that is longer than a row may be. Read under a shorter name
// that lies (almost always) in the same region, the region is known, and the long row passes.
#pragma once

#include <string>

#include "store/hbase/connection.h"

namespace fensi::store {

/// Whether HBase's client may fail to find the region of the row.
bool MayBeTooLongToFind(const std::string& table, const std::string& row);

/// Reads the row, or what it begins with. Never kInternal or kRejected: a fault here is not the row's.
Status ProbeRow(Connection& connection, const std::string& table, const std::string& row);

}  // namespace fensi::store

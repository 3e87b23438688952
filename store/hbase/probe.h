// Is the region of a row alive, and does it take writes? And: the gateway then knows where it is.
//
// That matters for the longest rows: to find the region of a row that it has not met, HBase's client looks for
// "table,row,99999999999999" in hbase:meta, and breaks when that is longer than a row may be. Asked under a shorter
// name that lies (almost always) in the same region, the region is known, and the long row passes.
#pragma once

#include <string>
#include <string_view>

#include "store/hbase/connection.h"

namespace fensi::store {

/// Whether HBase's client may fail to find the region of the row.
bool MayBeTooLongToFind(const std::string& table, const std::string& row);

/// Reads the row, or what it begins with.
Status ProbeRow(Connection& connection, const std::string& table, const std::string& row);

/// Writes a cell that nobody can ever see to the row, or what it begins with: its time to live was over in 1970.
/// Neither plain nor raw reads return such a cell, and the next flush drops it.
Status ProbeWrite(Connection& connection, const std::string& table, const std::string& row, const std::string& family);

/// The qualifier of that cell.
inline constexpr std::string_view kProbeQualifier{"\0fensi: does this region take writes?", 37};

}  // namespace fensi::store

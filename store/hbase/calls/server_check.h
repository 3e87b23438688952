// Checks whether a gateway, and the HBase behind it, can do what fensi needs. Tests them by calls that change nothing,
// because version numbers do not tell which patches a distribution has.
//
// Blocks for a few calls; used by the thread that has the connection.
#pragma once

#include <string>
#include <string_view>

#include "hbase_thrift2_types.h"
#include "store/hbase/wire/connection.h"

namespace fensi::store {

// Probes whether the region of a row is available and accepts writes. After a probe the gateway knows the location of
// the region.
//
// That matters for the longest rows: to locate an unknown region, HBase's client looks for "table,row,99999999999999"
// in hbase:meta, and breaks if that is longer than a row may be. After a probe with a shorter row that is (almost
// always) in the same region, the region is known, and the long row passes.

/// True if HBase's client may fail to locate the region of the row.
bool MayBeTooLongToFind(const std::string& table, const std::string& row);

/// Reads the row, or its first bytes as a row.
Status ProbeRow(Connection& connection, const std::string& table, const std::string& row);

/// Writes a cell that is never visible to the row, or to its first bytes as a row: its time to live ended in 1970.
/// Neither plain nor raw reads return such a cell, and the next flush drops it.
Status ProbeWrite(Connection& connection, const std::string& table, const std::string& row, const std::string& family);

// Checks what a gateway, and the HBase behind it, can do.

/// kConfiguration names everything that they cannot do. kUnavailable: they do not answer. Ignores other errors of the
/// table, and errors that a gateway returns to any call during an outage.
Status CheckServer(Connection& connection, const std::string& table, const std::string& family);

/// Gateways of older versions (before HBase 2.2) do not return the type of a cell: a raw read would take markers for
/// puts. Then kConfiguration.
Status RequireKinds(const std::string& table, const thrift2::TResult& result);

/// The row that is queried; no table has it.
inline constexpr std::string_view kAskedRow{"\0fensi: what can this server do?", 32};

}  // namespace fensi::store

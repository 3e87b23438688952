// Can this gateway, and the HBase behind it, do what fensi needs of them? They are asked, by calls that change nothing:
// a number of a version would tell less, because distributions bring newer parts to older versions.
//
// Blocks for some calls; used by the thread that has the connection.
#pragma once

#include <string>
#include <string_view>

#include "hbase_thrift2_types.h"
#include "store/hbase/connection.h"

namespace fensi::store {

/// kConfiguration names everything that they cannot. kUnavailable: they do not answer. What else is wrong with the
/// table is left to who meets it, and answers that a gateway gives to anything in a bad hour are no proof.
Status CheckServer(Connection& connection, const std::string& table, const std::string& family);

/// Gateways of older versions (before HBase 2.2) do not tell of which kind a cell is: a raw read would take markers for
/// puts. kConfiguration says so.
Status RequireKinds(const std::string& table, const thrift2::TResult& result);

/// Of the row that is asked for; nobody has it.
inline constexpr std::string_view kAskedRow{"\0fensi: what can this server do?", 32};

}  // namespace fensi::store

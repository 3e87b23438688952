// HBase's names of servers: "HOST,PORT,STARTCODE".
//
// Pure.
#pragma once

#include <optional>
#include <string>

#include "proto/hbase_rpc.pb.h"

namespace fensi::hbase {

/// Absent if the text is no such name.
std::optional<proto::hbase::ServerName> ParseServerName(const std::string& name);

}  // namespace fensi::hbase

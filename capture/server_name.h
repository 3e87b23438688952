// HBase's names of servers: "HOST,PORT,STARTCODE".
//
// Pure.
#pragma once

#include <optional>
#include <string>

#include "proto/hbase_replication.pb.h"

namespace fensi::capture {

/// Absent when it is none.
std::optional<proto::hbase::ServerName> ParseServerName(const std::string& name);

}  // namespace fensi::capture

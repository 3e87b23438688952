// What the flags of `fensi capture` mean. Pure but for the flags and the machine's name.
#pragma once

#include <string>
#include <vector>

#include "capture/capture.h"

namespace fensi::cli {

/// kInvalidArgument: a table is named twice or is no table name, an address to listen on is none.
Result<capture::CaptureOptions> CaptureSettings(const std::vector<std::string>& tables);

/// As the HBase shell wants it: "zk1,zk2:2181:/fensi".
std::string ClusterKey(const std::string& zookeeper, const std::string& root);

/// --topic with the table in place of {table}; ':' becomes '.', as in a mapping file's default.
std::string TopicOfTable(const std::string& pattern, const std::string& table);

}  // namespace fensi::cli

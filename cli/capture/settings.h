// What the flags of `fensi capture` mean. Pure but for the flags and the machine's name.
#pragma once

#include <string>
#include <vector>

#include "capture/capture.h"

namespace fensi::cli {

/// Tables as a person named them, each as HBase writes it. kInvalidArgument: one is no table name, or is named twice.
Result<std::vector<std::string>> ParseTableNames(const std::vector<std::string>& names);

/// `tables` as ParseTableNames gives them.
capture::CaptureOptions CaptureSettings(const std::vector<std::string>& tables);

/// As the HBase shell wants it: "zk1,zk2:2181:/fensi".
std::string ClusterKey(const std::string& zookeeper, const std::string& root);

/// --topic with the table in place of {table}; ':' becomes '.', as in a mapping file's default.
std::string TopicOfTable(const std::string& pattern, const std::string& table);

}  // namespace fensi::cli

// The calls of HBase's MasterService that a source of HBase 3 makes: it asks the master of its peer for the peer's id
// and servers, where one of HBase 2 reads ZooKeeper.
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/cluster_view.h"

namespace fensi::capture {

/// The response's bytes; absent: no such method is here.
std::optional<std::string> AnswerOfMaster(std::string_view method, const ClusterView& cluster);

}  // namespace fensi::capture

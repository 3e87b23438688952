// The calls of HBase's MasterService that a source of HBase 3 makes: it asks the master of its peer for the peer's id
// and servers, which HBase 2 reads from ZooKeeper.
//
// Pure.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "capture/notices.h"

namespace fensi::capture {

/// The bytes of the response; absent: no such method.
std::optional<std::string> AnswerOfMaster(std::string_view method, const ClusterView& cluster);

}  // namespace fensi::capture

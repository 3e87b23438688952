// Detects the protocol of a port, for the error message about a wrong address.
//
// Blocks for some hundred milliseconds, on a silent port until the deadline.
#pragma once

#include <string>

#include "hbase/wire/dial.h"

namespace fensi::hbase {

enum class Speaks { kNothing, kZooKeeper, kHBase, kThrift, kHttp, kTls, kUnknown };

/// kNothing: the port is closed. kUnknown: a server listens, and sends nothing that is known here.
Speaks WhoAnswers(const std::string& host, int port, Deadline deadline);

}  // namespace fensi::hbase

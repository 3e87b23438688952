// Where a scan's requests go. One thread uses a sink.
#pragma once

#include "base/status.h"
#include "consumer/codec/request.h"

namespace fensi::sweep {

class RequestSink {
 public:
  virtual ~RequestSink() = default;
  /// Blocks while there is no room. kRejected: it is larger than any that is taken. What was sent and not flushed may
  /// be lost.
  virtual Status Send(const consumer::Request& request) = 0;
  /// Blocks until all that was sent is acknowledged, or some of it failed.
  virtual Status Flush() = 0;
};

}  // namespace fensi::sweep

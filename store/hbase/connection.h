// One connection to a Thrift2 gateway: connects when it is needed, gives itself up after any fault, never repeats a
// call.
//
// Calls block until the answer or a timeout (connect, send, receive). Owned and used by one thread at a time. After a
// fault a late answer could be taken for that of the next call, so that the connection is closed.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "base/clock.h"
#include "base/status.h"

namespace fensi::store {

namespace thrift2 {
class THBaseServiceClient;
}

struct GatewayOptions {
  std::string host;
  int port = 9090;
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};  // of each send and receive
  Clock* clock = SystemClock();                    // must outlive the connection
};

class Connection {
 public:
  explicit Connection(const GatewayOptions& options);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// `doing` names the call in messages. kUnavailable: the outcome may be unknown.
  Status Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call);

 private:
  void Open();

  const GatewayOptions options_;
  std::unique_ptr<thrift2::THBaseServiceClient> client_;  // null: not connected
  std::chrono::milliseconds last_use_{0};
};

}  // namespace fensi::store

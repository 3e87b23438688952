// A Thrift2 gateway that is some milliseconds away and keeps cells in memory: what a store far from the daemon costs,
// without servers.
//
// Each call waits for the way there and back, and is done then. One thread per connection.
#pragma once

#include <chrono>
#include <memory>
#include <thread>

namespace fensi::bench {

class FarGateway {
 public:
  /// Every table has the families of an index, of its states, and "f1", and is there.
  explicit FarGateway(std::chrono::milliseconds away);
  ~FarGateway();
  FarGateway(const FarGateway&) = delete;
  FarGateway& operator=(const FarGateway&) = delete;

  int port() const;
  int64_t calls() const;
  void set_away(std::chrono::milliseconds away);

 private:
  struct Server;
  const std::unique_ptr<Server> server_;
  std::thread thread_;  // last: it uses the rest
};

}  // namespace fensi::bench

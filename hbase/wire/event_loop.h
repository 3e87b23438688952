// Waits for many sockets on one thread.
//
// Thread-safe. Calls watched objects on the loop's thread, one call at a time; they must not block.
#pragma once

#include <cstdint>
#include <memory>

#include "base/status.h"

namespace fensi::hbase {

/// The readiness of a socket.
struct Readiness {
  bool read = false;
  bool write = false;
};

class Watched {
 public:
  virtual ~Watched() = default;
  virtual void OnReady(const Readiness& ready) = 0;
};

class EventLoop {
 public:
  /// kUnavailable: the machine has no descriptor or thread left.
  static Result<std::shared_ptr<EventLoop>> Start();
  /// Ends the thread. Objects that are still watched are not called any more.
  ~EventLoop();
  EventLoop(const EventLoop&) = delete;
  EventLoop& operator=(const EventLoop&) = delete;

  /// Watches the socket for bytes to read; keeps `watched` alive until Remove. Returns its id.
  Result<uint64_t> Add(int socket, std::shared_ptr<Watched> watched);
  /// Turns waiting for room to write on or off.
  void WatchWrite(uint64_t id, bool on);
  /// Call before the socket is closed. A call that has begun may still be running.
  void Remove(uint64_t id);

 private:
  struct Core;
  explicit EventLoop(std::shared_ptr<Core> core) : core_(std::move(core)) {}

  const std::shared_ptr<Core> core_;  // shared with the thread
};

}  // namespace fensi::hbase

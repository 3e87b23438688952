// One session with ZooKeeper, as plain calls.
//
// Every call blocks up to the session timeout and may come from any thread. A session that has expired stays so: open
// another one. kUnavailable: ZooKeeper was not reached or did not answer; the outcome is unknown.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::capture {

struct Znode {
  std::string data;
  int32_t version = 0;
};

class ZooKeeperSession {
 public:
  /// Ends the session; its ephemeral znodes go at once.
  virtual ~ZooKeeperSession() = default;

  virtual bool expired() const = 0;

  /// Absent when there is no such znode.
  virtual Result<std::optional<Znode>> Get(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> Children(const std::string& path) = 0;
  /// kAlreadyExists, kNotFound (of the parent).
  virtual Status Create(const std::string& path, const std::string& data, bool ephemeral) = 0;
  /// kAlreadyExists: it has another version than the one that was read.
  virtual Status Set(const std::string& path, const std::string& data, int32_t version) = 0;
  /// Ok when there is none.
  virtual Status Delete(const std::string& path) = 0;
};

/// The znode and its parents, persistent; what exists stays as it is.
Status CreatePath(ZooKeeperSession* session, const std::string& path);

/// Blocks until connected. `hosts`: "host:port,host:port".
Result<std::unique_ptr<ZooKeeperSession>> OpenZooKeeper(const std::string& hosts,
                                                        std::chrono::milliseconds session_timeout,
                                                        std::chrono::milliseconds timeout);

/// Opens sessions with one ZooKeeper, real or not.
using SessionOpener = std::function<Result<std::unique_ptr<ZooKeeperSession>>()>;

}  // namespace fensi::capture

// One session with ZooKeeper, as plain calls. The only place that includes ZooKeeper's client library.
//
// Every call blocks up to the session timeout and may come from any thread. A session that has expired stays so: open
// another one. kUnavailable: ZooKeeper was not reached or did not answer; the outcome is unknown.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"

namespace fensi::capture {

class ZooKeeperSession {
 public:
  /// Blocks until connected. `hosts`: "host:port,host:port".
  static Result<std::unique_ptr<ZooKeeperSession>> Open(const std::string& hosts,
                                                        std::chrono::milliseconds session_timeout,
                                                        std::chrono::milliseconds patience);
  /// Ends the session; its ephemeral znodes go at once.
  ~ZooKeeperSession();
  ZooKeeperSession(const ZooKeeperSession&) = delete;
  ZooKeeperSession& operator=(const ZooKeeperSession&) = delete;

  bool expired() const;

  /// Absent when there is no such znode.
  Result<std::optional<std::string>> Get(const std::string& path);
  Result<std::vector<std::string>> Children(const std::string& path);
  /// kAlreadyExists, kNotFound (of the parent).
  Status Create(const std::string& path, const std::string& data, bool ephemeral);
  /// The znode and its parents, persistent; what exists stays as it is.
  Status CreatePath(const std::string& path);
  Status Set(const std::string& path, const std::string& data);
  /// Ok when there is none.
  Status Delete(const std::string& path);

 private:
  class Impl;
  explicit ZooKeeperSession(std::unique_ptr<Impl> impl);
  const std::unique_ptr<Impl> impl_;
};

}  // namespace fensi::capture

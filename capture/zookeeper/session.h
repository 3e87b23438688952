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
#include "capture/zookeeper/access.h"

namespace fensi::capture {

struct Znode {
  std::string data;
  int32_t version = 0;
};

/// What becomes of a znode that is made.
struct ZnodeKind {
  bool ephemeral = false;
  Sight sight = Sight::kAnybodys;  // means something only for a session that has a user
};

class ZooKeeperSession {
 public:
  /// Ends the session; its ephemeral znodes go at once.
  virtual ~ZooKeeperSession() = default;

  virtual bool expired() const = 0;
  /// After so long a silence ZooKeeper ends the session. ZooKeeper decides it when the session begins: it may be longer
  /// or shorter than what was asked for.
  virtual std::chrono::milliseconds timeout() const = 0;

  /// Absent when there is no such znode.
  virtual Result<std::optional<Znode>> Get(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> Children(const std::string& path) = 0;
  /// kAlreadyExists, kNotFound (of the parent).
  virtual Status Create(const std::string& path, const std::string& data, const ZnodeKind& kind) = 0;
  /// kAlreadyExists: it has another version than the one that was read.
  virtual Status Set(const std::string& path, const std::string& data, int32_t version) = 0;
  /// Ok when there is none.
  virtual Status Delete(const std::string& path) = 0;
  /// Who may do what. kNotFound.
  virtual Result<std::vector<Grant>> Grants(const std::string& path) = 0;
};

/// The znode and its parents, persistent, for anybody to read; what exists stays as it is.
Status CreatePath(ZooKeeperSession* session, const std::string& path);

struct SessionOptions {
  std::string hosts;   // "host:port,host:port"
  std::string digest;  // "USER:PASSWORD", or empty: everybody may write what we make
  std::chrono::milliseconds session_timeout{10'000};
  std::chrono::milliseconds connect_timeout{10'000};
};

/// Blocks until connected, and until ZooKeeper knows the user.
Result<std::unique_ptr<ZooKeeperSession>> OpenZooKeeper(const SessionOptions& options);

/// Opens sessions with one ZooKeeper, real or not.
using SessionOpener = std::function<Result<std::unique_ptr<ZooKeeperSession>>()>;

}  // namespace fensi::capture

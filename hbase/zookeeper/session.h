// One session with ZooKeeper, with blocking calls.
//
// Every call blocks up to the session timeout and may come from any thread. An expired session stays expired: open
// another one. kUnavailable: ZooKeeper was not reached, its name does not resolve, or it did not answer; the outcome is
// unknown.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/status.h"
#include "hbase/zookeeper/access.h"

namespace fensi::hbase {

struct Znode {
  std::string data;
  int32_t version = 0;
};

/// The kind of a znode to be created.
struct ZnodeKind {
  bool ephemeral = false;
  Sight sight = Sight::kAnybodys;  // used only by a session that has a user
};

class ZooKeeperSession {
 public:
  /// Ends the session; its ephemeral znodes are deleted at once.
  virtual ~ZooKeeperSession() = default;

  virtual bool expired() const = 0;
  /// The silence after which ZooKeeper ends the session. ZooKeeper decides it when the session begins: it may be longer
  /// or shorter than requested.
  virtual std::chrono::milliseconds timeout() const = 0;

  /// Absent: the znode does not exist.
  virtual Result<std::optional<Znode>> Get(const std::string& path) = 0;
  virtual Result<std::vector<std::string>> Children(const std::string& path) = 0;
  /// kAlreadyExists, kNotFound (of the parent).
  virtual Status Create(const std::string& path, const std::string& data, const ZnodeKind& kind) = 0;
  /// kAlreadyExists: it has another version than the one that was read.
  virtual Status Set(const std::string& path, const std::string& data, int32_t version) = 0;
  /// Ok if it does not exist.
  virtual Status Delete(const std::string& path) = 0;
  /// The access control list. kNotFound.
  virtual Result<std::vector<Grant>> Grants(const std::string& path) = 0;
};

/// Creates the znode and its parents, persistent, readable by anybody; existing ones stay as they are.
Status CreatePath(ZooKeeperSession* session, const std::string& path);

struct SessionOptions {
  std::string hosts;   // "host:port,host:port"
  std::string digest;  // "USER:PASSWORD", or empty: everybody may write our znodes
  std::chrono::milliseconds session_timeout{10'000};
  std::chrono::milliseconds connect_timeout{10'000};
};

/// Blocks until connected, and until ZooKeeper knows the user.
Result<std::unique_ptr<ZooKeeperSession>> OpenZooKeeper(const SessionOptions& options);

/// Opens sessions with one ZooKeeper, real or not.
using SessionOpener = std::function<Result<std::unique_ptr<ZooKeeperSession>>()>;

}  // namespace fensi::hbase

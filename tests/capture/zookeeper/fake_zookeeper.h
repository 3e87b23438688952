// A ZooKeeper in memory: znodes, versions, ephemeral ones that go with their session, silence, and sessions that end.
#pragma once

#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "capture/zookeeper/session.h"

namespace fensi::capture {

/// Outlives its sessions. Thread-safe.
class FakeZooKeeper {
 public:
  SessionOpener Opener();

  /// As an operator's shell would; the version rises.
  void Put(const std::string& path, const std::string& data);
  void Remove(const std::string& path);
  /// Empty: there is none.
  std::string Data(const std::string& path) const;
  std::vector<std::string> Children(const std::string& path) const;
  /// All sessions of now are over, and their ephemeral znodes gone.
  void ExpireSessions();
  /// No call is answered any more.
  void SetDown(bool down) { down_ = down; }
  /// Every call blocks until this is taken back.
  void SetSilent(bool silent) { silent_ = silent; }

 private:
  class Session;
  struct Node {
    std::string data;
    int32_t version = 0;
    const Session* owner = nullptr;  // of an ephemeral one
  };
  void End(const Session* session);

  mutable std::mutex mu_;
  std::map<std::string, Node> nodes_;  // guarded by mu_
  std::atomic<int> generation_ = 0;
  std::atomic<bool> down_ = false, silent_ = false;
};

}  // namespace fensi::capture

// A ZooKeeper in memory: znodes, versions, who may do what, ephemeral ones that go with their session, silence, and
// sessions that end.
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <string>

#include "hbase/zookeeper/session.h"

namespace fensi::capture {

/// Outlives its sessions: its end waits for those that a thread which was left behind still has. Thread-safe.
class FakeZooKeeper {
 public:
  ~FakeZooKeeper();

  /// Sessions of a user, as SessionOptions::digest says, or of nobody.
  hbase::SessionOpener Opener(const std::string& digest = "");

  /// As an operator's shell would; the version rises. A new one is everybody's.
  void Put(const std::string& path, const std::string& data);
  void SetGrants(const std::string& path, const std::vector<hbase::Grant>& grants);
  std::vector<hbase::Grant> Grants(const std::string& path) const;
  void Remove(const std::string& path);
  /// Empty: there is none.
  std::string Data(const std::string& path) const;
  std::vector<std::string> Children(const std::string& path) const;
  /// All sessions of now are over, and their ephemeral znodes gone.
  void ExpireSessions();
  /// What sessions that begin from now on are told, whatever they ask for.
  void SetSessionTimeout(std::chrono::milliseconds timeout) { session_timeout_ = timeout; }
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
    std::vector<hbase::Grant> grants{{"world", "anyone", hbase::kEverything}};
  };
  void End(const Session* session);
  /// Somebody is about to have a session, or has given it up.
  void Enter();
  void Leave();
  /// Of one who has locked mu_; a node that is missing forbids nothing.
  bool May(const Session& session, int permission, const std::string& path) const;

  mutable std::mutex mu_;
  std::condition_variable left_;
  int users_ = 0;                      // guarded by mu_
  std::map<std::string, Node> nodes_;  // guarded by mu_
  std::atomic<int> generation_ = 0;
  std::atomic<bool> down_ = false, silent_ = false;
  std::atomic<std::chrono::milliseconds> session_timeout_{std::chrono::milliseconds(100)};
};

}  // namespace fensi::capture

#include "tests/capture/zookeeper/fake_zookeeper.h"

#include <thread>

namespace fensi::capture {

class FakeZooKeeper::Session final : public ZooKeeperSession {
 public:
  explicit Session(FakeZooKeeper* server) : server_(server), generation_(server->generation_) {}
  ~Session() override { server_->End(this); }

  bool expired() const override { return generation_ != server_->generation_; }

  Result<std::optional<Znode>> Get(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const auto node = server_->nodes_.find(path);
    if (node == server_->nodes_.end()) return std::optional<Znode>();
    return std::optional<Znode>({node->second.data, node->second.version});
  }
  Result<std::vector<std::string>> Children(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    return server_->Children(path);
  }
  Status Create(const std::string& path, const std::string& data, bool ephemeral) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const std::string parent = path.substr(0, path.rfind('/'));
    if (!parent.empty() && !server_->nodes_.contains(parent)) return Status(StatusCode::kNotFound, "no node");
    const bool made = server_->nodes_.emplace(path, Node{data, 0, ephemeral ? this : nullptr}).second;
    return made ? Status() : Status(StatusCode::kAlreadyExists, "node exists");
  }
  Status Set(const std::string& path, const std::string& data, int32_t version) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const auto node = server_->nodes_.find(path);
    if (node == server_->nodes_.end()) return Status(StatusCode::kNotFound, "no node");
    if (node->second.version != version) return Status(StatusCode::kAlreadyExists, "bad version");
    node->second.data = data;
    ++node->second.version;
    return Status();
  }
  Status Delete(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    server_->Remove(path);
    return Status();
  }

 private:
  Status Reach() const {
    while (server_->silent_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (expired()) return Status(StatusCode::kUnavailable, "session expired");
    return server_->down_ ? Status(StatusCode::kUnavailable, "connection loss") : Status();
  }

  FakeZooKeeper* const server_;
  const int generation_;
};

SessionOpener FakeZooKeeper::Opener() {
  return [this]() -> Result<std::unique_ptr<ZooKeeperSession>> {
    while (silent_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (down_) return Status(StatusCode::kUnavailable, "ZooKeeper cannot be reached");
    return std::unique_ptr<ZooKeeperSession>(std::make_unique<Session>(this));
  };
}

void FakeZooKeeper::End(const Session* session) {
  const std::lock_guard lock(mu_);
  std::erase_if(nodes_, [session](const auto& node) { return node.second.owner == session; });
}

void FakeZooKeeper::ExpireSessions() {
  const std::lock_guard lock(mu_);
  ++generation_;
  std::erase_if(nodes_, [](const auto& node) { return node.second.owner != nullptr; });
}

void FakeZooKeeper::Put(const std::string& path, const std::string& data) {
  const std::lock_guard lock(mu_);
  Node& node = nodes_[path];
  node.data = data;
  ++node.version;
}

void FakeZooKeeper::Remove(const std::string& path) {
  const std::lock_guard lock(mu_);
  nodes_.erase(path);
}

std::string FakeZooKeeper::Data(const std::string& path) const {
  const std::lock_guard lock(mu_);
  const auto node = nodes_.find(path);
  return node == nodes_.end() ? "" : node->second.data;
}

std::vector<std::string> FakeZooKeeper::Children(const std::string& path) const {
  const std::lock_guard lock(mu_);
  std::vector<std::string> children;
  const std::string prefix = path + "/";
  for (const auto& [name, node] : nodes_) {
    if (name.starts_with(prefix) && name.find('/', prefix.size()) == std::string::npos) {
      children.push_back(name.substr(prefix.size()));
    }
  }
  return children;
}

}  // namespace fensi::capture

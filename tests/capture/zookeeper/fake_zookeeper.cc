#include "tests/capture/zookeeper/fake_zookeeper.h"

#include <algorithm>
#include <thread>

namespace fensi::capture {
namespace {

constexpr int kWriteGrant = 2, kCreateGrant = 4, kDeleteGrant = 8;

std::string ParentOf(const std::string& path) { return path.substr(0, path.rfind('/')); }
Status NotAllowed() { return Status(StatusCode::kPermission, "not authenticated"); }

}  // namespace

class FakeZooKeeper::Session final : public hbase::ZooKeeperSession {
 public:
  Session(FakeZooKeeper* server, const std::string& digest)
      : server_(server),
        generation_(server->generation_),
        timeout_(server->session_timeout_),
        user_(digest.empty() ? "" : hbase::DigestId(digest)) {}
  ~Session() override { server_->End(this); }

  bool expired() const override { return generation_ != server_->generation_; }
  std::chrono::milliseconds timeout() const override { return timeout_; }

  Result<std::optional<hbase::Znode>> Get(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const auto node = server_->nodes_.find(path);
    if (node == server_->nodes_.end()) return std::optional<hbase::Znode>();
    if (!server_->May(*this, hbase::kReadGrant, path)) return NotAllowed();
    return std::optional<hbase::Znode>({node->second.data, node->second.version});
  }
  Result<std::vector<std::string>> Children(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    return server_->Children(path);
  }
  Status Create(const std::string& path, const std::string& data, const hbase::ZnodeKind& kind) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const std::string parent = ParentOf(path);
    if (!parent.empty() && !server_->nodes_.contains(parent)) return Status(StatusCode::kNotFound, "no node");
    if (!server_->May(*this, kCreateGrant, parent)) return NotAllowed();
    Node node{data, 0, kind.ephemeral ? this : nullptr};
    if (!user_.empty()) node.grants = {{"digest", user_, hbase::kEverything}};
    if (!user_.empty() && kind.sight == hbase::Sight::kAnybodys)
      node.grants.push_back({"world", "anyone", hbase::kReadGrant});
    const bool made = server_->nodes_.emplace(path, std::move(node)).second;
    return made ? Status() : Status(StatusCode::kAlreadyExists, "node exists");
  }
  Status Set(const std::string& path, const std::string& data, int32_t version) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const auto node = server_->nodes_.find(path);
    if (node == server_->nodes_.end()) return Status(StatusCode::kNotFound, "no node");
    if (!server_->May(*this, kWriteGrant, path)) return NotAllowed();
    if (node->second.version != version) return Status(StatusCode::kAlreadyExists, "bad version");
    node->second.data = data;
    ++node->second.version;
    return Status();
  }
  Status Delete(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    if (!server_->nodes_.contains(path)) return Status();
    if (!server_->May(*this, kDeleteGrant, ParentOf(path))) return NotAllowed();
    server_->nodes_.erase(path);
    return Status();
  }
  Result<std::vector<hbase::Grant>> Grants(const std::string& path) override {
    FENSI_RETURN_IF_ERROR(Reach());
    const std::lock_guard lock(server_->mu_);
    const auto node = server_->nodes_.find(path);
    if (node == server_->nodes_.end()) return Status(StatusCode::kNotFound, "no node");
    if (!server_->May(*this, hbase::kReadGrant, path)) return NotAllowed();
    return node->second.grants;
  }
  const std::string& user() const { return user_; }

 private:
  Status Reach() const {
    while (server_->silent_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (expired()) return Status(StatusCode::kUnavailable, "session expired");
    return server_->down_ ? Status(StatusCode::kUnavailable, "connection loss") : Status();
  }

  FakeZooKeeper* const server_;
  const int generation_;
  const std::chrono::milliseconds timeout_;
  const std::string user_;
};

hbase::SessionOpener FakeZooKeeper::Opener(const std::string& digest) {
  return [this, digest]() -> Result<std::unique_ptr<hbase::ZooKeeperSession>> {
    Enter();
    while (silent_) std::this_thread::sleep_for(std::chrono::milliseconds(5));
    if (down_) {
      Leave();
      return Status(StatusCode::kUnavailable, "ZooKeeper cannot be reached");
    }
    return std::unique_ptr<hbase::ZooKeeperSession>(std::make_unique<Session>(this, digest));
  };
}

FakeZooKeeper::~FakeZooKeeper() {
  std::unique_lock lock(mu_);
  left_.wait_for(lock, std::chrono::minutes(1), [this] { return users_ == 0; });
}

void FakeZooKeeper::Enter() {
  const std::lock_guard lock(mu_);
  ++users_;
}

void FakeZooKeeper::Leave() {
  const std::lock_guard lock(mu_);
  --users_;
  left_.notify_all();
}

void FakeZooKeeper::End(const Session* session) {
  {
    const std::lock_guard lock(mu_);
    std::erase_if(nodes_, [session](const auto& node) { return node.second.owner == session; });
  }
  Leave();
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

bool FakeZooKeeper::May(const Session& session, int permission, const std::string& path) const {
  const auto node = nodes_.find(path);
  if (node == nodes_.end()) return true;
  return std::any_of(node->second.grants.begin(), node->second.grants.end(), [&](const hbase::Grant& grant) {
    const bool meant = grant.scheme == "world" || (grant.scheme == "digest" && grant.id == session.user());
    return meant && (grant.permissions & permission) != 0;
  });
}

void FakeZooKeeper::SetGrants(const std::string& path, const std::vector<hbase::Grant>& grants) {
  const std::lock_guard lock(mu_);
  nodes_[path].grants = grants;
}

std::vector<hbase::Grant> FakeZooKeeper::Grants(const std::string& path) const {
  const std::lock_guard lock(mu_);
  const auto node = nodes_.find(path);
  return node == nodes_.end() ? std::vector<hbase::Grant>() : node->second.grants;
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

#include "hbase/zookeeper/session.h"

#include <zookeeper/zookeeper.h>

#include <algorithm>

#include "base/mutex.h"

namespace fensi::hbase {
namespace {

// HBase's znodes hold some hundred bytes; ZooKeeper's own limit is 1 MB.
constexpr int kMaxDataBytes = 1 << 20;

StatusCode CodeOf(int error) {
  switch (error) {
    case ZNONODE:
      return StatusCode::kNotFound;
    case ZNODEEXISTS:
    case ZBADVERSION:
      return StatusCode::kAlreadyExists;
    case ZNOAUTH:
    case ZAUTHFAILED:
      return StatusCode::kPermission;
    case ZCONNECTIONLOSS:
    case ZOPERATIONTIMEOUT:
    case ZSESSIONEXPIRED:
    case ZSESSIONMOVED:
    case ZCLOSING:
    case ZINVALIDSTATE:
      return StatusCode::kUnavailable;
    case ZSESSIONCLOSEDREQUIRESASLAUTH:
      return StatusCode::kConfiguration;
    default:
      return StatusCode::kInternal;
  }
}

/// The remedy for a person; empty: the error says everything.
const char* RemedyOf(int error) {
  if (error == ZNOAUTH)
    return ". Only another user of ZooKeeper may do this. For a znode of fensi, give the login of that user with "
           "--zookeeper_auth_file";
  if (error == ZSESSIONCLOSEDREQUIRESASLAUTH) {
    return ". ZooKeeper requires SASL, which fensi does not support. Check sessionRequireClientSASLAuth and "
           "enforce.auth.schemes in the configuration of ZooKeeper";
  }
  return "";
}

/// Gives back the ACL's memory.
struct HeldAcl {
  ACL_vector acl{};
  ~HeldAcl() { deallocate_ACL_vector(&acl); }
};

/// The only place that calls ZooKeeper's client library.
class ClientSession final : public ZooKeeperSession {
 public:
  explicit ClientSession(const SessionOptions& options) : hosts_(options.hosts), digest_(options.digest) {}
  ~ClientSession() override {
    if (handle_ != nullptr) zookeeper_close(handle_);
  }

  Status Open(std::chrono::milliseconds session_timeout, std::chrono::milliseconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    zoo_set_debug_level(static_cast<ZooLogLevel>(0));  // what matters comes back as errors
    handle_ = zookeeper_init(hosts_.c_str(), &Watch, static_cast<int>(session_timeout.count()), nullptr, this, 0);
    if (handle_ == nullptr) {
      // The client library resolves the names here. Its errno does not say whether a name is wrong or DNS is down.
      return Status(StatusCode::kUnavailable, "the names of the ZooKeeper servers '" + hosts_ +
                                                  "' cannot be resolved; check the names, and DNS on this host");
    }
    MutexLock lock(mu_);
    const bool connected = changed_.wait_until(
        lock, deadline, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return state_ == ZOO_CONNECTED_STATE; });
    if (!connected)
      return Status(StatusCode::kUnavailable,
                    "ZooKeeper at " + hosts_ + " cannot be reached; check that it runs and that the address is right");
    lock.unlock();
    return digest_.empty() ? Status() : SayWho(deadline);
  }

  bool expired() const override {
    const MutexLock lock(mu_);
    return state_ == ZOO_EXPIRED_SESSION_STATE || state_ == ZOO_AUTH_FAILED_STATE;
  }

  std::chrono::milliseconds timeout() const override { return std::chrono::milliseconds(zoo_recv_timeout(handle_)); }

  Result<std::optional<Znode>> Get(const std::string& path) override {
    Znode node{.data = std::string(kMaxDataBytes, '\0')};
    int length = kMaxDataBytes;
    struct Stat stat {};
    const int error = zoo_get(handle_, path.c_str(), 0, node.data.data(), &length, &stat);
    if (error == ZNONODE) return std::optional<Znode>();
    FENSI_RETURN_IF_ERROR(StatusOf(error, "reading " + path));
    node.data.resize(static_cast<size_t>(std::max(0, length)));
    node.version = stat.version;
    return std::optional<Znode>(std::move(node));
  }

  Result<std::vector<std::string>> Children(const std::string& path) override {
    String_vector names{};
    const int error = zoo_get_children(handle_, path.c_str(), 0, &names);
    FENSI_RETURN_IF_ERROR(StatusOf(error, "listing " + path));
    // The library does not check what the server sends.
    std::vector<std::string> children;
    bool whole = names.count >= 0 && (names.data != nullptr || names.count == 0);
    for (int32_t i = 0; whole && i < names.count; ++i) {
      whole = names.data[i] != nullptr;
      if (whole) children.emplace_back(names.data[i]);
    }
    if (!whole) return Status(StatusCode::kUnavailable, "listing " + path + ": ZooKeeper's answer has no such names");
    deallocate_String_vector(&names);
    return children;
  }

  Status Create(const std::string& path, const std::string& data, const ZnodeKind& kind) override {
    ACL ours[] = {{ZOO_PERM_ALL, ZOO_AUTH_IDS}, {ZOO_PERM_READ, ZOO_ANYONE_ID_UNSAFE}};
    const ACL_vector closed{kind.sight == Sight::kAnybodys ? 2 : 1, ours};
    const int error = zoo_create(handle_, path.c_str(), data.data(), static_cast<int>(data.size()),
                                 digest_.empty() ? &ZOO_OPEN_ACL_UNSAFE : &closed,
                                 kind.ephemeral ? ZOO_EPHEMERAL : ZOO_PERSISTENT, nullptr, 0);
    return StatusOf(error, "creating " + path);
  }

  Status Set(const std::string& path, const std::string& data, int32_t version) override {
    const int error = zoo_set(handle_, path.c_str(), data.data(), static_cast<int>(data.size()), version);
    return StatusOf(error, "writing " + path);
  }

  Status Delete(const std::string& path) override {
    const int error = zoo_delete(handle_, path.c_str(), -1);
    return error == ZNONODE ? Status() : StatusOf(error, "deleting " + path);
  }

  Result<std::vector<Grant>> Grants(const std::string& path) override {
    HeldAcl held;
    struct Stat stat {};
    FENSI_RETURN_IF_ERROR(
        StatusOf(zoo_get_acl(handle_, path.c_str(), &held.acl, &stat), "reading the permissions of " + path));
    std::vector<Grant> grants;
    for (int i = 0; i < held.acl.count; ++i) {
      const ACL& acl = held.acl.data[i];
      grants.push_back({acl.id.scheme, acl.id.id, acl.perms});
    }
    return grants;
  }

 private:
  /// Blocks until ZooKeeper has taken user and password. The client says them again after each reconnect.
  Status SayWho(std::chrono::steady_clock::time_point deadline) {
    const int asked = zoo_add_auth(handle_, "digest", digest_.data(), static_cast<int>(digest_.size()), &Known, this);
    FENSI_RETURN_IF_ERROR(StatusOf(asked, "logging in"));
    MutexLock lock(mu_);
    if (changed_.wait_until(lock, deadline,
                            [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) { return known_.has_value(); })) {
      return StatusOf(*known_, "logging in");
    }
    return Status(StatusCode::kUnavailable,
                  "ZooKeeper at " + hosts_ +
                      " did not answer the login of --zookeeper_auth_file in time. Check "
                      "that ZooKeeper has a leader ('echo srvr | nc HOST 2181'), then run the "
                      "command again");
  }

  static void Known(int error, const void* context) {
    auto* self = static_cast<ClientSession*>(const_cast<void*>(context));
    const MutexLock lock(self->mu_);
    self->known_ = error;
    self->changed_.notify_all();
  }

  Status StatusOf(int error, const std::string& what) const {
    if (error == ZOK) return Status();
    return Status(CodeOf(error), "ZooKeeper at " + hosts_ + ": " + what + ": " + zerror(error) + RemedyOf(error));
  }

  static void Watch(zhandle_t*, int type, int state, const char*, void* context) {
    if (type != ZOO_SESSION_EVENT) return;
    auto* self = static_cast<ClientSession*>(context);
    const MutexLock lock(self->mu_);
    self->state_ = state;
    self->changed_.notify_all();
  }

  const std::string hosts_;
  const std::string digest_;
  zhandle_t* handle_ = nullptr;
  mutable Mutex mu_;
  Condition changed_;
  int state_ ABSL_GUARDED_BY(mu_) = 0;
  std::optional<int> known_ ABSL_GUARDED_BY(mu_);  // what came of saying who we are
};

bool Exists(ZooKeeperSession* session, const std::string& path) {
  const auto node = session->Get(path);
  return node.ok() && node->has_value();
}

}  // namespace

Status CreatePath(ZooKeeperSession* session, const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const std::string node = path.substr(0, slash);
    const Status made = session->Create(node, "", {});
    // A user without the right to create it may not learn that it exists.
    const bool there = made.code() == StatusCode::kPermission && Exists(session, node);
    if (!made.ok() && made.code() != StatusCode::kAlreadyExists && !there) return made;
    if (slash == std::string::npos) return Status();
  }
}

Result<std::unique_ptr<ZooKeeperSession>> OpenZooKeeper(const SessionOptions& options) {
  auto session = std::make_unique<ClientSession>(options);
  FENSI_RETURN_IF_ERROR(session->Open(options.session_timeout, options.connect_timeout));
  return std::unique_ptr<ZooKeeperSession>(std::move(session));
}

}  // namespace fensi::hbase

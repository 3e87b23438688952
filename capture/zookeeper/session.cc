#include "capture/zookeeper/session.h"

#include <zookeeper/zookeeper.h>

#include <algorithm>
#include <condition_variable>
#include <mutex>

namespace fensi::capture {
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
    default:
      return StatusCode::kInternal;
  }
}

/// The only place that calls ZooKeeper's client library.
class ClientSession final : public ZooKeeperSession {
 public:
  explicit ClientSession(std::string hosts) : hosts_(std::move(hosts)) {}
  ~ClientSession() override {
    if (handle_ != nullptr) zookeeper_close(handle_);
  }

  Status Open(std::chrono::milliseconds session_timeout, std::chrono::milliseconds timeout) {
    zoo_set_debug_level(static_cast<ZooLogLevel>(0));  // what matters comes back as errors
    handle_ = zookeeper_init(hosts_.c_str(), &Watch, static_cast<int>(session_timeout.count()), nullptr, this, 0);
    if (handle_ == nullptr) return Status(StatusCode::kInvalidArgument, "'" + hosts_ + "' names no ZooKeeper servers");
    std::unique_lock lock(mu_);
    const bool connected = changed_.wait_for(lock, timeout, [this] { return state_ == ZOO_CONNECTED_STATE; });
    if (connected) return Status();
    return Status(StatusCode::kUnavailable, "ZooKeeper at " + hosts_ + " cannot be reached");
  }

  bool expired() const override {
    const std::lock_guard lock(mu_);
    return state_ == ZOO_EXPIRED_SESSION_STATE || state_ == ZOO_AUTH_FAILED_STATE;
  }

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
    std::vector<std::string> children(names.data, names.data + names.count);
    deallocate_String_vector(&names);
    return children;
  }

  Status Create(const std::string& path, const std::string& data, bool ephemeral) override {
    const int error = zoo_create(handle_, path.c_str(), data.data(), static_cast<int>(data.size()),
                                 &ZOO_OPEN_ACL_UNSAFE, ephemeral ? ZOO_EPHEMERAL : ZOO_PERSISTENT, nullptr, 0);
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

 private:
  Status StatusOf(int error, const std::string& what) const {
    if (error == ZOK) return Status();
    return Status(CodeOf(error), "ZooKeeper at " + hosts_ + ": " + what + ": " + zerror(error));
  }

  static void Watch(zhandle_t*, int type, int state, const char*, void* context) {
    if (type != ZOO_SESSION_EVENT) return;
    auto* self = static_cast<ClientSession*>(context);
    const std::lock_guard lock(self->mu_);
    self->state_ = state;
    self->changed_.notify_all();
  }

  const std::string hosts_;
  zhandle_t* handle_ = nullptr;
  mutable std::mutex mu_;
  std::condition_variable changed_;
  int state_ = 0;  // guarded by mu_
};

}  // namespace

Status CreatePath(ZooKeeperSession* session, const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const Status made = session->Create(path.substr(0, slash), "", false);
    if (!made.ok() && made.code() != StatusCode::kAlreadyExists) return made;
    if (slash == std::string::npos) return Status();
  }
}

Result<std::unique_ptr<ZooKeeperSession>> OpenZooKeeper(const std::string& hosts,
                                                        std::chrono::milliseconds session_timeout,
                                                        std::chrono::milliseconds timeout) {
  auto session = std::make_unique<ClientSession>(hosts);
  FENSI_RETURN_IF_ERROR(session->Open(session_timeout, timeout));
  return std::unique_ptr<ZooKeeperSession>(std::move(session));
}

}  // namespace fensi::capture

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

}  // namespace

class ZooKeeperSession::Impl {
 public:
  explicit Impl(std::string hosts) : hosts_(std::move(hosts)) {}
  ~Impl() {
    if (handle_ != nullptr) zookeeper_close(handle_);
  }

  Status Open(std::chrono::milliseconds session_timeout, std::chrono::milliseconds patience) {
    zoo_set_debug_level(static_cast<ZooLogLevel>(0));  // what matters comes back as errors
    handle_ = zookeeper_init(hosts_.c_str(), &Impl::Watch, static_cast<int>(session_timeout.count()), nullptr, this, 0);
    if (handle_ == nullptr) return Status(StatusCode::kInvalidArgument, "'" + hosts_ + "' names no ZooKeeper servers");
    std::unique_lock lock(mu_);
    const bool connected = changed_.wait_for(lock, patience, [this] { return state_ == ZOO_CONNECTED_STATE; });
    if (connected) return Status();
    return Status(StatusCode::kUnavailable, "ZooKeeper at " + hosts_ + " cannot be reached");
  }

  Status StatusOf(int error, const std::string& what) const {
    if (error == ZOK) return Status();
    return Status(CodeOf(error), "ZooKeeper at " + hosts_ + ": " + what + ": " + zerror(error));
  }

  zhandle_t* handle() const { return handle_; }
  bool expired() const {
    const std::lock_guard lock(mu_);
    return state_ == ZOO_EXPIRED_SESSION_STATE || state_ == ZOO_AUTH_FAILED_STATE;
  }

 private:
  static void Watch(zhandle_t*, int type, int state, const char*, void* context) {
    if (type != ZOO_SESSION_EVENT) return;
    auto* self = static_cast<Impl*>(context);
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

Result<std::unique_ptr<ZooKeeperSession>> ZooKeeperSession::Open(const std::string& hosts,
                                                                 std::chrono::milliseconds session_timeout,
                                                                 std::chrono::milliseconds patience) {
  auto impl = std::make_unique<Impl>(hosts);
  FENSI_RETURN_IF_ERROR(impl->Open(session_timeout, patience));
  return std::unique_ptr<ZooKeeperSession>(new ZooKeeperSession(std::move(impl)));
}

ZooKeeperSession::ZooKeeperSession(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
ZooKeeperSession::~ZooKeeperSession() = default;
bool ZooKeeperSession::expired() const { return impl_->expired(); }

Result<std::optional<std::string>> ZooKeeperSession::Get(const std::string& path) {
  std::string data(kMaxDataBytes, '\0');
  int length = kMaxDataBytes;
  const int error = zoo_get(impl_->handle(), path.c_str(), 0, data.data(), &length, nullptr);
  if (error == ZNONODE) return std::optional<std::string>();
  FENSI_RETURN_IF_ERROR(impl_->StatusOf(error, "reading " + path));
  data.resize(static_cast<size_t>(std::max(0, length)));
  return std::optional<std::string>(data);
}

Result<std::vector<std::string>> ZooKeeperSession::Children(const std::string& path) {
  String_vector names{};
  const int error = zoo_get_children(impl_->handle(), path.c_str(), 0, &names);
  FENSI_RETURN_IF_ERROR(impl_->StatusOf(error, "listing " + path));
  std::vector<std::string> children(names.data, names.data + names.count);
  deallocate_String_vector(&names);
  return children;
}

Status ZooKeeperSession::Create(const std::string& path, const std::string& data, bool ephemeral) {
  const int error = zoo_create(impl_->handle(), path.c_str(), data.data(), static_cast<int>(data.size()),
                               &ZOO_OPEN_ACL_UNSAFE, ephemeral ? ZOO_EPHEMERAL : ZOO_PERSISTENT, nullptr, 0);
  return impl_->StatusOf(error, "creating " + path);
}

Status ZooKeeperSession::CreatePath(const std::string& path) {
  for (size_t slash = path.find('/', 1);; slash = path.find('/', slash + 1)) {
    const Status made = Create(path.substr(0, slash), "", false);
    if (!made.ok() && made.code() != StatusCode::kAlreadyExists) return made;
    if (slash == std::string::npos) return Status();
  }
}

Status ZooKeeperSession::Set(const std::string& path, const std::string& data) {
  const int error = zoo_set(impl_->handle(), path.c_str(), data.data(), static_cast<int>(data.size()), -1);
  return impl_->StatusOf(error, "writing " + path);
}

Status ZooKeeperSession::Delete(const std::string& path) {
  const int error = zoo_delete(impl_->handle(), path.c_str(), -1);
  return error == ZNONODE ? Status() : impl_->StatusOf(error, "deleting " + path);
}

}  // namespace fensi::capture

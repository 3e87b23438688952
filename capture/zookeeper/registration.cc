#include "capture/zookeeper/registration.h"

#include <algorithm>
#include <condition_variable>
#include <mutex>
#include <thread>

#include "base/bytes.h"
#include "capture/zookeeper/cluster_id.h"
#include "capture/zookeeper/session.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookPause{1'000};

/// "host,port," in front of the start code of a server's znode.
std::string PlaceOf(const std::string& host, uint16_t port) { return host + "," + std::to_string(port) + ","; }

}  // namespace

class Registration::Impl {
 public:
  Impl(const RegistrationOptions& options, Notices notices, Clock* clock)
      : options_(options), notices_(std::move(notices)), clock_(clock) {}
  ~Impl() { Stop(); }

  Status Start() {
    FENSI_RETURN_IF_ERROR(Register());
    keeper_ = std::thread([this] { Keep(); });
    return Status();
  }

  void Stop() {
    {
      const std::lock_guard lock(mu_);
      stopping_ = true;
    }
    changed_.notify_all();
    if (keeper_.joinable()) keeper_.join();
    session_.reset();
  }

  std::string trouble() const {
    const std::lock_guard lock(mu_);
    return trouble_;
  }

 private:
  std::string Path(const std::string& below) const { return options_.root + "/" + below; }

  /// A new session and all znodes.
  Status Register() {
    session_.reset();
    auto session = ZooKeeperSession::Open(options_.zookeeper, options_.session_timeout, options_.connect_timeout);
    if (!session.ok()) return session.status();
    session_ = std::move(*session);
    FENSI_RETURN_IF_ERROR(session_->CreatePath(Path("rs")));
    FENSI_RETURN_IF_ERROR(ClaimRoot());
    FENSI_RETURN_IF_ERROR(RemoveFormerSelf());
    FENSI_RETURN_IF_ERROR(AgreeOnPurpose());
    const std::string start_code = std::to_string(clock_->WallMillis());
    nodes_.clear();
    for (const uint16_t port : options_.ports) {
      nodes_.push_back(Path("rs/" + PlaceOf(options_.host, port) + start_code));
      FENSI_RETURN_IF_ERROR(session_->Create(nodes_.back(), "", /*ephemeral=*/true));
    }
    return Status();
  }

  /// The id goes first: a region server that finds the root without it waits longer and longer.
  Status ClaimRoot() {
    const std::string path = Path("hbaseid");
    const std::string wanted = ClusterIdData(PeerUuid(options_.root));
    const Status made = session_->Create(path, wanted, /*ephemeral=*/false);
    if (made.code() != StatusCode::kAlreadyExists) return made;
    const Result<std::optional<std::string>> found = session_->Get(path);
    if (!found.ok()) return found.status();
    if (*found == wanted) return Status();
    return Status(StatusCode::kConfiguration, "znode " + path + " is not of fensi: " + options_.root +
                                                  " is the root of another cluster; choose another --znode");
  }

  /// Who listens on our port is us: an older znode of it belongs to a process that has died.
  Status RemoveFormerSelf() {
    const Result<std::vector<std::string>> servers = session_->Children(Path("rs"));
    if (!servers.ok()) return servers.status();
    for (const std::string& server : *servers) {
      const auto ours = [&](uint16_t port) { return server.starts_with(PlaceOf(options_.host, port)); };
      if (std::none_of(options_.ports.begin(), options_.ports.end(), ours)) continue;
      FENSI_RETURN_IF_ERROR(session_->Delete(Path("rs/" + server)));
    }
    return Status();
  }

  /// Region servers spread the edits over all captures of a root: with different tables edits would be lost.
  Status AgreeOnPurpose() {
    const std::string path = Path("capture");
    const auto deadline = clock_->SinceBoot() + 2 * options_.session_timeout;
    while (true) {
      const Result<std::optional<std::string>> found = session_->Get(path);
      if (!found.ok()) return found.status();
      if (*found == options_.purpose) return Status();
      const Result<std::vector<std::string>> others = session_->Children(Path("rs"));
      if (!others.ok()) return others.status();
      if (others->empty()) {
        return found->has_value() ? session_->Set(path, options_.purpose)
                                  : session_->Create(path, options_.purpose, /*ephemeral=*/false);
      }
      // The znode of one that was killed goes with its session.
      if (clock_->SinceBoot() > deadline) return Disagreement(found->value_or(""), others->front());
      clock_->Sleep(milliseconds(200));
    }
  }

  Status Disagreement(const std::string& other, const std::string& server) const {
    return Status(StatusCode::kConfiguration, "a capture at " + server + " shares " + options_.root +
                                                  " and does something else: it has \"" + Escape(other) +
                                                  "\", this one \"" + options_.purpose +
                                                  "\"; stop it, or choose another --znode with a peer of its own");
  }

  void Keep() {
    while (Wait(kLookPause)) {
      if (!session_ || session_->expired()) {
        Again("the session with ZooKeeper is lost");
      } else {
        Look();
      }
    }
  }

  void Look() {
    for (const std::string& node : nodes_) {
      const Result<std::optional<std::string>> found = session_->Get(node);
      if (!found.ok()) return Say(found.status().message());
      if (!found->has_value()) return Again("znode " + node + " is gone");
    }
    Say("");
  }

  void Again(const std::string& reason) {
    Say(reason);
    const Status status = Register();
    Say(status.ok() ? "" : status.message());
    if (!status.ok()) session_.reset();
  }

  /// Remembers the trouble, and tells when it changes.
  void Say(const std::string& trouble) {
    {
      const std::lock_guard lock(mu_);
      if (trouble == trouble_) return;
      trouble_ = trouble;
    }
    notices_(trouble.empty() ? Severity::kInfo : Severity::kWarning,
             trouble.empty() ? "registered in ZooKeeper again" : trouble);
  }

  /// False when it is time to stop.
  bool Wait(milliseconds pause) {
    std::unique_lock lock(mu_);
    return !changed_.wait_for(lock, pause, [this] { return stopping_; });
  }

  const RegistrationOptions options_;
  const Notices notices_;
  Clock* const clock_;
  // Start's thread first, then keeper_'s.
  std::unique_ptr<ZooKeeperSession> session_;
  std::vector<std::string> nodes_;
  std::thread keeper_;

  mutable std::mutex mu_;
  std::condition_variable changed_;
  bool stopping_ = false;  // guarded by mu_
  std::string trouble_;    // guarded by mu_
};

Registration::Registration(const RegistrationOptions& options, Notices notices, Clock* clock)
    : impl_(std::make_unique<Impl>(options, std::move(notices), clock)) {}
Registration::~Registration() = default;
Status Registration::Start() { return impl_->Start(); }
void Registration::Stop() { impl_->Stop(); }
std::string Registration::trouble() const { return impl_->trouble(); }

}  // namespace fensi::capture

#include "capture/zookeeper/registration.h"

#include <algorithm>
#include <optional>

#include "base/mutex.h"
#include "capture/zookeeper/cluster_id.h"
#include "capture/zookeeper/root_claim.h"
#include "capture/zookeeper/session_thread.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

constexpr milliseconds kLookPause{1'000};
constexpr milliseconds kAskPause{50};
constexpr milliseconds kPinTimeout{2'000};

}  // namespace

class Registration::Impl {
 public:
  Impl(const RegistrationOptions& options, hbase::SessionOpener open, Notices notices, Clock* clock)
      : options_(options), open_(std::move(open)), notices_(std::move(notices)), clock_(clock) {}

  static Status Start(const std::shared_ptr<Impl>& self, const std::function<bool()>& go_on) {
    self->keeper_.Start([self] { self->Keep(); });
    MutexLock lock(self->mu_);
    while (!self->changed_.wait_for(
        lock, kAskPause, [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(self->mu_) { return self->first_.has_value(); })) {
      lock.unlock();
      const bool on = go_on();
      lock.lock();
      if (!on) return StoppedBeforeRegistration();
    }
    return *self->first_;
  }

  void Stop() {
    {
      const MutexLock lock(mu_);
      stopping_ = true;
      changed_.notify_all();
    }
    keeper_.Stop(options_.stop_timeout);
  }

  std::set<std::string> dropped() const {
    const MutexLock lock(mu_);
    return agreed_.dropped;
  }

  Status CheckSource(const std::string& uuid) {
    MutexLock lock(mu_);
    if (agreed_.source.empty() && disagreement_.empty()) {
      first_source_ = uuid;  // keeper_ remembers it in the root
      changed_.notify_all();
      changed_.wait_for(lock, kPinTimeout, [this]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
        return stopping_ || !agreed_.source.empty() || !disagreement_.empty();
      });
    }
    if (!disagreement_.empty()) return Status(StatusCode::kConfiguration, disagreement_);
    if (!agreed_.source.empty()) return SameSource(agreed_.source, uuid);
    return Status(StatusCode::kUnavailable,
                  "the capture cannot take the first edits of znode " + options_.root +
                      " while ZooKeeper is unreachable, because ZooKeeper must store the id of "
                      "their HBase cluster. The region servers send the edits again");
  }

  ClusterView cluster() const {
    const MutexLock lock(mu_);
    return {PeerUuid(options_.root), servers_};
  }

  std::string trouble() const {
    const MutexLock lock(mu_);
    return trouble_;
  }

 private:
  Status SameSource(const std::string& pinned, const std::string& uuid) const {
    if (pinned == uuid) return Status();
    return Status(StatusCode::kConfiguration,
                  "edits of the HBase cluster " + uuid + " arrive, and znode " + options_.root +
                      " belongs to the HBase cluster " + pinned + ". One stream would mix both clusters. For cluster " +
                      uuid +
                      ", start another capture with another --znode, and name that znode in the CLUSTER_KEY of the "
                      "replication peer");
  }

  /// A new session and all znodes.
  Status Register() {
    session_.reset();
    FENSI_ASSIGN_OR_RETURN(std::unique_ptr<hbase::ZooKeeperSession> session, open_());
    RootClaim claim(options_, session.get(), clock_);
    FENSI_ASSIGN_OR_RETURN(Agreement agreed, claim.Take([this] { return stopping(); }));
    nodes_ = claim.nodes();
    FENSI_RETURN_IF_ERROR(LookAround(&claim));
    nodes_.push_back(options_.root + "/hbaseid");  // without it no region server starts to send
    session_ = std::move(session);
    const MutexLock state(mu_);
    agreed_ = std::move(agreed);
    disagreement_.clear();
    return Status();
  }

  void Keep() {
    const Status first = Register();
    {
      const MutexLock lock(mu_);
      first_ = first;
      changed_.notify_all();
    }
    while (first.ok() && Wait(kLookPause)) {
      if (session_ == nullptr || session_->expired()) {
        Again("the capture has lost its session with ZooKeeper, and registers again by itself");
      } else {
        PinSource();
        Look();
      }
    }
    session_.reset();
  }

  /// The first edits have come, and wait for this.
  void PinSource() {
    std::string uuid;
    {
      const MutexLock lock(mu_);
      if (first_source_.empty() || !agreed_.source.empty()) return;
      uuid = first_source_;
    }
    const Result<std::string> pinned = RootClaim(options_, session_.get(), clock_).PinSource(uuid);
    if (!pinned.ok()) return Say(pinned.status().message());
    const MutexLock lock(mu_);
    agreed_.source = *pinned;
    changed_.notify_all();
  }

  void Look() {
    for (const std::string& node : nodes_) {
      const Result<std::optional<hbase::Znode>> found = session_->Get(node);
      if (!found.ok()) return Say(found.status().message());
      if (!found->has_value()) return Again(GoneText(node));
    }
    RootClaim claim(options_, session_.get(), clock_);
    const Result<bool> same = claim.StillAgreed(agreed());
    if (!same.ok()) return Say(same.status().message());
    if (!*same) return Again("znode " + options_.root + "/capture has changed. The capture registers again by itself");
    Say(LookAround(&claim).message());
  }

  /// Whoever lost its place as master is replaced, and who else is there becomes known.
  Status LookAround(RootClaim* claim) {
    FENSI_RETURN_IF_ERROR(claim->KeepMaster(nodes_.front()));
    FENSI_ASSIGN_OR_RETURN(std::vector<std::string> servers, claim->Servers());
    const MutexLock lock(mu_);
    servers_ = std::move(servers);
    return Status();
  }

  /// Reports a repeated failure once.
  void Again(const std::string& reason) {
    if (session_ != nullptr) Say(reason);
    const Status status = Register();
    if (status.code() == StatusCode::kConfiguration) {
      const MutexLock lock(mu_);
      disagreement_ = status.message();
      changed_.notify_all();
    }
    Say(status.ok() ? "" : status.message());
  }

  /// Remembers the trouble, and tells when it changes.
  void Say(const std::string& trouble) {
    {
      const MutexLock lock(mu_);
      if (trouble == trouble_ || stopping_) return;
      trouble_ = trouble;
    }
    notices_(trouble.empty()
                 ? Notice{NoticeKind::kRegistered, RedactableText("the capture is registered in ZooKeeper again")}
                 : Notice{NoticeKind::kNotRegistered, RedactableText(trouble)});
  }

  Agreement agreed() const {
    const MutexLock lock(mu_);
    return agreed_;
  }

  bool stopping() const {
    const MutexLock lock(mu_);
    return stopping_;
  }

  /// Shorter when the first edits come. False when it is time to stop.
  bool Wait(milliseconds pause) {
    MutexLock lock(mu_);
    const bool asked = !first_source_.empty();
    changed_.wait_for(lock, pause, [&]() ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_) {
      return stopping_ || (!asked && !first_source_.empty());
    });
    return !stopping_;
  }

  const RegistrationOptions options_;
  const hbase::SessionOpener open_;
  const Notices notices_;
  Clock* const clock_;
  SessionThread keeper_;
  // Used by keeper_.
  std::vector<std::string> nodes_;
  std::unique_ptr<hbase::ZooKeeperSession> session_;

  mutable Mutex mu_;
  Condition changed_;
  Agreement agreed_ ABSL_GUARDED_BY(mu_);
  std::string disagreement_ ABSL_GUARDED_BY(mu_);
  std::string first_source_ ABSL_GUARDED_BY(mu_);  // that has asked
  std::vector<std::string> servers_ ABSL_GUARDED_BY(mu_);
  std::optional<Status> first_ ABSL_GUARDED_BY(mu_);
  std::string trouble_ ABSL_GUARDED_BY(mu_);
  bool stopping_ ABSL_GUARDED_BY(mu_) = false;
};

Registration::Registration(const RegistrationOptions& options, hbase::SessionOpener open, Notices notices, Clock* clock)
    : impl_(std::make_shared<Impl>(options, std::move(open), std::move(notices), clock)) {}
Registration::~Registration() { Stop(); }
Status Registration::Start(const std::function<bool()>& go_on) { return Impl::Start(impl_, go_on); }
void Registration::Stop() { impl_->Stop(); }
std::set<std::string> Registration::dropped() const { return impl_->dropped(); }
Status Registration::CheckSource(const std::string& uuid) { return impl_->CheckSource(uuid); }
ClusterView Registration::cluster() const { return impl_->cluster(); }
std::string Registration::trouble() const { return impl_->trouble(); }

}  // namespace fensi::capture

#include "capture/rpc/rpc_server.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <list>
#include <map>
#include <new>
#include <string_view>
#include <thread>

#include "capture/peer_filter.h"
#include "capture/rpc/connection.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// After an accept that failed, mostly for lack of file descriptors.
constexpr std::chrono::milliseconds kAcceptPause{200};
// After a lack of memory.
constexpr std::chrono::milliseconds kMemoryPause{1};
// Log lines per minute about connections and about refusals, which untrusted clients can cause.
constexpr int kConnectionLinesAMinute = 30, kRefusalLinesAMinute = 1;

Status OpenAcceptor(const Endpoint& endpoint, tcp::acceptor* acceptor) {
  const auto fault = [&](const error_code& error) {
    return Status(StatusCode::kConfiguration, "cannot listen on " + endpoint.host + ":" +
                                                  std::to_string(endpoint.port) + ": " + error.message() +
                                                  ". Name another address with --listen");
  };
  error_code error;
  const auto address = boost::asio::ip::make_address(endpoint.host, error);
  if (error) return fault(error);
  const tcp::endpoint place(address, endpoint.port);
  acceptor->open(place.protocol(), error);
  if (error) return fault(error);
  acceptor->set_option(tcp::acceptor::reuse_address(true), error);
  acceptor->bind(place, error);
  if (error) return fault(error);
  acceptor->listen(boost::asio::socket_base::max_listen_connections, error);
  return error ? fault(error) : Status();
}

}  // namespace

/// Everything but construction and Stop's waiting runs on thread_.
class RpcServer::Impl {
 public:
  Impl(const RpcServerOptions& options, PeerFilter filter, CallHandler* handler, Notices notices)
      : work_(boost::asio::make_work_guard(io_)),
        max_bytes_(options.max_bytes),
        max_connections_(options.max_connections),
        max_handshakes_(options.max_handshakes),
        crowd_timeout_(options.crowd_timeout),
        filter_(std::move(filter)),
        refusals_(notices, SystemClock(), kRefusalLinesAMinute),
        context_{io_,
                 {.max_frame_bytes = options.max_frame_bytes,
                  .handshake_timeout = options.handshake_timeout,
                  .stall_timeout = options.stall_timeout,
                  .room_timeout = options.room_timeout,
                  .idle_timeout = options.idle_timeout},
                 FrameBudget(options.max_bytes - std::min(options.max_bytes, options.max_frame_bytes)),
                 handler,
                 options.cluster,
                 {std::move(notices), SystemClock(), kConnectionLinesAMinute},
                 /*tls=*/nullptr,
                 /*kerberos=*/nullptr},
        sweep_timer_(io_),
        stop_timer_(io_) {}

  ~Impl() { Stop(std::chrono::milliseconds(0)); }

  Status Listen(const std::vector<Endpoint>& endpoints) {
    for (const Endpoint& endpoint : endpoints) {
      auto acceptor = std::make_unique<Acceptor>(io_);
      FENSI_RETURN_IF_ERROR(OpenAcceptor(endpoint, &acceptor->socket));
      acceptors_.push_back(std::move(acceptor));
    }
    return Status();
  }

  std::vector<uint16_t> ports() const {
    std::vector<uint16_t> ports;
    for (const auto& acceptor : acceptors_) {
      error_code ignored;
      ports.push_back(acceptor->socket.local_endpoint(ignored).port());
    }
    return ports;
  }

  void Start() {
    started_ = true;
    thread_ = std::thread([this] { Run(); });
  }

  void Stop(std::chrono::milliseconds timeout) {
    if (stopped_) return;
    stopped_ = true;
    PostSurely(io_, [&] { return [this, timeout] { BeginStop(timeout); }; });
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    work_.reset();
    thread_.join();
  }

  Status UseTls(const TlsPems& pems) {
    Result<std::shared_ptr<TlsContext>> tls = TlsContext::Create(pems);
    FENSI_RETURN_IF_ERROR(tls.status());
    boost::asio::post(io_, [this, tls = std::move(*tls)] { context_.tls = tls; });
    return Status();
  }

  /// Before Start.
  Status DemandKerberos(const KerberosOptions& options) {
    FENSI_ASSIGN_OR_RETURN(std::shared_ptr<const KerberosAcceptor> kerberos, KerberosAcceptor::Create(options));
    context_.kerberos = std::move(kerberos);
    return Status();
  }

  int64_t connections() const { return context_.ready_now; }
  int64_t connections_ever() const { return context_.ready_ever; }
  int64_t nameless_ever() const { return context_.nameless_ever; }
  int64_t refused_peers() const { return refused_peers_; }
  int64_t refused_servers() const { return context_.notices.counts()[static_cast<size_t>(NoticeKind::kServerRefused)]; }
  size_t held_bytes() const { return context_.budget.used(); }
  size_t held_limit() const { return max_bytes_; }

 private:
  void Run() {
    while (true) {
      try {
        Rearm();
        io_.run();
        return;
      } catch (const std::bad_alloc&) {
        // One step is lost: of a connection, whose timeouts end it, or a repeated one.
        std::this_thread::sleep_for(kMemoryPause);
      }
    }
  }

  /// Restarts every wait for a connection or a check that is not running.
  void Rearm() {
    if (stop_due_) return FinishAll();
    if (!started_ || stopping_) return;
    for (const auto& acceptor : acceptors_) {
      if (!acceptor->armed) Accept(acceptor.get());
    }
    if (!sweeping_) Sweep();
  }

  struct Acceptor {
    explicit Acceptor(boost::asio::io_context& io) : socket(io), pause(io) {}
    tcp::acceptor socket;
    Timer pause;
    bool armed = false;
  };

  void Accept(Acceptor* acceptor) {
    acceptor->socket.async_accept([this, acceptor](error_code error, tcp::socket socket) {
      acceptor->armed = false;
      if (!acceptor->socket.is_open()) return;
      if (error) return PauseAccept(acceptor);
      Accept(acceptor);
      Take(std::move(socket));
    });
    acceptor->armed = true;
  }

  void PauseAccept(Acceptor* acceptor) {
    acceptor->pause.Start(kAcceptPause, [this, acceptor] {
      acceptor->armed = false;
      Accept(acceptor);
    });
    acceptor->armed = true;
  }

  void Take(tcp::socket socket) {
    error_code gone;
    const tcp::endpoint peer = socket.remote_endpoint(gone);
    if (gone) return;
    if (!filter_.Allows(peer.address())) {
      ++refused_peers_;
      return Refuse(peer,
                    "the address is not in --allow_from. If a region server runs there, add the address. The "
                    "capture has refused " +
                        std::to_string(refused_peers_) + " connections so far");
    }
    if (connections_.size() >= max_connections_) {
      return Refuse(
          peer,
          "all " + std::to_string(connections_.size()) +
              " connections of --max_connections are in use. Raise --max_connections, or stop the clients that are "
              "no region servers");
    }
    if (connections_.size() - static_cast<size_t>(context_.ready_now) >= max_handshakes_) CloseOldestUnknown();
    Connections one(1);  // no place without a connection
    const auto place = one.begin();
    const auto connection =
        std::make_shared<Connection>(std::move(socket), &context_, [this, place] { Forget(place); });
    *place = connection;
    connections_.splice(connections_.end(), one);
    connection->Start();
  }

  void Refuse(const tcp::endpoint& peer, const std::string& why) {
    const std::string address = peer.address().to_string();
    refusals_.Tell({.kind = NoticeKind::kConnectionRefused,
                    .words = RedactableText("a connection of " + address + " was refused: " + why),
                    .server = address});
  }

  /// Closes the oldest of the address with the most, so that a client with many loses its own.
  void CloseOldestUnknown() {
    std::map<std::string_view, size_t> unknown;
    for (const auto& connection : connections_) {
      if (!connection->ready()) ++unknown[connection->address()];
    }
    const auto fewer = [](const auto& a, const auto& b) { return a.second < b.second; };
    const auto most = std::max_element(unknown.begin(), unknown.end(), fewer);
    const auto place = std::find_if(connections_.begin(), connections_.end(), [&](const auto& connection) {
      return !connection->ready() && connection->address() == most->first;
    });
    if (place == connections_.end()) return;
    // A share of it: Close() forgets the place. NOLINTNEXTLINE(performance-unnecessary-copy-initialization)
    const std::shared_ptr<Connection> connection = *place;
    connection->Close();
    refusals_.Tell({.kind = NoticeKind::kConnectionClosed,
                    .words = RedactableText("a connection of " + connection->address() +
                                            " was closed for a new one: " + std::to_string(max_handshakes_) +
                                            " connections have not finished their handshake, most of them from this "
                                            "address. If no region server runs there, exclude the address: set "
                                            "--allow_from to the networks of the region servers"),
                    .server = connection->address()});
  }

  /// Room that is held for bytes that do not come is for those who wait.
  void Sweep() {
    sweep_timer_.Start(crowd_timeout_ / 4, [this] {
      sweeping_ = false;
      context_.budget.CloseStalled(crowd_timeout_);
      Sweep();
    });
    sweeping_ = true;
  }

  using Connections = std::list<std::shared_ptr<Connection>>;

  void Forget(Connections::iterator place) {
    connections_.erase(place);
    if (stopping_ && connections_.empty()) stop_timer_.Stop();
  }

  void BeginStop(std::chrono::milliseconds timeout) {
    stopping_ = true;
    sweep_timer_.Stop();
    for (const auto& acceptor : acceptors_) {
      error_code ignored;
      acceptor->socket.close(ignored);
      acceptor->pause.Stop();
    }
    stop_timeout_ = timeout;
    FinishAll();
  }

  /// Again where there was no memory for the timer.
  void FinishAll() {
    stop_due_ = true;
    for (auto place = connections_.begin(); place != connections_.end();) {
      const auto connection = *place++;  // which may forget its place
      connection->Finish();
    }
    if (!connections_.empty()) stop_timer_.Start(stop_timeout_, [this] { CloseAll(); });
    stop_due_ = false;
  }

  void CloseAll() {
    for (auto place = connections_.begin(); place != connections_.end();) {
      const auto connection = *place++;
      connection->Close();
    }
  }

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  const size_t max_bytes_, max_connections_, max_handshakes_;
  const std::chrono::milliseconds crowd_timeout_;
  const PeerFilter filter_;
  NoticeLimit refusals_;
  std::atomic<int64_t> refused_peers_ = 0;
  ConnectionContext context_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  Connections connections_;
  Timer sweep_timer_;
  Timer stop_timer_;
  bool started_ = false;
  bool stopping_ = false;
  bool stop_due_ = false;
  std::chrono::milliseconds stop_timeout_{0};
  bool sweeping_ = false;
  bool stopped_ = false;  // of the caller's threads
  std::thread thread_;
};

Result<std::unique_ptr<RpcServer>> RpcServer::Create(const RpcServerOptions& options, CallHandler* handler,
                                                     Notices notices) {
  FENSI_ASSIGN_OR_RETURN(PeerFilter filter, PeerFilter::Parse(options.allow_from));
  auto impl = std::make_unique<Impl>(options, std::move(filter), handler, std::move(notices));
  FENSI_RETURN_IF_ERROR(impl->Listen(options.endpoints));
  if (options.tls.has_value()) FENSI_RETURN_IF_ERROR(impl->UseTls(*options.tls));
  if (options.kerberos.has_value()) FENSI_RETURN_IF_ERROR(impl->DemandKerberos(*options.kerberos));
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RpcServer::~RpcServer() = default;
std::vector<uint16_t> RpcServer::ports() const { return impl_->ports(); }
void RpcServer::Start() { impl_->Start(); }
void RpcServer::Stop(std::chrono::milliseconds timeout) { impl_->Stop(timeout); }
Status RpcServer::UseTls(const TlsPems& pems) { return impl_->UseTls(pems); }
int64_t RpcServer::connections() const { return impl_->connections(); }
int64_t RpcServer::connections_ever() const { return impl_->connections_ever(); }
int64_t RpcServer::nameless_ever() const { return impl_->nameless_ever(); }
int64_t RpcServer::refused_peers() const { return impl_->refused_peers(); }
int64_t RpcServer::refused_servers() const { return impl_->refused_servers(); }
size_t RpcServer::held_bytes() const { return impl_->held_bytes(); }
size_t RpcServer::held_limit() const { return impl_->held_limit(); }

}  // namespace fensi::capture

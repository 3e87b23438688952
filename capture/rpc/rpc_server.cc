#include "capture/rpc/rpc_server.h"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <list>
#include <new>
#include <thread>

#include "capture/rpc/connection.h"
#include "capture/rpc/peer_filter.h"

namespace fensi::capture {
namespace {

using boost::asio::ip::tcp;
using boost::system::error_code;

// After an accept that failed, mostly for lack of file descriptors.
constexpr std::chrono::milliseconds kAcceptPause{200};
// Of what strangers may write into the log.
constexpr int kConnectionLinesAMinute = 30, kRefusalLinesAMinute = 1;

Status OpenAcceptor(const Endpoint& endpoint, tcp::acceptor* acceptor) {
  const auto fault = [&](const error_code& error) {
    return Status(StatusCode::kConfiguration,
                  "cannot listen on " + endpoint.host + ":" + std::to_string(endpoint.port) + ": " + error.message());
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
        max_connections_(options.max_connections),
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
                 {std::move(notices), SystemClock(), kConnectionLinesAMinute}},
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
    for (const auto& acceptor : acceptors_) Accept(acceptor.get());
    thread_ = std::thread([this] { Run(); });
  }

  void Stop(std::chrono::milliseconds patience) {
    if (stopped_) return;
    stopped_ = true;
    boost::asio::post(io_, [this, patience] { BeginStop(patience); });
    if (!thread_.joinable()) thread_ = std::thread([this] { Run(); });
    work_.reset();
    thread_.join();
  }

  int64_t connections() const { return context_.ready_now; }
  int64_t connections_ever() const { return context_.ready_ever; }
  int64_t refused_peers() const { return refused_peers_; }

 private:
  void Run() {
    while (true) {
      try {
        io_.run();
        return;
      } catch (const std::bad_alloc&) {
        // One step of one connection is lost; its timeouts end it.
      }
    }
  }

  struct Acceptor {
    explicit Acceptor(boost::asio::io_context& io) : socket(io), pause(io) {}
    tcp::acceptor socket;
    boost::asio::steady_timer pause;
  };

  void Accept(Acceptor* acceptor) {
    acceptor->socket.async_accept([this, acceptor](error_code error, tcp::socket socket) {
      if (!acceptor->socket.is_open()) return;
      if (!error) {
        Take(std::move(socket));
        return Accept(acceptor);
      }
      acceptor->pause.expires_after(kAcceptPause);
      acceptor->pause.async_wait([this, acceptor](error_code cancelled) {
        if (!cancelled) Accept(acceptor);
      });
    });
  }

  void Take(tcp::socket socket) {
    error_code gone;
    const tcp::endpoint peer = socket.remote_endpoint(gone);
    if (gone) return;
    if (!filter_.Allows(peer.address())) {
      ++refused_peers_;
      return refusals_.Tell(Severity::kWarning, "a connection of " + peer.address().to_string() +
                                                    " was refused: --allow_from does not name it; " +
                                                    std::to_string(refused_peers_) + " so far");
    }
    if (connections_.size() >= max_connections_) {
      return refusals_.Tell(Severity::kWarning, "a connection of " + peer.address().to_string() +
                                                    " was refused: there are " + std::to_string(connections_.size()) +
                                                    " already (--max_connections)");
    }
    const auto place = connections_.emplace(connections_.end());
    *place = std::make_shared<Connection>(std::move(socket), &context_, [this, place] { Forget(place); });
    (*place)->Start();
  }

  using Connections = std::list<std::shared_ptr<Connection>>;

  void Forget(Connections::iterator place) {
    connections_.erase(place);
    if (stopping_ && connections_.empty()) stop_timer_.cancel();
  }

  void BeginStop(std::chrono::milliseconds patience) {
    stopping_ = true;
    for (const auto& acceptor : acceptors_) {
      error_code ignored;
      acceptor->socket.close(ignored);
      acceptor->pause.cancel();
    }
    for (const auto& connection : Connections(connections_)) connection->Finish();
    if (connections_.empty()) return;
    stop_timer_.expires_after(patience);
    stop_timer_.async_wait([this](error_code) {
      for (const auto& connection : Connections(connections_)) connection->Close();
      context_.budget.Clear();
    });
  }

  boost::asio::io_context io_;
  boost::asio::executor_work_guard<boost::asio::io_context::executor_type> work_;
  const size_t max_connections_;
  const PeerFilter filter_;
  NoticeLimit refusals_;
  std::atomic<int64_t> refused_peers_ = 0;
  ConnectionContext context_;
  std::vector<std::unique_ptr<Acceptor>> acceptors_;
  Connections connections_;
  boost::asio::steady_timer stop_timer_;
  bool stopping_ = false;
  bool stopped_ = false;  // of the caller's threads
  std::thread thread_;
};

Result<std::unique_ptr<RpcServer>> RpcServer::Create(const RpcServerOptions& options, CallHandler* handler,
                                                     Notices notices) {
  Result<PeerFilter> filter = PeerFilter::Parse(options.allow_from);
  FENSI_RETURN_IF_ERROR(filter.status());
  auto impl = std::make_unique<Impl>(options, std::move(*filter), handler, std::move(notices));
  FENSI_RETURN_IF_ERROR(impl->Listen(options.endpoints));
  return std::unique_ptr<RpcServer>(new RpcServer(std::move(impl)));
}

RpcServer::RpcServer(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
RpcServer::~RpcServer() = default;
std::vector<uint16_t> RpcServer::ports() const { return impl_->ports(); }
void RpcServer::Start() { impl_->Start(); }
void RpcServer::Stop(std::chrono::milliseconds patience) { impl_->Stop(patience); }
int64_t RpcServer::connections() const { return impl_->connections(); }
int64_t RpcServer::connections_ever() const { return impl_->connections_ever(); }
int64_t RpcServer::refused_peers() const { return impl_->refused_peers(); }

}  // namespace fensi::capture

#include "admin/admin_server.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <boost/asio/basic_socket_acceptor.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/local/stream_protocol.hpp>
#include <cerrno>
#include <exception>
#include <filesystem>
#include <optional>
#include <thread>
#include <utility>

#include "admin/address.h"
#include "admin/connection.h"

namespace fensi::admin {
namespace {

namespace asio = boost::asio;
using boost::system::error_code;
using Protocol = asio::generic::stream_protocol;
using Acceptor = asio::basic_socket_acceptor<Protocol>;

constexpr char kFull[] =
    "HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nCache-Control: "
    "no-store\r\n"
    "Content-Length: 69\r\nConnection: close\r\n\r\n{\"error\":\"too many connections are open now: ask "
    "again in a second\"}\n";

/// Which socket a path names: somebody may have put another one there.
std::pair<dev_t, ino_t> SocketAt(const std::string& path) {
  struct stat info {};
  return lstat(path.c_str(), &info) == 0 ? std::pair(info.st_dev, info.st_ino) : std::pair<dev_t, ino_t>();
}

/// A socket that a process left behind, and nobody listens on.
void RemoveLeftOver(const std::string& path) {
  struct stat info {};
  if (lstat(path.c_str(), &info) != 0 || !S_ISSOCK(info.st_mode)) return;
  asio::io_context io;
  asio::local::stream_protocol::socket probe(io);
  error_code error;
  probe.connect(asio::local::stream_protocol::endpoint(path), error);
  if (error == asio::error::connection_refused) unlink(path.c_str());
}

error_code Bind(const Address& address, Acceptor* acceptor) {
  const Protocol::endpoint endpoint = EndpointOf(address);
  error_code error;
  acceptor->open(endpoint.protocol(), error);
  if (!error && address.kind == Address::Kind::kTcp)
    acceptor->set_option(asio::socket_base::reuse_address(true), error);
  // Before it has a name, so that nobody connects in between: the umask takes rights away, and others get none.
  constexpr mode_t kOwnerAndGroup = 0660;
  if (!error && address.kind == Address::Kind::kUnix && fchmod(acceptor->native_handle(), kOwnerAndGroup) != 0) {
    error = error_code(errno, boost::system::system_category());
  }
  if (!error) acceptor->bind(endpoint, error);
  return error;
}

error_code Listen(const Address& address, Acceptor* acceptor) {
  error_code error = Bind(address, acceptor);
  if (!error) acceptor->listen(asio::socket_base::max_listen_connections, error);
  if (error) {
    error_code ignored;
    acceptor->close(ignored);
  }
  return error;
}

/// The error that Bind would have at this path. Creates no socket there, because a client would take it for the server.
error_code CheckPath(const std::string& path) {
  const auto last_error = [] { return error_code(errno, boost::system::system_category()); };
  struct stat info {};
  if (lstat(path.c_str(), &info) == 0) return asio::error::address_in_use;
  if (errno != ENOENT) return last_error();
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return access(folder.empty() ? "." : folder.c_str(), W_OK | X_OK) == 0 ? error_code() : last_error();
}

/// Of port 0 the one that was found.
uint16_t PortOf(const Acceptor& acceptor, uint16_t asked) {
  if (asked != 0) return asked;
  sockaddr_storage storage{};
  socklen_t size = sizeof storage;
  if (getsockname(const_cast<Acceptor&>(acceptor).native_handle(), reinterpret_cast<sockaddr*>(&storage), &size) != 0) {
    return 0;
  }
  return storage.ss_family == AF_INET6 ? ntohs(reinterpret_cast<sockaddr_in6*>(&storage)->sin6_port)
                                       : ntohs(reinterpret_cast<sockaddr_in*>(&storage)->sin_port);
}

fensi::Status CannotListen(const Address& address, const error_code& error) {
  return fensi::Status(StatusCode::kConfiguration, "cannot listen on " + address.Text() + " (--admin): " +
                                                       error.message() + ". Name another address with --admin");
}

AnswersOptions AnswersOf(const ServerOptions& options, const Control* control) {
  AnswersOptions answers = options.answers;
  answers.may_change = control != nullptr;
  answers.secure = options.certificate.has_value();
  return answers;
}

}  // namespace

class Server::Engine {
 public:
  Engine(const StatusSource* source, const ServerOptions& options, Control* control)
      : options_(options), answers_(source, AnswersOf(options, control)), acceptor_(io_) {
    context_.control = control;
    context_.mailbox = std::make_shared<Mailbox>(&io_);
    context_.answers = &answers_;
    context_.timeout = std::chrono::milliseconds(options.timeout_ms);
    context_.most_answer_bytes = options.most_answer_bytes;
  }

  ~Engine() {
    context_.mailbox->Close();
    io_.stop();
    if (thread_.joinable()) thread_.join();
    context_.waiting.clear();
    if (socket_ && SocketAt(address_.host) == *socket_) unlink(address_.host.c_str());
  }

  fensi::Status Start() {
    if (options_.certificate) {
      FENSI_ASSIGN_OR_RETURN(TlsContext tls, ServerTls(*options_.certificate));
      context_.tls = std::move(tls);
    }
    address_ = options_.address;
    if (address_.kind == Address::Kind::kUnix) RemoveLeftOver(address_.host);
    error_code error = Listen(address_, &acceptor_);
    while (error == asio::error::address_in_use && address_.port < options_.last_port) {
      ++address_.port;
      error = Listen(address_, &acceptor_);
    }
    if (error) return CannotListen(options_.address, error);
    if (address_.kind == Address::Kind::kUnix) socket_ = SocketAt(address_.host);
    if (address_.kind == Address::Kind::kTcp) address_.port = PortOf(acceptor_, address_.port);
    Accept();
    thread_ = std::thread([this] { Serve(); });
    return {};
  }

  const Address& address() const { return address_; }

  void SetToken(const std::string& token) {
    context_.mailbox->Post([this, token] { answers_.SetToken(token); });
  }

  fensi::Status UseCertificate(const Certificate& certificate) {
    Result<TlsContext> tls = ServerTls(certificate);
    FENSI_RETURN_IF_ERROR(tls.status());
    context_.mailbox->Post([this, tls = std::move(*tls)] { context_.tls = tls; });
    return {};
  }

 private:
  /// Lack of memory ends what was being done for one client, never the process.
  void Serve() {
    for (;;) {
      try {
        io_.run();
        return;
      } catch (const std::exception&) {
        if (!accepting_) Accept();
      }
    }
  }

  void Accept() {
    accepting_ = true;
    acceptor_.async_accept(io_, [this](const error_code& error, Protocol::socket socket) {
      accepting_ = false;
      if (error == asio::error::operation_aborted) return;
      if (error) {
        // Of no more file descriptors, say: not asked for again in a circle.
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
      } else if (const std::optional<Slot> slot = MakeSlot()) {
        std::make_shared<Connection>(std::move(socket), &context_, *slot)->Start();
      } else if (context_.tls == nullptr) {
        Refuse(std::move(socket));  // else closed: words cannot be said so soon
      }
      Accept();
    });
  }

  /// Who has sent no whole request makes way for who comes, the oldest first. While all others are being answered, some
  /// places are left for probes, so that a busy daemon is not taken for a dead one. Absent: none is free.
  std::optional<Slot> MakeSlot() {
    if (context_.open < options_.most_connections || context_.waiting_for_request[kAnySlot].CloseOldest())
      return kAnySlot;
    const bool free = context_.open < options_.most_connections + options_.probe_connections;
    if (free || context_.waiting_for_request[kProbeSlot].CloseOldest()) return kProbeSlot;
    return std::nullopt;
  }

  /// What it has sent is read, so that its end does not take away our answer.
  static void Refuse(Protocol::socket socket) {
    error_code ignored;
    socket.non_blocking(true, ignored);
    std::array<char, 4096> sent;
    (void)socket.receive(asio::buffer(sent), 0, ignored);
    (void)socket.send(asio::buffer(kFull, sizeof kFull - 1), MSG_NOSIGNAL, ignored);
    socket.shutdown(Protocol::socket::shutdown_send, ignored);
  }

  const ServerOptions options_;
  Answers answers_;            // of its thread
  ConnectionContext context_;  // outlives the connections, which go with io_
  asio::io_context io_{1};
  Acceptor acceptor_;
  Address address_;
  std::optional<std::pair<dev_t, ino_t>> socket_;  // ours, at a path
  bool accepting_ = false;
  std::thread thread_;
};

Server::Server(std::unique_ptr<Engine> engine) : engine_(std::move(engine)) {}
Server::~Server() = default;

const Address& Server::address() const { return engine_->address(); }

fensi::Status Server::CheckCertificate(const Certificate& certificate) { return ServerTls(certificate).status(); }

fensi::Status Server::CheckAddress(const Address& address) {
  error_code error;
  if (address.kind == Address::Kind::kUnix) {
    RemoveLeftOver(address.host);
    error = CheckPath(address.host);
  } else {
    asio::io_context io;
    Acceptor acceptor(io);
    error = Bind(address, &acceptor);
  }
  return error ? CannotListen(address, error) : fensi::Status();
}

fensi::Status Server::UseCertificate(const Certificate& certificate) { return engine_->UseCertificate(certificate); }

void Server::SetToken(const std::string& token) { engine_->SetToken(token); }

Result<std::unique_ptr<Server>> Server::Start(const StatusSource* source, const ServerOptions& options,
                                              Control* control) {
  auto engine = std::make_unique<Engine>(source, options, control);
  FENSI_RETURN_IF_ERROR(engine->Start());
  return std::unique_ptr<Server>(new Server(std::move(engine)));
}

}  // namespace fensi::admin

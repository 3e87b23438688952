// One client of the admin server: request after request, each with its time. Belongs to the server's thread; keeps
// itself alive while something is awaited.
#pragma once

#include <array>
#include <boost/asio/generic/stream_protocol.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/beast/core/basic_stream.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <chrono>
#include <list>
#include <memory>
#include <optional>
#include <set>
#include <utility>

#include "admin/answers.h"
#include "admin/mailbox.h"
#include "admin/tls.h"

namespace fensi::admin {

/// The bytes of one connection between an admin server and a client, plain or in TLS: what Boost.Beast reads from and
/// writes to.
///
/// One read and one write at a time, on one thread. A time that is over (expires_after) ends what is awaited.
class Stream {
 public:
  using Plain = boost::beast::basic_stream<boost::asio::generic::stream_protocol>;
  using Socket = boost::asio::generic::stream_protocol::socket;
  using executor_type = Plain::executor_type;

  /// `tls` is null: plain.
  Stream(Socket socket, TlsContext tls) : context_(std::move(tls)) {
    if (context_ == nullptr) {
      plain_ = std::make_unique<Plain>(std::move(socket));
    } else {
      tls_ = std::make_unique<Tls>(std::move(socket), *context_);
    }
  }

  bool is_tls() const { return tls_ != nullptr; }
  executor_type get_executor() { return plain().get_executor(); }
  Socket& socket() { return plain().socket(); }
  void expires_after(std::chrono::milliseconds time) { plain().expires_after(time); }

  /// Of a stream in TLS, before anything else.
  template <typename Handler>
  void Handshake(boost::asio::ssl::stream_base::handshake_type type, Handler handler) {
    tls_->async_handshake(type, std::move(handler));
  }
  /// The other side must have a certificate for this host, which may be an address in numbers.
  template <typename Verification>
  void Verify(Verification verification) {
    tls_->set_verify_callback(std::move(verification));
  }

  template <typename Buffers, typename Handler>
  void async_read_some(const Buffers& buffers, Handler&& handler) {
    if (tls_ != nullptr) return void(tls_->async_read_some(buffers, std::forward<Handler>(handler)));
    plain_->async_read_some(buffers, std::forward<Handler>(handler));
  }
  template <typename Buffers, typename Handler>
  void async_write_some(const Buffers& buffers, Handler&& handler) {
    if (tls_ != nullptr) return void(tls_->async_write_some(buffers, std::forward<Handler>(handler)));
    plain_->async_write_some(buffers, std::forward<Handler>(handler));
  }

 private:
  using Tls = boost::asio::ssl::stream<Plain>;

  Plain& plain() { return tls_ != nullptr ? tls_->next_layer() : *plain_; }

  const TlsContext context_;  // outlives what is made of it
  std::unique_ptr<Plain> plain_;
  std::unique_ptr<Tls> tls_;
};

// One client of the admin server: request after request, each with its time. Belongs to the server's thread; keeps
// itself alive while something is awaited.

class Connection;

/// Whom a connection serves: anybody, or probes alone.
enum Slot : size_t { kAnySlot, kProbeSlot, kSlots };

/// Connections that have sent no whole request, or were answered for the last time, the oldest first.
class WaitingConnections {
 public:
  using Entry = std::list<Connection*>::iterator;

  Entry Add(Connection* connection) { return waiting_.insert(waiting_.end(), connection); }
  void Remove(Entry entry) { waiting_.erase(entry); }
  /// False: there is none.
  bool CloseOldest();

 private:
  std::list<Connection*> waiting_;
};

/// What all connections of a server share.
struct ConnectionContext {
  const Answers* answers = nullptr;
  std::chrono::milliseconds timeout{0};
  size_t most_answer_bytes = 0;
  int open = 0;
  std::array<WaitingConnections, kSlots> waiting_for_request;
  size_t answer_bytes = 0;  // on their way
  Control* control = nullptr;
  TlsContext tls;                                 // of connections that begin now; null: they are plain
  std::shared_ptr<Mailbox> mailbox;               // of the server's thread
  std::set<std::shared_ptr<Connection>> waiting;  // for what became of a wish
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Socket = Stream::Socket;

  /// `context` must outlive it.
  Connection(Socket socket, ConnectionContext* context, Slot slot);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void Start();
  /// It ends with the next turn of the server's thread.
  void Cut();

 private:
  using Http = boost::beast::http::request_parser<boost::beast::http::string_body>;

  /// From here on it may make way for another one: until a request is whole, and after its last answer.
  void BeginWait();
  void EndWait();
  void Greet();
  void TellPlainClient();
  void Read();
  void OnRead(const boost::beast::error_code& error);
  /// The answer is sent when the wish is done, be it after minutes: who sent it may go meanwhile.
  void Carry(Wish wish, bool keep);
  void Send(Answer answer, bool keep);
  /// After an answer that was not asked for to its end: what still comes is thrown away for a moment, so that the
  /// answer arrives.
  void Close();
  void Drain();

  Stream stream_;
  ConnectionContext* const context_;
  const Slot slot_;
  std::optional<WaitingConnections::Entry> wait_;
  boost::beast::flat_buffer buffer_;
  std::optional<Http> parser_;
  boost::beast::http::response<boost::beast::http::string_body> response_;
  size_t counted_bytes_ = 0;
  size_t drained_bytes_ = 0;
};

}  // namespace fensi::admin

// The bytes of one connection in both directions, with timeouts, and its end.
//
// Lives on the server's thread. Keeps itself alive while an async operation is pending; after `Close` pending handlers
// are not called.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <new>
#include <string>

#include "base/status.h"
#include "capture/rpc/connection_context.h"
#include "capture/rpc/kerberos.h"
#include "capture/rpc/stream.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {

class Link : public std::enable_shared_from_this<Link> {
 public:
  using Bytes = std::shared_ptr<std::string>;

  Link(boost::asio::ip::tcp::socket socket, ConnectionContext* context);
  virtual ~Link() = default;

  Stream& stream() { return stream_; }
  const std::string& address() const { return address_; }
  const std::string& peer() const { return peer_; }
  bool open() const { return open_; }
  bool refused() const { return refused_; }
  /// True once the client is identified.
  bool ready() const { return ready_; }
  void BecomeReady(const std::string& about);

  /// Reads exactly this many bytes after the content of `into`, then calls `next`; an end or an error closes the
  /// connection.
  void Read(const Bytes& into, size_t bytes, std::function<void()> next);
  /// Sends a reply, protected by the seal, if there is one.
  void Send(std::string reply);
  /// From here on Kerberos protects all bytes in both directions; the reader unwraps received bytes.
  void Seal(std::unique_ptr<KerberosSession> seal) { seal_ = std::move(seal); }
  KerberosSession* seal() const { return seal_.get(); }
  /// Replies that the region server has not taken.
  size_t unsent() const { return out_.size(); }

  /// Closes after that time, because `what` did not arrive. One wait at a time: a new one replaces it, Calm ends it.
  void Expect(std::chrono::milliseconds timeout, const std::string& what);
  /// As Expect, but calls `then`.
  void Await(std::chrono::milliseconds timeout, std::function<void()> then);
  void Calm() { timer_.Stop(); }

  /// Reports the reason to the region server and to a person, then closes.
  void Refuse(const Status& reason);
  void Refuse(const Status& reason, Severity severity);
  /// As Refuse; `reply` goes to the region server.
  void RefuseWith(const std::string& reply, const Status& reason, Severity severity);
  /// The region server has gone, or TLS has failed: then a notice has the reason.
  void Break(const boost::system::error_code& error);
  /// The notice if the region server leaves before it is ready; empty: none.
  void ExplainEnd(std::string cause) { cause_of_end_ = std::move(cause); }
  /// As Close; a notice has the reason.
  void CloseFor(const std::string& reason);
  void Close();

  /// If there is no memory for a step, only this connection is closed; HBase reconnects.
  template <typename Step>
  void OrClose(const Step& step) {
    try {
      step();
    } catch (const std::bad_alloc&) {
      Close();
    }
  }

 protected:
  /// Called once.
  virtual void OnClose() = 0;
  /// Called after a reply was sent.
  virtual void OnWritten() = 0;

  ConnectionContext* const context_;

 private:
  void WriteNext();
  void Written(const boost::system::error_code& error);
  void Tell(NoticeKind kind, const RedactableText& words);
  void TellRefusal(const Status& reason, Severity severity);
  /// The region server ended the connection before it was ready; `fault`: error of the transport.
  void NoteEarlyEnd(const Status& fault);

  Stream stream_;
  const std::string peer_;     // "127.0.0.1:4711", for messages
  const std::string address_;  // without the port: identifies connections of one machine
  Timer timer_;
  std::deque<std::string> out_;
  std::unique_ptr<KerberosSession> seal_;  // null: bytes are not protected
  std::string cause_of_end_;
  bool ready_ = false;  // the handshake is complete
  bool refused_ = false;
  bool open_ = true;
};

}  // namespace fensi::capture

// The bytes of one connection in both directions, how long they are waited for, and its end.
//
// Lives on the server's thread. Holds itself alive while something of it is under way; what is under way says nothing
// any more once it is closed.
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
  bool open() const { return open_; }
  bool refused() const { return refused_; }
  /// Has it said who it is?
  bool ready() const { return ready_; }
  void BecomeReady(const std::string& about);

  /// Reads exactly so many bytes behind what `into` holds, then calls `next`; an end or an error closes the connection.
  void Read(const Bytes& into, size_t bytes, std::function<void()> next);
  /// Protected by the seal, if there is one.
  void Send(std::string reply);
  /// From here on Kerberos protects all bytes in both directions; what comes is for who reads to unwrap.
  void Seal(std::unique_ptr<KerberosSession> seal) { seal_ = std::move(seal); }
  KerberosSession* seal() const { return seal_.get(); }
  /// Replies that the other side has not taken.
  size_t unsent() const { return out_.size(); }

  /// Closes after that time, because `what` did not come. One wait at a time: a new one replaces it, Calm ends it.
  void Expect(std::chrono::milliseconds timeout, const std::string& what);
  /// As Expect, but calls `then`.
  void Await(std::chrono::milliseconds timeout, std::function<void()> then);
  void Calm() { timer_.Stop(); }

  /// Tells the other side and a person, then closes.
  void Refuse(const Status& reason);
  void Refuse(const Status& reason, Severity severity);
  /// As Refuse; `reply` is how the other side is told.
  void RefuseWith(const std::string& reply, const Status& reason, Severity severity);
  /// The other side has gone, or TLS has failed: then a person is told why.
  void Break(const boost::system::error_code& error);
  /// What a person is told when the other side goes before it is ready; empty: nothing.
  void ExplainEnd(std::string cause) { cause_of_end_ = std::move(cause); }
  /// As Close; a person is told why.
  void CloseFor(const std::string& reason);
  void Close();

  /// Without the memory for a step this connection is closed, and no other; HBase comes again.
  template <typename Step>
  void OrClose(const Step& step) {
    try {
      step();
    } catch (const std::bad_alloc&) {
      Close();
    }
  }

 protected:
  /// Once.
  virtual void OnClose() = 0;
  /// A reply has gone.
  virtual void OnWritten() = 0;

  ConnectionContext* const context_;

 private:
  void WriteNext();
  void Written(const boost::system::error_code& error);
  void Tell(NoticeKind kind, const Words& words);
  void TellRefusal(const Status& reason, Severity severity);
  /// The other side ended the connection before it was ready; `fault`: of what carries the bytes.
  void NoteEarlyEnd(const Status& fault);

  Stream stream_;
  const std::string peer_;     // "127.0.0.1:4711", for messages
  const std::string address_;  // without the port: who has connections beside each other
  Timer timer_;
  std::deque<std::string> out_;
  std::unique_ptr<KerberosSession> seal_;  // null: bytes go as they are
  std::string cause_of_end_;
  bool ready_ = false;  // the handshake is over
  bool refused_ = false;
  bool open_ = true;
};

}  // namespace fensi::capture

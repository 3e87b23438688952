// One connection of a region server: preamble, header, then calls. Lives on the server's thread; holds itself alive
// while something of it is under way.
#pragma once

#include <atomic>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/steady_timer.hpp>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "base/status.h"
#include "capture/rpc/call.h"
#include "capture/rpc/frame_budget.h"
#include "capture/rpc/notice_limit.h"

namespace fensi::capture {

struct ConnectionLimits {
  size_t max_frame_bytes = size_t{256} << 20;
  size_t max_calls = 32;  // of one connection at a time, and replies that it did not take
  std::chrono::milliseconds handshake_timeout{10'000};
  std::chrono::milliseconds stall_timeout{60'000};  // of each piece of a frame that has begun
  std::chrono::milliseconds room_timeout{20'000};   // of a frame that waits for room
  std::chrono::milliseconds idle_timeout{180'000};  // HBase closes after 120 s itself
  std::chrono::milliseconds call_timeout{60'000};   // where the caller does not say
};

/// What all connections of a server share. Outlives them.
struct ConnectionContext {
  boost::asio::io_context& io;
  const ConnectionLimits limits;
  FrameBudget budget;
  CallHandler* handler;
  NoticeLimit notices;
  /// Connections that finished the handshake; read by any thread.
  std::atomic<int64_t> ready_now = 0;
  std::atomic<int64_t> ready_ever = 0;
};

class Connection : public std::enable_shared_from_this<Connection> {
 public:
  /// `closed` is called once, on the server's thread.
  Connection(boost::asio::ip::tcp::socket socket, ConnectionContext* context, std::function<void()> closed);
  ~Connection();

  void Start();
  /// Reads no further call; closes when all calls are answered.
  void Finish();
  void Close();

 private:
  using Bytes = std::shared_ptr<std::string>;

  // The way in, step by step.
  void ReadPreamble();
  void ReadHeaderLength();
  void ReadHeader(uint32_t length);
  void AcceptHeader(const std::string& header);
  void ReadFrameLength();
  void BeginFrame(uint32_t length);
  void ReadFrame(const Bytes& frame, size_t length);
  void ReadPiece(const Bytes& frame, size_t piece, size_t length);
  void TakeFrame(std::string frame);
  void HandOut(std::string frame);
  // The way out.
  void Answered(uint64_t id, uint32_t call_id, const Status& status);
  Call::Answerer Answerer(uint64_t id, uint32_t call_id);
  std::function<void()> Releaser();
  void WatchDeadline(uint64_t id, const std::shared_ptr<Call>& call, std::chrono::milliseconds deadline);
  void DropCalls();
  void Send(std::string reply);
  void WriteNext();

  /// Reads exactly so many bytes behind what `into` holds, then calls `next`; an end or an error closes the connection.
  void Read(const Bytes& into, size_t bytes, std::function<void()> next);
  void Expect(std::chrono::milliseconds patience, const std::string& what);
  /// Closes when nothing comes or goes for the idle timeout.
  void WatchIdle(std::chrono::milliseconds patience);
  /// Of the frame that is being read.
  void GiveBackRoom();
  /// Tells the other side and a person, then closes.
  void Refuse(const Status& reason);
  bool MayClose() const { return finishing_ && calls_.empty() && out_.empty(); }

  boost::asio::ip::tcp::socket socket_;
  ConnectionContext* const context_;
  const std::function<void()> closed_;
  const std::string peer_;  // "127.0.0.1:4711", for messages
  boost::asio::steady_timer patience_;
  struct PendingCall {
    explicit PendingCall(boost::asio::io_context& io) : deadline(io) {}
    boost::asio::steady_timer deadline;
    std::weak_ptr<Call> call;
  };
  std::map<uint64_t, std::unique_ptr<PendingCall>> calls_;
  uint64_t next_id_ = 0;
  std::deque<std::string> out_;
  uint64_t frame_ = 0;  // that is being read, and its room so far
  size_t reserved_ = 0;
  std::chrono::steady_clock::time_point frame_began_;
  std::chrono::steady_clock::time_point last_used_;
  bool ready_ = false;  // the handshake is over
  bool reading_ = false;
  bool finishing_ = false;
  bool refused_ = false;
  bool open_ = true;
};

}  // namespace fensi::capture

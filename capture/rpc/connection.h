// One connection of a region server: preamble, header, then calls. Lives on the server's thread; keeps itself alive
// while an operation is pending.
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <chrono>
#include <functional>
#include <string>

#include "base/status.h"
#include "capture/rpc/call.h"
#include "capture/rpc/frame_reader.h"
#include "capture/rpc/handshake.h"
#include "capture/rpc/link.h"

namespace fensi::capture {

class Connection final : public Link {
 public:
  /// `closed` is called once, on the server's thread.
  Connection(boost::asio::ip::tcp::socket socket, ConnectionContext* context, std::function<void()> closed);

  void Start();
  /// Reads no further call; closes when all calls are answered.
  void Finish();

 private:
  void OnClose() override;
  void OnWritten() override;
  /// Reads the next frame, unless enough calls are in flight.
  void ReadOn();
  /// Closes after the idle timeout without traffic.
  void WatchIdle(std::chrono::milliseconds timeout);
  void Take(Frame frame, std::chrono::milliseconds waited);
  void HandOut(Frame frame, std::chrono::milliseconds waited);
  void AnswerOther(uint32_t call_id, const std::string& method);
  void Answered(uint64_t id, uint32_t call_id, const Status& status);
  Call::Answerer Answerer(uint64_t id, uint32_t call_id);
  bool MayClose() const { return finishing_ && calls_.empty() && unsent() == 0; }

  const std::function<void()> closed_;
  Handshake handshake_;
  FrameReader frames_;
  PendingCalls calls_;
  std::chrono::steady_clock::time_point last_used_;
  bool finishing_ = false;
};

}  // namespace fensi::capture

// Reads frames: a length, then as many bytes, piece by piece as there is room for them. If Kerberos protects the
// connection, it reads messages, and in them frames: several, or a part of one.
//
// A part of a connection; lives on the server's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "capture/rpc/connection_context.h"
#include "capture/rpc/link.h"

namespace fensi::capture {

class FrameReader {
 public:
  /// Gets a frame, and its duration from its length on.
  using Taken = std::function<void(Frame frame, std::chrono::milliseconds waited)>;

  FrameReader(Link* link, ConnectionContext* context, Taken taken)
      : link_(link), context_(context), taken_(std::move(taken)) {}

  /// Reads one frame: do not call it while reading().
  void Read();
  bool reading() const { return reading_; }
  /// Stops reading.
  void Drop();

 private:
  void Begin(uint32_t length);
  void ReadOn(const Link::Bytes& bytes, size_t length);
  void ReadPiece(const Link::Bytes& bytes, size_t piece, size_t length);
  void End(std::string bytes);
  void EndMessage(std::string message);
  void HandOut(Frame frame);
  void HandOutNext();
  void HandOutBegun();
  void TakeRest();
  void Append(size_t piece);
  void LeaveOut(size_t bytes);
  uint64_t NewRoom();
  std::shared_ptr<const FrameMemory> Keep(std::string bytes);

  Link* const link_;
  ConnectionContext* const context_;
  const Taken taken_;
  uint64_t room_ = 0;  // in the budget; 0: none
  std::chrono::steady_clock::time_point began_;
  bool reading_ = false;
  Frame rest_;  // of a message: the bytes after the frames that were handed out
  struct Begun {
    std::string bytes;  // with the length
    uint64_t room = 0;  // 0: no frame has begun
  };
  Begun begun_;  // a frame that continues in the next message
};

}  // namespace fensi::capture

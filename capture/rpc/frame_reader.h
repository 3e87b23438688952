// Frames as they come in: a length, then as many bytes, piece by piece as there is room for them.
//
// A part of a connection; lives on the server's thread.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include "capture/rpc/link.h"

namespace fensi::capture {

class FrameReader {
 public:
  /// What is read, and how long it took from its length on.
  using Taken = std::function<void(std::string frame, std::chrono::milliseconds waited)>;

  FrameReader(Link* link, ConnectionContext* context, Taken taken)
      : link_(link), context_(context), taken_(std::move(taken)) {}

  /// One frame at a time: not while reading().
  void Read();
  bool reading() const { return reading_; }

  /// The room of the frame that is or was read, by its number in the budget.
  uint64_t room() const { return frame_; }
  /// Somebody else gives it back.
  void LetRoomGo() { frame_ = 0; }
  void GiveBackRoom() { context_->budget.End(std::exchange(frame_, 0)); }

 private:
  void Begin(uint32_t length);
  void ReadOn(const Link::Bytes& frame, size_t length);
  void ReadPiece(const Link::Bytes& frame, size_t piece, size_t length);
  void End(std::string frame);

  Link* const link_;
  ConnectionContext* const context_;
  const Taken taken_;
  uint64_t frame_ = 0;  // in the budget; 0: none
  std::chrono::steady_clock::time_point began_;
  bool reading_ = false;
};

}  // namespace fensi::capture

// The bytes of one or several frames, and the room that was taken for them.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "capture/rpc/connection_context.h"
#include "capture/rpc/sure_post.h"

namespace fensi::capture {

/// Whoever lets go of it last, on any thread, gives back its room once the memory is free.
class FrameMemory {
 public:
  /// `room`: its number in the budget.
  FrameMemory(ConnectionContext* context, uint64_t room, std::string bytes)
      : context_(context), room_(room), bytes_(std::move(bytes)) {}
  ~FrameMemory() {
    std::string().swap(bytes_);
    PostSurely(context_->io, [this] { return [context = context_, room = room_] { context->budget.End(room); }; });
  }
  FrameMemory(const FrameMemory&) = delete;
  FrameMemory& operator=(const FrameMemory&) = delete;

  const std::string& bytes() const { return bytes_; }

 private:
  ConnectionContext* const context_;
  const uint64_t room_;
  std::string bytes_;
};

/// A frame without its length, inside memory that it may share.
struct Frame {
  std::shared_ptr<const FrameMemory> memory;
  std::string_view bytes;
};

}  // namespace fensi::capture

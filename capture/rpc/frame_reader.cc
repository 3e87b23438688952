#include "capture/rpc/frame_reader.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/bytes.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

// A frame's memory and its room grow with what has come, so that a length alone costs nothing. A piece that is expected
// holds room for nothing; the largest comes within RpcServerOptions::crowd_timeout on all but the slowest links.
constexpr size_t kFirstPiece = 16 * 1024, kLargestPiece = 256 * 1024;
constexpr char kStalled[] =
    "others wait for room (--calls_mb), and the rest of its call does not come; the region server has to come again";

}  // namespace

void FrameReader::Read() {
  reading_ = true;
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, 4, [this, bytes] { Begin(ReadBigEndian32(*bytes)); });
}

void FrameReader::Begin(uint32_t length) {
  link_->Calm();
  // No region server says a negative length: who does is a stranger, and no alarm.
  if (length > static_cast<uint32_t>(INT32_MAX)) {
    return link_->CloseFor("it sent the length " + std::to_string(static_cast<int32_t>(length)) +
                           " in place of a call, which no region server does");
  }
  if (length > context_->limits.max_frame_bytes) {
    return link_->Refuse(
        Status(StatusCode::kConfiguration, "a frame of " + std::to_string(length) + " bytes is above the limit of " +
                                               std::to_string(context_->limits.max_frame_bytes) +
                                               " (--frame_mb; the region server's is hbase.ipc.max.request.size)"));
  }
  frame_ = context_->budget.Begin(link_->address(), [weak = link_->weak_from_this()] {
    if (const auto link = weak.lock()) link->CloseFor(kStalled);
  });
  began_ = std::chrono::steady_clock::now();
  const auto frame = std::make_shared<std::string>();
  frame->reserve(length);  // of addresses; memory comes with the bytes
  ReadOn(frame, length);
}

void FrameReader::ReadOn(const Link::Bytes& frame, size_t length) {
  if (frame->size() == length) return End(std::move(*frame));
  const size_t piece = std::min(length - frame->size(), std::clamp(frame->size(), kFirstPiece, kLargestPiece));
  link_->Expect(context_->limits.room_timeout,
                "a call that there was room for: --calls_mb is in use by others, the region server has to come again");
  context_->budget.Reserve(frame_, piece, [this, link = link_->shared_from_this(), frame, piece, length] {
    link->OrClose([&] { ReadPiece(frame, piece, length); });
  });
}

void FrameReader::ReadPiece(const Link::Bytes& frame, size_t piece, size_t length) {
  link_->Expect(context_->limits.stall_timeout, "the rest of a frame in time");
  link_->Read(frame, piece, [this, frame, length] {
    context_->budget.Came(frame_);
    ReadOn(frame, length);
  });
}

void FrameReader::End(std::string frame) {
  link_->Calm();
  reading_ = false;
  taken_(std::move(frame), std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_));
}

}  // namespace fensi::capture

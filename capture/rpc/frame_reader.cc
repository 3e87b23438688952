#include "capture/rpc/frame_reader.h"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "base/bytes.h"
#include "capture/rpc/frame.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

// A frame's memory and its room grow with what has come, so that a length alone costs nothing. A piece that is expected
// holds room for nothing; the largest comes within RpcServerOptions::crowd_timeout on all but the slowest links.
constexpr size_t kFirstPiece = 16 * 1024, kLargestPiece = 256 * 1024;
// Kerberos adds some 60 bytes, and HBase's client puts a connection header into a message with its first calls.
constexpr size_t kMostBytesBesideFrames = 64 * 1024;
constexpr char kStalled[] =
    "the client did not send the rest of its call while other calls waited for memory. A region server connects again "
    "by itself. If the line repeats, raise --calls_mb";
constexpr char kNoRoom[] =
    "a call waited too long for memory of the capture. The region server connects again by itself. If the line "
    "repeats, raise --calls_mb";
constexpr char kNoRest[] = "the rest of its call in time";
constexpr size_t kLengthBytes = 4;

/// Number of bytes that are missing of the frame that begins with these: first of its length, then of its content.
size_t MissingOf(std::string_view begun) {
  if (begun.size() < kLengthBytes) return kLengthBytes - begun.size();
  return kLengthBytes + ReadBigEndian32(begun) - begun.size();
}

Status TooLarge(size_t length, size_t limit) {
  return Status(StatusCode::kConfiguration, "a call of " + std::to_string(length) + " bytes is above the limit of " +
                                                std::to_string(limit) +
                                                " bytes. Raise --frame_mb, in MB, to hbase.ipc.max.request.size of the "
                                                "region server");
}

/// Closes the link after the time. Link::Expect would say that the region server is to blame.
void AwaitRoom(Link* link, milliseconds timeout) {
  link->Await(timeout, [link] { link->CloseFor(kNoRoom); });
}

}  // namespace

void FrameReader::Read() {
  if (rest_.memory != nullptr) return HandOutNext();
  reading_ = true;
  if (begun_.room != 0) link_->Expect(context_->limits.stall_timeout, kNoRest);
  const auto bytes = std::make_shared<std::string>();
  link_->Read(bytes, kLengthBytes, [this, bytes] { Begin(ReadBigEndian32(*bytes)); });
}

void FrameReader::Drop() {
  rest_ = {};
  begun_.bytes = {};
  context_->budget.End(std::exchange(begun_.room, 0));
  context_->budget.End(std::exchange(room_, 0));
}

void FrameReader::Begin(uint32_t length) {
  link_->Calm();
  // No region server sends a negative length: such a client is unknown, and no alarm.
  if (length > static_cast<uint32_t>(INT32_MAX)) {
    return link_->CloseFor("the client is no region server: it sent a call of " +
                           std::to_string(static_cast<int32_t>(length)) + " bytes" + kNoRegionServer);
  }
  const size_t beside = link_->seal() == nullptr ? 0 : kMostBytesBesideFrames;
  const size_t limit = context_->limits.max_frame_bytes + beside;
  if (length > limit) return link_->Refuse(TooLarge(length, limit));
  room_ = NewRoom();
  if (begun_.room == 0) began_ = std::chrono::steady_clock::now();
  const auto bytes = std::make_shared<std::string>();
  bytes->reserve(length);  // of addresses; memory comes with the bytes
  ReadOn(bytes, length);
}

uint64_t FrameReader::NewRoom() {
  return context_->budget.Begin(link_->address(), [weak = link_->weak_from_this()] {
    if (const auto link = weak.lock()) link->CloseFor(kStalled);
  });
}

void FrameReader::ReadOn(const Link::Bytes& bytes, size_t length) {
  if (bytes->size() == length) return End(std::move(*bytes));
  const size_t piece = std::min(length - bytes->size(), std::clamp(bytes->size(), kFirstPiece, kLargestPiece));
  AwaitRoom(link_, context_->limits.room_timeout);
  context_->budget.Reserve(room_, piece, [this, link = link_->shared_from_this(), bytes, piece, length] {
    link->OrClose([&] { ReadPiece(bytes, piece, length); });
  });
}

void FrameReader::ReadPiece(const Link::Bytes& bytes, size_t piece, size_t length) {
  link_->Expect(context_->limits.stall_timeout, kNoRest);
  link_->Read(bytes, piece, [this, bytes, length] {
    context_->budget.Came(room_);
    ReadOn(bytes, length);
  });
}

void FrameReader::End(std::string bytes) {
  link_->Calm();
  reading_ = false;
  if (link_->seal() != nullptr) return EndMessage(std::move(bytes));
  Frame frame{Keep(std::move(bytes)), {}};
  frame.bytes = frame.memory->bytes();
  HandOut(std::move(frame));
}

/// From here on the memory owns the room.
std::shared_ptr<const FrameMemory> FrameReader::Keep(std::string bytes) {
  auto memory = std::make_shared<const FrameMemory>(context_, room_, std::move(bytes));
  room_ = 0;
  return memory;
}

void FrameReader::EndMessage(std::string message) {
  std::string_view plain;
  const Status unwrapped = link_->seal()->Unwrap(&message, &plain);
  if (!unwrapped.ok()) return link_->Refuse(unwrapped);
  if (plain.empty())
    return link_->Refuse(Status(StatusCode::kInvalidArgument,
                                "an encrypted message of the region server holds no call. Read the log of "
                                "that server"));
  const auto begin = static_cast<size_t>(plain.data() - message.data());
  rest_.memory = Keep(std::move(message));
  // The view must be that of the string that is kept: a short one lives inside its object.
  rest_.bytes = std::string_view(rest_.memory->bytes()).substr(begin, plain.size());
  if (begun_.room != 0) return TakeRest();
  HandOutNext();
}

/// HBase's client sends the cells of a call in a message of their own, after that of the call's header.
void FrameReader::HandOutNext() {
  const size_t length = rest_.bytes.size() < kLengthBytes ? 0 : ReadBigEndian32(rest_.bytes);
  const size_t limit = context_->limits.max_frame_bytes;
  if (length > limit) return link_->Refuse(TooLarge(length, limit));
  if (rest_.bytes.size() < kLengthBytes + length) {
    reading_ = true;
    begun_.room = NewRoom();
    return TakeRest();
  }
  Frame frame{rest_.memory, rest_.bytes.substr(kLengthBytes, length)};
  LeaveOut(kLengthBytes + length);
  HandOut(std::move(frame));
}

/// Copies what belongs to the frame that has begun, once there is room for it, so that the message can be freed.
void FrameReader::TakeRest() {
  const size_t piece = std::min(rest_.bytes.size(), MissingOf(begun_.bytes));
  AwaitRoom(link_, context_->limits.room_timeout);
  context_->budget.Reserve(begun_.room, piece,
                           [this, link = link_->shared_from_this(), piece] { link->OrClose([&] { Append(piece); }); });
}

void FrameReader::Append(size_t piece) {
  link_->Calm();
  context_->budget.Came(begun_.room);
  begun_.bytes.append(rest_.bytes.substr(0, piece));
  LeaveOut(piece);
  if (begun_.bytes.size() == kLengthBytes) {
    const size_t length = MissingOf(begun_.bytes), limit = context_->limits.max_frame_bytes;
    if (length > limit) return link_->Refuse(TooLarge(length, limit));
    begun_.bytes.reserve(kLengthBytes + length);  // addresses; memory comes with the bytes
  }
  if (begun_.bytes.size() >= kLengthBytes && MissingOf(begun_.bytes) == 0) return HandOutBegun();
  if (rest_.memory != nullptr) return TakeRest();
  Read();
}

void FrameReader::HandOutBegun() {
  reading_ = false;
  Frame frame{
      std::make_shared<const FrameMemory>(context_, std::exchange(begun_.room, 0), std::exchange(begun_.bytes, {})),
      {}};
  frame.bytes = std::string_view(frame.memory->bytes()).substr(kLengthBytes);
  HandOut(std::move(frame));
}

void FrameReader::LeaveOut(size_t bytes) {
  rest_.bytes.remove_prefix(bytes);
  if (rest_.bytes.empty()) rest_.memory.reset();
}

void FrameReader::HandOut(Frame frame) {
  taken_(std::move(frame), std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - began_));
}

}  // namespace fensi::capture

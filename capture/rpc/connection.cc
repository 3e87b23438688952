#include "capture/rpc/connection.h"

#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

#include <algorithm>
#include <boost/asio/post.hpp>
#include <boost/asio/read.hpp>
#include <boost/asio/write.hpp>

#include "base/bytes.h"
#include "capture/rpc/frame.h"

namespace fensi::capture {
namespace {

using boost::system::error_code;
using std::chrono::milliseconds;

constexpr char kMethod[] = "ReplicateWALEntry";
// A frame's memory and its room grow with what has come, so that a length alone costs nothing.
constexpr size_t kFirstPiece = 16 * 1024, kLargestPiece = 1024 * 1024;

// Whoever is silent is asked after this time, and given up after some more: half a minute each.
constexpr int kKeepIdleSeconds = 60, kKeepIntervalSeconds = 10, kKeepProbes = 3;

void KeepAlive(boost::asio::ip::tcp::socket& socket) {
  error_code ignored;
  socket.set_option(boost::asio::socket_base::keep_alive(true), ignored);
  const int handle = socket.native_handle();
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPIDLE, &kKeepIdleSeconds, sizeof kKeepIdleSeconds);
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPINTVL, &kKeepIntervalSeconds, sizeof kKeepIntervalSeconds);
  setsockopt(handle, IPPROTO_TCP, TCP_KEEPCNT, &kKeepProbes, sizeof kKeepProbes);
}

std::string AddressOf(const boost::asio::ip::tcp::socket& socket) {
  error_code error;
  const auto endpoint = socket.remote_endpoint(error);
  if (error) return "an unknown address";
  return endpoint.address().to_string() + ":" + std::to_string(endpoint.port());
}

/// Before the caller gives up, so that it hears why.
milliseconds Deadline(milliseconds caller, milliseconds fallback) {
  const milliseconds patience = caller.count() == 0 ? fallback : caller;
  return patience - std::min<milliseconds>(patience / 5, milliseconds(10'000));
}

}  // namespace

Connection::Connection(boost::asio::ip::tcp::socket socket, ConnectionContext* context, std::function<void()> closed)
    : socket_(std::move(socket)),
      context_(context),
      closed_(std::move(closed)),
      peer_(AddressOf(socket_)),
      patience_(context->io) {
  error_code ignored;
  socket_.set_option(boost::asio::ip::tcp::no_delay(true), ignored);
  KeepAlive(socket_);
}

Connection::~Connection() = default;

void Connection::Start() { ReadPreamble(); }

void Connection::Finish() {
  finishing_ = true;
  if (MayClose()) Close();
}

void Connection::Close() {
  if (!open_) return;
  open_ = false;
  const auto self = shared_from_this();  // closed_ may drop the last owner
  error_code ignored;
  socket_.close(ignored);
  patience_.cancel();
  GiveBackRoom();
  if (ready_) --context_->ready_now;
  DropCalls();
  closed_();
}

void Connection::DropCalls() {
  const auto dropped = std::exchange(calls_, {});
  for (const auto& [id, pending] : dropped) {
    // Nobody waits for it any more: who works on it may stop.
    if (const auto call = pending->call.lock()) {
      call->Answer(Status(StatusCode::kCancelled, "the connection was closed"));
    }
  }
}

void Connection::GiveBackRoom() {
  context_->budget.Forget(frame_);
  if (reserved_ > 0) context_->budget.Release(frame_, std::exchange(reserved_, 0));
}

void Connection::Read(const Bytes& into, size_t bytes, std::function<void()> next) {
  const size_t begin = into->size();
  into->resize(begin + bytes);
  const auto target = boost::asio::buffer(into->data() + begin, bytes);
  boost::asio::async_read(socket_, target,
                          [self = shared_from_this(), into, next = std::move(next)](error_code error, size_t) {
                            if (!self->open_ || self->refused_) return;
                            if (error) return self->Close();
                            try {
                              next();
                            } catch (const std::bad_alloc&) {
                              // Of this connection only; HBase comes again.
                              self->Close();
                            }
                          });
}

void Connection::Expect(milliseconds patience, const std::string& what) {
  patience_.expires_after(patience);
  patience_.async_wait([self = shared_from_this(), what](error_code error) {
    if (error || !self->open_) return;
    self->context_->notices.Tell(Severity::kWarning,
                                 "connection of " + self->peer_ + " closed: it did not send " + what);
    self->Close();
  });
}

void Connection::ReadPreamble() {
  Expect(context_->limits.handshake_timeout, "a preamble and a connection header in time");
  const auto bytes = std::make_shared<std::string>();
  Read(bytes, kPreambleBytes, [this, bytes] {
    const Status status = CheckPreamble(*bytes);
    return status.ok() ? ReadHeaderLength() : Refuse(status);
  });
}

void Connection::ReadHeaderLength() {
  const auto bytes = std::make_shared<std::string>();
  Read(bytes, 4, [this, bytes] { ReadHeader(ReadBigEndian32(*bytes)); });
}

void Connection::ReadHeader(uint32_t length) {
  if (length > kMaxConnectionHeaderBytes) {
    return Refuse(
        Status(StatusCode::kInvalidArgument, "a connection header of " + std::to_string(length) + " bytes is none"));
  }
  const auto bytes = std::make_shared<std::string>();
  Read(bytes, length, [this, bytes] { AcceptHeader(*bytes); });
}

void Connection::AcceptHeader(const std::string& header) {
  std::string about;
  const Status status = CheckConnectionHeader(header, &about);
  if (!status.ok()) return Refuse(status);
  patience_.cancel();
  ready_ = true;
  ++context_->ready_now;
  ++context_->ready_ever;
  context_->notices.Tell(Severity::kInfo, "region server at " + peer_ + " connected (" + about + ")");
  ReadFrameLength();
}

void Connection::ReadFrameLength() {
  const ConnectionLimits& limits = context_->limits;
  if (reading_ || finishing_ || refused_ || calls_.size() >= limits.max_calls || out_.size() >= limits.max_calls)
    return;
  reading_ = true;
  last_used_ = std::chrono::steady_clock::now();
  WatchIdle(limits.idle_timeout);
  const auto bytes = std::make_shared<std::string>();
  Read(bytes, 4, [this, bytes] { BeginFrame(ReadBigEndian32(*bytes)); });
}

void Connection::WatchIdle(milliseconds patience) {
  patience_.expires_after(patience);
  patience_.async_wait([self = shared_from_this()](error_code error) {
    if (error || !self->open_) return;
    const auto quiet = std::chrono::steady_clock::now() - self->last_used_;
    const milliseconds left = self->context_->limits.idle_timeout - std::chrono::duration_cast<milliseconds>(quiet);
    if (left.count() <= 0 && self->calls_.empty()) return self->Close();
    self->WatchIdle(std::max(left, milliseconds(100)));
  });
}

void Connection::BeginFrame(uint32_t length) {
  patience_.cancel();
  if (length > context_->limits.max_frame_bytes) {
    return Refuse(
        Status(StatusCode::kConfiguration, "a frame of " + std::to_string(length) + " bytes is above the limit of " +
                                               std::to_string(context_->limits.max_frame_bytes) +
                                               " (--frame_mb; the region server's is hbase.ipc.max.request.size)"));
  }
  frame_ = context_->budget.NewFrame();
  frame_began_ = std::chrono::steady_clock::now();
  const auto frame = std::make_shared<std::string>();
  frame->reserve(length);  // of addresses; memory comes with the bytes
  ReadFrame(frame, length);
}

void Connection::ReadFrame(const Bytes& frame, size_t length) {
  if (frame->size() == length) {
    patience_.cancel();
    reading_ = false;
    return TakeFrame(std::move(*frame));
  }
  const size_t piece = std::min(length - frame->size(), std::clamp(frame->size(), kFirstPiece, kLargestPiece));
  Expect(context_->limits.room_timeout,
         "a call that there was room for: --calls_mb is in use by others, the region server has to come again");
  context_->budget.Reserve(frame_, piece, [this, self = shared_from_this(), frame, piece, length, id = frame_] {
    if (!open_) return context_->budget.Release(id, piece);
    reserved_ += piece;
    ReadPiece(frame, piece, length);
  });
}

void Connection::ReadPiece(const Bytes& frame, size_t piece, size_t length) {
  Expect(context_->limits.stall_timeout, "the rest of a frame in time");
  Read(frame, piece, [this, frame, length] { ReadFrame(frame, length); });
}

void Connection::TakeFrame(std::string frame) {
  HandOut(std::move(frame));
  if (open_) ReadFrameLength();
}

void Connection::HandOut(std::string frame) {
  CallFrame parsed;
  const Status status = ParseCallFrame(frame, &parsed);
  if (!status.ok()) return Refuse(status);
  const uint32_t call_id = parsed.call_id;
  if (parsed.method != kMethod) {
    GiveBackRoom();
    return Send(ExceptionReply(call_id, "the method " + Escape(parsed.method) + " is not here, only " + kMethod));
  }
  const auto waited = std::chrono::duration_cast<milliseconds>(std::chrono::steady_clock::now() - frame_began_);
  const milliseconds deadline = Deadline(parsed.timeout, context_->limits.call_timeout) - waited;
  if (deadline.count() <= 0) {
    GiveBackRoom();
    return Send(ExceptionReply(call_id, "the call took " + std::to_string(waited.count()) +
                                            " ms to arrive, so that nothing is left of its timeout"));
  }
  // The views must be those of the string that the call owns: a short one lives inside its object.
  const size_t request_at = static_cast<size_t>(parsed.request.data() - frame.data());
  const size_t cells_at = frame.size() - parsed.cells.size();
  const uint64_t id = next_id_++;
  const auto call = std::make_shared<Call>(std::move(frame), request_at, parsed.request.size(), cells_at, deadline,
                                           Answerer(id, call_id), Releaser());
  WatchDeadline(id, call, deadline);
  context_->handler->Handle(call);
}

Call::Answerer Connection::Answerer(uint64_t id, uint32_t call_id) {
  return [weak = weak_from_this(), &io = context_->io, id, call_id](const Status& answer) {
    boost::asio::post(io, [weak, id, call_id, answer] {
      if (const auto self = weak.lock()) self->Answered(id, call_id, answer);
    });
  };
}

/// The frame's room is given back when its memory is, not when the caller has its answer.
std::function<void()> Connection::Releaser() {
  return [context = context_, frame = frame_, bytes = std::exchange(reserved_, 0)] {
    boost::asio::post(context->io, [context, frame, bytes] { context->budget.Release(frame, bytes); });
  };
}

void Connection::WatchDeadline(uint64_t id, const std::shared_ptr<Call>& call, milliseconds deadline) {
  auto pending = std::make_unique<PendingCall>(context_->io);
  pending->call = call;
  pending->deadline.expires_after(deadline);
  pending->deadline.async_wait([weak = std::weak_ptr<Call>(call)](error_code error) {
    const auto late = error ? nullptr : weak.lock();
    if (late) late->Answer(Status(StatusCode::kUnavailable, "Kafka has not acknowledged everything in time"));
  });
  calls_.emplace(id, std::move(pending));
}

void Connection::Answered(uint64_t id, uint32_t call_id, const Status& status) {
  calls_.erase(id);
  if (!open_) return;
  last_used_ = std::chrono::steady_clock::now();
  Send(status.ok() ? SuccessReply(call_id) : ExceptionReply(call_id, status.message()));
  ReadFrameLength();
}

void Connection::Send(std::string reply) {
  out_.push_back(std::move(reply));
  if (out_.size() == 1) WriteNext();
}

void Connection::WriteNext() {
  boost::asio::async_write(socket_, boost::asio::buffer(out_.front()),
                           [self = shared_from_this()](error_code error, size_t) {
                             if (!self->open_) return;
                             self->out_.pop_front();
                             if (error || self->MayClose() || (self->refused_ && self->out_.empty())) {
                               return self->Close();
                             }
                             if (!self->out_.empty()) self->WriteNext();
                             if (self->ready_) self->ReadFrameLength();  // which waits while replies are not taken
                           });
}

void Connection::Refuse(const Status& reason) {
  context_->notices.Tell(reason.code() == StatusCode::kConfiguration ? Severity::kAlarm : Severity::kWarning,
                         "connection of " + peer_ + " refused: " + reason.message());
  refused_ = true;
  // Only a region server understands an answer.
  if (!ready_ && reason.code() != StatusCode::kConfiguration) return Close();
  Expect(context_->limits.handshake_timeout, "the end of the connection");
  Send(FatalReply(reason.message()));
}

}  // namespace fensi::capture

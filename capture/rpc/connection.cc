#include "capture/rpc/connection.h"

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
// A frame's memory grows with what has come, so that a length alone costs nothing.
constexpr size_t kFirstPiece = 256 * 1024;

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
  if (reserved_ > 0) context_->budget.Release(std::exchange(reserved_, 0));
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
    context_->budget.Release(pending->frame_bytes);
  }
}

void Connection::Read(const Bytes& into, size_t bytes, std::function<void()> next) {
  const size_t begin = into->size();
  into->resize(begin + bytes);
  const auto target = boost::asio::buffer(into->data() + begin, bytes);
  boost::asio::async_read(socket_, target,
                          [self = shared_from_this(), into, next = std::move(next)](error_code error, size_t) {
                            if (!self->open_ || self->refused_) return;
                            if (error) {
                              self->Close();
                            } else {
                              next();
                            }
                          });
}

void Connection::Expect(milliseconds patience, const std::string& what) {
  patience_.expires_after(patience);
  patience_.async_wait([self = shared_from_this(), what](error_code error) {
    if (error || !self->open_) return;
    self->context_->notices(Severity::kWarning, "connection of " + self->peer_ + " closed: it did not send " + what);
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
  context_->notices(Severity::kInfo, "region server at " + peer_ + " connected (" + about + ")");
  ReadFrameLength();
}

void Connection::ReadFrameLength() {
  if (reading_ || finishing_ || refused_ || calls_.size() >= context_->limits.max_calls) return;
  reading_ = true;
  const auto bytes = std::make_shared<std::string>();
  Read(bytes, 4, [this, bytes] { ReserveFrame(ReadBigEndian32(*bytes)); });
}

void Connection::ReserveFrame(uint32_t length) {
  if (length > context_->limits.max_frame_bytes) {
    return Refuse(
        Status(StatusCode::kConfiguration, "a frame of " + std::to_string(length) + " bytes is above the limit of " +
                                               std::to_string(context_->limits.max_frame_bytes) +
                                               " (--frame_mb; the region server's is hbase.ipc.max.request.size)"));
  }
  context_->budget.Reserve(length, [this, self = shared_from_this(), length] {
    if (!open_) return context_->budget.Release(length);
    reserved_ = length;
    const auto frame = std::make_shared<std::string>();
    ReadFrame(frame, length);
  });
}

void Connection::ReadFrame(const Bytes& frame, size_t length) {
  if (frame->size() == length) {
    patience_.cancel();
    reading_ = false;
    return TakeFrame(std::move(*frame));
  }
  Expect(context_->limits.stall_timeout, "the rest of a frame in time");
  const size_t piece = std::min(length - frame->size(), std::max(kFirstPiece, frame->size()));
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
    context_->budget.Release(std::exchange(reserved_, 0));
    return Send(ExceptionReply(call_id, "the method " + Escape(parsed.method) + " is not here, only " + kMethod));
  }
  const uint64_t id = next_id_++;
  auto pending = std::make_unique<PendingCall>(context_->io);
  pending->frame_bytes = std::exchange(reserved_, 0);
  const milliseconds deadline = Deadline(parsed.timeout, context_->limits.call_timeout);
  // The views must be those of the string that the call owns: a short one lives inside its object.
  const size_t request_at = static_cast<size_t>(parsed.request.data() - frame.data());
  const size_t cells_at = frame.size() - parsed.cells.size();
  const auto answerer = [weak = weak_from_this(), &io = context_->io, id, call_id](const Status& answer) {
    boost::asio::post(io, [weak, id, call_id, answer] {
      if (const auto self = weak.lock()) self->Answered(id, call_id, answer);
    });
  };
  const auto call =
      std::make_shared<Call>(std::move(frame), request_at, parsed.request.size(), cells_at, deadline, answerer);
  pending->call = call;
  pending->deadline.expires_after(deadline);
  pending->deadline.async_wait([weak = std::weak_ptr<Call>(call)](error_code error) {
    const auto late = error ? nullptr : weak.lock();
    if (late) late->Answer(Status(StatusCode::kUnavailable, "Kafka has not acknowledged everything in time"));
  });
  calls_.emplace(id, std::move(pending));
  context_->handler->Handle(call);
}

void Connection::Answered(uint64_t id, uint32_t call_id, const Status& status) {
  ForgetCall(id);
  if (!open_) return;
  Send(status.ok() ? SuccessReply(call_id) : ExceptionReply(call_id, status.message()));
  ReadFrameLength();
}

void Connection::ForgetCall(uint64_t id) {
  const auto found = calls_.find(id);
  if (found == calls_.end()) return;
  context_->budget.Release(found->second->frame_bytes);
  calls_.erase(found);
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
                               self->Close();
                             } else if (!self->out_.empty()) {
                               self->WriteNext();
                             }
                           });
}

void Connection::Refuse(const Status& reason) {
  context_->notices(reason.code() == StatusCode::kConfiguration ? Severity::kAlarm : Severity::kWarning,
                    "connection of " + peer_ + " refused: " + reason.message());
  refused_ = true;
  // Only a region server understands an answer.
  if (!ready_ && reason.code() != StatusCode::kConfiguration) return Close();
  Expect(context_->limits.handshake_timeout, "the end of the connection");
  Send(FatalReply(reason.message()));
}

}  // namespace fensi::capture

#include "capture/rpc/link.h"

#include <utility>

#include "capture/rpc/frame.h"

namespace fensi::capture {
namespace {

using boost::system::error_code;

Severity SeverityOf(const Status& reason) {
  return reason.code() == StatusCode::kConfiguration ? Severity::kAlarm : Severity::kWarning;
}

}  // namespace

Link::Link(boost::asio::ip::tcp::socket socket, ConnectionContext* context)
    : context_(context),
      stream_(std::move(socket)),
      peer_(stream_.OtherEnd()),
      address_(peer_.substr(0, peer_.rfind(':'))),
      timer_(context->io) {}

void Link::BecomeReady(const std::string& about) {
  ready_ = true;
  ++context_->ready_now;
  ++context_->ready_ever;
  Tell(NoticeKind::kServerConnected, RedactableText("region server at " + peer_ + " connected (" + about + ")"));
}

void Link::Read(const Bytes& into, size_t bytes, std::function<void()> next) {
  const size_t begin = into->size();
  into->resize(begin + bytes);
  const auto target = boost::asio::buffer(into->data() + begin, bytes);
  stream_.Read(target, [self = shared_from_this(), into, next = std::move(next)](const error_code& error) {
    if (!self->open_ || self->refused_) return;
    if (error) return self->Break(error);
    self->OrClose(next);
  });
}

void Link::Send(std::string reply) {
  if (seal_ != nullptr) {
    const Result<std::string> wrapped = seal_->Wrap(reply);
    if (!wrapped.ok()) return CloseFor(wrapped.status().message());
    reply = Framed(*wrapped);
  }
  out_.push_back(std::move(reply));
  if (out_.size() == 1) WriteNext();
}

void Link::WriteNext() {
  stream_.Write(boost::asio::buffer(out_.front()), [self = shared_from_this()](const error_code& error) {
    if (self->open_) self->OrClose([&] { self->Written(error); });
  });
}

void Link::Written(const error_code& error) {
  out_.pop_front();
  if (error || (refused_ && out_.empty())) return Close();
  if (!out_.empty()) WriteNext();
  OnWritten();
}

void Link::Expect(std::chrono::milliseconds timeout, const std::string& what) {
  Await(timeout, [this, what] { CloseFor("the client did not send " + what); });
}

void Link::Await(std::chrono::milliseconds timeout, std::function<void()> then) {
  timer_.Start(timeout, [self = shared_from_this(), then = std::move(then)] { self->OrClose(then); });
}

void Link::Refuse(const Status& reason) { Refuse(reason, SeverityOf(reason)); }

void Link::Refuse(const Status& reason, Severity severity) {
  // Only a region server understands an answer.
  const bool is_heard = ready_ || reason.code() == StatusCode::kConfiguration;
  RefuseWith(is_heard ? FatalReply(reason.message()) : "", reason, severity);
}

void Link::RefuseWith(const std::string& reply, const Status& reason, Severity severity) {
  TellRefusal(reason, severity);
  refused_ = true;
  if (reply.empty()) return Close();
  Expect(context_->limits.handshake_timeout, "the end of the connection");
  Send(reply);
}

void Link::TellRefusal(const Status& reason, Severity severity) {
  Tell(severity == Severity::kAlarm ? NoticeKind::kServerRefused : NoticeKind::kConnectionRefused,
       "connection of " + peer_ + " refused: " + reason.words());
}

void Link::Tell(NoticeKind kind, const RedactableText& words) {
  context_->notices.Tell({.kind = kind, .words = words, .server = peer_});
}

void Link::Break(const error_code& error) {
  if (!ready_) NoteEarlyEnd(stream_.FaultOf(error));
  Close();
}

void Link::NoteEarlyEnd(const Status& fault) {
  if (!fault.ok()) return TellRefusal(fault, SeverityOf(fault));
  if (!cause_of_end_.empty()) return TellRefusal(Status(StatusCode::kPermission, cause_of_end_), Severity::kWarning);
  ++context_->nameless_ever;
}

void Link::CloseFor(const std::string& reason) {
  Tell(NoticeKind::kConnectionClosed, RedactableText("connection of " + peer_ + " closed: " + reason));
  Close();
}

void Link::Close() {
  if (!open_) return;
  open_ = false;
  const auto self = shared_from_this();  // OnClose may drop the last owner
  stream_.Close();
  timer_.Stop();
  if (ready_) --context_->ready_now;
  OnClose();
}

}  // namespace fensi::capture

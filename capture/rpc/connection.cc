#include "capture/rpc/connection.h"

#include <algorithm>

#include "capture/rpc/frame.h"
#include "capture/rpc/master_calls.h"
#include "capture/rpc/timer.h"

namespace fensi::capture {
namespace {

using std::chrono::milliseconds;

constexpr char kMethod[] = "ReplicateWALEntry";

/// Before the caller gives up, so that it hears why.
milliseconds Deadline(milliseconds caller, milliseconds fallback) {
  const milliseconds timeout = caller.count() == 0 ? fallback : caller;
  return timeout - std::min<milliseconds>(timeout / 5, milliseconds(10'000));
}

}  // namespace

Connection::Connection(boost::asio::ip::tcp::socket socket, ConnectionContext* context, std::function<void()> closed)
    : Link(std::move(socket), context),
      closed_(std::move(closed)),
      handshake_(this, context, [this] { ReadOn(); }),
      frames_(this, context, [this](Frame frame, milliseconds waited) { Take(std::move(frame), waited); }),
      calls_(context->io) {}

void Connection::Start() {
  OrClose([this] { handshake_.Begin(); });
}

void Connection::Finish() {
  finishing_ = true;
  if (MayClose()) Close();
}

void Connection::OnClose() {
  closed_();
  frames_.Drop();
  calls_.Drop();
}

void Connection::ReadOn() {
  const ConnectionLimits& limits = context_->limits;
  if (frames_.reading() || finishing_ || refused()) return;
  if (calls_.size() >= limits.max_calls || unsent() >= limits.max_calls) return;
  last_used_ = std::chrono::steady_clock::now();
  WatchIdle(limits.idle_timeout);
  frames_.Read();
}

void Connection::WatchIdle(milliseconds timeout) {
  Await(timeout, [this] {
    const auto quiet = std::chrono::steady_clock::now() - last_used_;
    const milliseconds left = context_->limits.idle_timeout - std::chrono::duration_cast<milliseconds>(quiet);
    if (left.count() <= 0 && calls_.empty()) return Close();
    WatchIdle(std::max(left, milliseconds(100)));
  });
}

void Connection::Take(Frame frame, milliseconds waited) {
  if (handshake_.wants_header()) {
    handshake_.TakeHeader(frame.bytes);
  } else {
    HandOut(std::move(frame), waited);
  }
  if (open()) ReadOn();
}

void Connection::HandOut(Frame frame, milliseconds waited) {
  CallFrame parsed;
  const Status status = ParseCallFrame(frame.bytes, &parsed);
  if (!status.ok()) return Refuse(status);
  const uint32_t call_id = parsed.call_id;
  if (parsed.method != kMethod) return AnswerOther(call_id, parsed.method);
  const milliseconds most = Deadline(parsed.timeout, context_->limits.call_timeout);
  const milliseconds deadline = most - waited;
  if (deadline.count() <= 0) {
    return Send(ExceptionReply(
        call_id, "the call took " + std::to_string(waited.count()) + " ms to arrive at the capture " +
                     stream().OwnEnd() + ", more than the " + std::to_string(most.count()) +
                     " ms that its timeout leaves: check the network from this region server to that address"));
  }
  const uint64_t id = calls_.NewId();
  const auto call = std::make_shared<Call>(std::move(frame.memory), parsed.request, parsed.cells, peer(), deadline,
                                           Answerer(id, call_id));
  calls_.Add(id, call, deadline);
  context_->handler->Handle(call);
}

void Connection::AnswerOther(uint32_t call_id, const std::string& method) {
  const auto answer = AnswerOfMaster(method, context_->cluster());
  if (answer.has_value()) return Send(SuccessReply(call_id, *answer));
  Send(ExceptionReply(call_id, "a capture does not support RPC method " + ShownName(method) + ", only " + kMethod +
                                   ". If the caller uses the capture as an HBase cluster, correct its "
                                   "hbase.zookeeper.quorum and zookeeper.znode.parent"));
}

Call::Answerer Connection::Answerer(uint64_t id, uint32_t call_id) {
  return [weak = weak_from_this(), this, &io = context_->io, id, call_id](const Status& answer) {
    PostSurely(io, [&] {
      return [weak, this, id, call_id, answer] {
        const auto self = weak.lock();
        if (self) OrClose([&] { Answered(id, call_id, answer); });
      };
    });
  };
}

void Connection::Answered(uint64_t id, uint32_t call_id, const Status& status) {
  calls_.Remove(id);
  if (!open()) return;
  last_used_ = std::chrono::steady_clock::now();
  Send(status.ok() ? SuccessReply(call_id) : ExceptionReply(call_id, status.message()));
  ReadOn();
}

void Connection::OnWritten() {
  if (MayClose()) return Close();
  if (ready()) ReadOn();  // which waits while replies are not taken
}

}  // namespace fensi::capture

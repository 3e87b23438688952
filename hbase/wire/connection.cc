#include "hbase/wire/connection.h"

#include <algorithm>
#include <exception>
#include <utility>

#include "base/unattended.h"
#include "hbase/wire/call_frame.h"
#include "hbase/wire/framing.h"

namespace fensi::hbase {
namespace {

/// Reads of one connection before others get their turn.
constexpr size_t kReadsInTurn = 16;

/// A row of HBase has at most 1 GB (hbase.table.max.rowsize).
constexpr size_t kMostDropped = size_t{3} << 29;

RemoteError AnswerTooLarge(size_t bytes, size_t most) {
  return {.exception = kAnswerTooLarge,
          .message = "an answer of " + std::to_string(bytes) + " bytes is larger than " + std::to_string(most),
          .do_not_retry = true};
}

std::string ServiceText(const std::string& service) {
  if (service == "MasterService") return "master ";
  return service == "ClientService" ? "region server " : "server ";
}

/// Of HBase, about a client that comes with simple authentication.
constexpr std::string_view kDemandsKerberos = "Authentication is required";

}  // namespace

Handshake SimpleHandshake() {
  return [](Socket socket, const std::string&, Deadline deadline) -> Result<Greeted> {
    Greeted greeted{.stream = PlainStream(std::move(socket)), .user = {}, .hint = std::string(kIfTls) + kIfKerberos};
    FENSI_RETURN_IF_ERROR(WriteAll(greeted.stream.get(), Preamble(kAuthSimple), deadline).WithSuffix(kReadServersLog));
    return greeted;
  };
}

Connection::Connection(std::shared_ptr<EventLoop> loop, const ConnectionOptions& options,
                       std::shared_ptr<ServerStats> stats)
    : loop_(std::move(loop)),
      options_(options),
      stats_(std::move(stats)),
      assembler_(options.most_answer_bytes, kMostDropped) {}

Connection::~Connection() = default;

std::shared_ptr<Connection> Connection::Open(std::shared_ptr<EventLoop> loop, const ConnectionOptions& options,
                                             std::shared_ptr<ServerStats> stats) {
  std::shared_ptr<Connection> connection(new Connection(std::move(loop), options, std::move(stats)));
  if (!StartDetached([connection] { connection->Guarded([&] { connection->Connect(); }); })) {
    connection->Close(Status(StatusCode::kUnavailable, NoThreadText("to connect to " + connection->Name())));
  }
  return connection;
}

std::string Connection::Name() const {
  return ServiceText(options_.service) + AddressText(options_.host, options_.port);
}

void Connection::Connect() {
  const Deadline deadline = Clock::now() + options_.connect_timeout;
  Result<Socket> socket = Dial(options_.host, options_.port, deadline);
  Status status = socket.status();
  if (socket.ok()) {
    Result<Greeted> greeted = options_.handshake(std::move(*socket), options_.host, deadline);
    status = greeted.status();
    if (greeted.ok()) {
      {
        const MutexLock lock(mu_);
        judge_ = std::move(greeted->judge);
      }
      const std::string& user = greeted->user.empty() ? options_.user : greeted->user;
      status = WriteAll(greeted->stream.get(), ConnectionHeaderBytes(user, options_.service), deadline)
                   .WithSuffix(kReadServersLog);
    }
    if (status.ok()) status = BeReady(std::move(*greeted));
  }
  if (!status.ok()) Close(status.WithContext("cannot connect to " + Name()));
}

Status Connection::BeReady(Greeted greeted) {
  Finished finished;
  {
    const MutexLock lock(mu_);
    if (closed_) return {};
    Result<uint64_t> watch = loop_->Add(greeted.stream->socket(), shared_from_this());
    if (!watch.ok()) return watch.status();
    watch_ = *watch;
    stream_ = std::move(greeted.stream);
    hint_ = std::move(greeted.hint);
    SendWaiting(&finished);
    if (stream_ != nullptr && stream_->HoldsBytes()) ReadSome(&finished);
  }
  Tell(&finished);
  return {};
}

void Connection::Send(uint32_t call_id, std::string frame, const Permission* permission, Done done) {
  Finished finished;
  {
    const MutexLock lock(mu_);
    if (closed_) {
      finished.emplace_back(std::move(done), Answer{.status = why_closed_});
    } else {
      calls_[call_id] = {std::move(done), std::move(frame), permission, {}, false};
      waiting_.push_back(call_id);
      stats_->Waiting(1);
      SendWaiting(&finished);
    }
  }
  Tell(&finished);
}

Connection::Cancelled Connection::Cancel(uint32_t call_id) {
  Finished finished;
  Done dropped;  // destroyed without the lock
  Cancelled cancelled;
  {
    const MutexLock lock(mu_);
    const auto found = calls_.find(call_id);
    if (found == calls_.end()) return cancelled;
    cancelled = {found->second.sent, heard_at_ >= found->second.sent_at};
    dropped = std::move(found->second.done);
    calls_.erase(found);
    if (cancelled.sent) {
      --in_flight_;
      stats_->InFlight(-1);
      stats_->Unanswered();
    } else {
      stats_->Waiting(-1);
    }
    if (!out_.empty() && out_id_ == call_id) {
      End(Status(StatusCode::kUnavailable, "fensi closed the connection to " + Name() +
                                               ", because the server had read only a part of a call that timed out" +
                                               kReadServersLog),
          &finished);
    }
    SendWaiting(&finished);
  }
  Tell(&finished);
  return cancelled;
}

void Connection::Close(const Status& why) {
  Finished finished;
  {
    const MutexLock lock(mu_);
    End(why, &finished);
  }
  Tell(&finished);
}

bool Connection::closed() const {
  const MutexLock lock(mu_);
  return closed_;
}

void Connection::OnReady(const Readiness& ready) {
  Finished finished;
  Guarded([&] {
    const MutexLock lock(mu_);
    if (ready.write) SendWaiting(&finished);
    if (ready.read && !closed_) ReadSome(&finished);
  });
  Guarded([&] { Tell(&finished); });
}

void Connection::Guarded(const std::function<void()>& work) noexcept {
  try {
    try {
      work();
    } catch (const std::exception& fault) {
      Close(InternalError(fault).As(StatusCode::kUnavailable).WithContext(Name()));
    }
  } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): no memory for telling it, so the calls time out
  }
}

void Connection::SendWaiting(Finished* finished) {
  if (stream_ == nullptr || closed_) return;
  if (FlushStream(finished)) SendCalls(finished);
  if (closed_) return;
  const bool calls = !out_.empty() || (!waiting_.empty() && in_flight_ < options_.most_in_flight);
  const bool more = calls || stream_->HoldsUnsent();
  if (std::exchange(watches_write_, more) != more) loop_->WatchWrite(watch_, more);
}

void Connection::SendCalls(Finished* finished) {
  while (true) {
    if (out_.empty() && !BeginNext(finished)) return;
    if (out_.empty()) continue;  // the socket took all of it
    const size_t bytes = Write(std::string_view(out_).substr(out_begin_), finished);
    if (bytes == 0) return;
    out_begin_ += bytes;
    if (out_begin_ == out_.size()) out_.clear();
  }
}

bool Connection::FlushStream(Finished* finished) {
  if (!stream_->HoldsUnsent()) return true;
  const ByteStream::Moved moved = stream_->Flush();
  if (moved.outcome == ByteStream::Outcome::kDone) return true;
  if (moved.outcome != ByteStream::Outcome::kWouldBlock) End(FaultOfStream(moved), finished);
  return false;
}

/// False: no call may be sent now.
bool Connection::BeginNext(Finished* finished) {
  while (!waiting_.empty() && in_flight_ < options_.most_in_flight) {
    const uint32_t id = waiting_.front();
    const auto found = calls_.find(id);
    if (found == calls_.end()) {  // cancelled
      waiting_.pop_front();
      continue;
    }
    Pending& call = found->second;
    const bool asks = call.permission != nullptr && *call.permission;
    if (Status granted = asks ? (*call.permission)() : Status(); !granted.ok()) {
      finished->emplace_back(std::move(call.done), Answer{.status = std::move(granted), .not_permitted = true});
      calls_.erase(found);
      waiting_.pop_front();
      stats_->Waiting(-1);
      continue;
    }
    call.sent_at = Clock::now();
    const size_t bytes = Write(call.unsent, finished);
    if (bytes == 0) return false;  // it waits on, and its permission is asked again
    waiting_.pop_front();
    call.sent = true;
    stats_->Waiting(-1);
    stats_->Sent();
    std::string frame = std::move(call.unsent);
    if (call.done == nullptr) {
      calls_.erase(found);  // as if it were cancelled: TakeFrame passes its answer over
    } else {
      ++in_flight_;
      stats_->InFlight(1);
    }
    if (bytes < frame.size()) {
      out_ = std::move(frame);
      out_begin_ = bytes;
      out_id_ = id;
    }
    return true;
  }
  return false;
}

size_t Connection::Write(std::string_view bytes, Finished* finished) {
  const ByteStream::Moved moved = stream_->Write(bytes.data(), bytes.size());
  if (moved.outcome == ByteStream::Outcome::kDone) return moved.bytes;
  if (moved.outcome != ByteStream::Outcome::kWouldBlock) End(FaultOfStream(moved), finished);
  return 0;
}

Status Connection::FaultOfStream(const ByteStream::Moved& moved) const {
  const std::string hint = has_answered_ || hint_.empty() ? kReadServersLog : hint_;
  if (moved.outcome == ByteStream::Outcome::kEnded) {
    return Status(StatusCode::kUnavailable, Name() + " closed the connection" + hint);
  }
  if (moved.why.code() != StatusCode::kUnavailable) return moved.why.WithContext(Name());
  return moved.why.WithContext("the connection to " + Name() + " broke").WithSuffix(hint);
}

void Connection::ReadSome(Finished* finished) {
  std::vector<FrameBytes> frames;
  for (size_t turn = 0; !closed_ && (turn < kReadsInTurn || stream_->HoldsBytes()); ++turn) {
    const std::span<char> space = assembler_.Space();
    const ByteStream::Moved moved = stream_->Read(space.data(), space.size());
    if (moved.outcome == ByteStream::Outcome::kWouldBlock) break;
    if (moved.outcome != ByteStream::Outcome::kDone) return End(FaultOfStream(moved), finished);
    frames.clear();
    Status status = assembler_.Take(moved.bytes, &frames);
    for (FrameBytes& frame : frames) {
      if (status.ok()) status = TakeFrame(std::move(frame), finished);
    }
    const bool denied = status.code() == StatusCode::kPermission;
    if (!status.ok()) End((denied ? status : status.As(StatusCode::kUnavailable)).WithContext(Name()), finished);
  }
  SendWaiting(finished);
}

Status Connection::TakeFrame(FrameBytes frame, Finished* finished) {
  AnswerFrame parsed;
  const bool too_large = frame.too_large > 0;
  FENSI_RETURN_IF_ERROR(too_large ? ParseAnswerBegin(frame.view(), &parsed) : ParseAnswer(frame.view(), &parsed));
  if (parsed.call_id == kNoCall) {
    const std::string text = parsed.error
                                 ? ErrorText(*parsed.error)
                                 : std::string("the server ended all calls of the connection") + kReadServersLog;
    const bool denied = parsed.error && CodeOf(*parsed.error) == StatusCode::kPermission;
    const bool demands = text.find(kDemandsKerberos) != std::string::npos;
    const std::string remedy = demands ? ". The server requires Kerberos: give --store_kerberos_service" : "";
    return Status(denied ? StatusCode::kPermission : StatusCode::kUnavailable, text + remedy);
  }
  if (too_large && !parsed.error) parsed.error = AnswerTooLarge(frame.too_large, options_.most_answer_bytes);
  if (parsed.call_id >= next_id_) {
    return Status(StatusCode::kUnavailable, "the server answered call " + std::to_string(parsed.call_id) +
                                                ", which fensi did not make. Check that no proxy mixes connections");
  }
  if (!has_answered_ && judge_) static_cast<void>(judge_({}));
  has_answered_ = true;
  heard_at_ = Clock::now();
  const auto found = calls_.find(parsed.call_id);
  if (found == calls_.end() || !found->second.sent) return {};  // cancelled
  --in_flight_;
  stats_->InFlight(-1);
  stats_->Answered(std::chrono::duration<double>(Clock::now() - found->second.sent_at).count());
  if (parsed.error) stats_->Failed(std::string(ShortName(*parsed.error)));
  Answer answer{.error = std::move(parsed.error), .message = parsed.message, .cells = parsed.cells};
  answer.frame = std::move(frame);
  finished->emplace_back(std::move(found->second.done), std::move(answer));
  calls_.erase(found);
  return {};
}

void Connection::End(const Status& why, Finished* finished) {
  if (closed_) return;
  closed_ = true;
  why_closed_ = !has_answered_ && judge_ ? judge_(why) : why;
  if (!calls_.empty()) stats_->Troubled(why.message());
  if (stream_ != nullptr) loop_->Remove(watch_);
  stream_.reset();
  for (auto& [id, call] : calls_) {
    if (call.sent) {
      stats_->InFlight(-1);
      stats_->Unanswered();
    } else {
      stats_->Waiting(-1);
    }
    finished->emplace_back(std::move(call.done), Answer{.status = why_closed_, .may_be_done = call.sent});
  }
  calls_.clear();
  waiting_.clear();
  out_.clear();
  in_flight_ = 0;
  assembler_.Release();
}

void Connection::Tell(Finished* finished) {
  for (auto& [done, answer] : *finished) {
    if (done != nullptr) done(std::move(answer));
  }
}

}  // namespace fensi::hbase

// One connection to a service of one server, with many calls in flight.
//
// Thread-safe; no method blocks. Answers come in any order, each once, on the thread of the event loop or on that of a
// caller whose call could not be sent. At most `most_in_flight` calls are unanswered; more wait here, unsent. The
// permission of a call is asked right before its first byte is sent, with the lock held: on any thread, and never after
// the answer or Cancel. A closed connection stays closed: open another one.
#pragma once

#include <absl/container/flat_hash_map.h>

#include <atomic>
#include <chrono>
#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/mutex.h"
#include "base/status.h"
#include "hbase/errors.h"
#include "hbase/wire/byte_stream.h"
#include "hbase/wire/event_loop.h"
#include "hbase/wire/frame_assembler.h"
#include "hbase/wire/server_stats.h"

namespace fensi::hbase {

/// The answer to a call.
struct Answer {
  Status status;               // not ok: there is no answer
  bool may_be_done = false;    // without an answer: bytes of the call were sent
  bool not_permitted = false;  // `status` is the permission's error
  std::optional<RemoteError> error;
  std::string_view message;  // into `frame`, as are the cells
  std::string_view cells;
  FrameBytes frame;
};

/// The likely causes if a server closes a connection before its first answer, as ends of that message.
inline constexpr char kIfTls[] = ". If the server requires TLS, write hbases:// in --store";
inline constexpr char kIfKerberos[] = ". If the server requires Kerberos, give --store_kerberos_service";

/// A stream that is ready for the connection header.
struct Greeted {
  std::unique_ptr<ByteStream> stream;
  std::string user;  // authenticated; empty: the user of ConnectionOptions
  std::string hint;  // the likely cause if the server closes the connection before its first answer
  /// Judges the end of a connection without an answer, and gets ok for the first answer. Null: nobody does.
  std::function<Status(const Status&)> judge = {};
};

/// Prepares a new connection: TLS, preamble and SASL as configured. Blocks, on a thread of its own.
using Handshake = std::function<Result<Greeted>(Socket socket, const std::string& host, Deadline deadline)>;

/// Without authentication: the preamble alone.
Handshake SimpleHandshake();

struct ConnectionOptions {
  std::string host;
  int port = 0;
  std::string service;  // "ClientService", …
  std::string user;
  std::chrono::milliseconds connect_timeout{5'000};
  size_t most_in_flight = 32;
  /// A larger answer is dropped, and its call gets kAnswerTooLarge.
  size_t most_answer_bytes = 256 << 20;
  /// The numbers of calls have 32 bits, and must not begin again.
  uint32_t most_calls = 2'000'000'000;
  Handshake handshake;
};

class Connection final : public Watched, public std::enable_shared_from_this<Connection> {
 public:
  using Done = std::function<void(Answer)>;
  using Permission = std::function<Status()>;

  /// Starts to connect. Calls may be made at once.
  static std::shared_ptr<Connection> Open(std::shared_ptr<EventLoop> loop, const ConnectionOptions& options,
                                          std::shared_ptr<ServerStats> stats);
  ~Connection() override;

  /// For the frame of a call.
  uint32_t NewCallId() { return next_id_++; }
  /// The permission must live until the answer or Cancel. Null: granted. `done` null: nobody waits for the answer, and
  /// the call does not count among those in flight.
  void Send(uint32_t call_id, std::string frame, const Permission* permission, Done done);

  struct Cancelled {
    bool sent = true;
    bool heard_since = true;  // the server has answered a call since this one was sent
  };
  /// Drops the answer of this call. A call that is half sent ends the connection: the server must not get the rest.
  Cancelled Cancel(uint32_t call_id);
  /// Answers every pending call with this error. The server does not start a call that is still queued there.
  void Close(const Status& why);

  /// True if it has had `most_calls`: make further calls on another one.
  bool worn() const { return next_id_ > options_.most_calls; }
  bool closed() const;
  /// True once it has received an answer.
  bool has_answered() const { return has_answered_; }
  const ConnectionOptions& options() const { return options_; }
  ServerStats& stats() { return *stats_; }
  /// "region server HOST:PORT"
  std::string Name() const;

  void OnReady(const Readiness& ready) override;

 private:
  using Clock = std::chrono::steady_clock;
  struct Pending {
    Done done;
    std::string unsent;                      // the frame while the call waits
    const Permission* permission = nullptr;  // not used once the call is sent
    Clock::time_point sent_at;
    bool sent = false;  // its first byte
  };
  using Finished = std::vector<std::pair<Done, Answer>>;

  Connection(std::shared_ptr<EventLoop> loop, const ConnectionOptions& options, std::shared_ptr<ServerStats> stats);
  void Connect();
  Status BeReady(Greeted greeted);

  /// Writes what the socket takes: what the stream holds, the rest of a call that is half sent, then calls that wait.
  void SendWaiting(Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  bool BeginNext(Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void SendCalls(Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// False: the socket is full, or the connection has ended.
  bool FlushStream(Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// The number of bytes that were written; 0: the socket is full, or the connection has ended.
  size_t Write(std::string_view bytes, Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void ReadSome(Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status FaultOfStream(const ByteStream::Moved& moved) const ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  Status TakeFrame(FrameBytes frame, Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  void End(const Status& why, Finished* finished) ABSL_EXCLUSIVE_LOCKS_REQUIRED(mu_);
  /// Call without the lock.
  static void Tell(Finished* finished);
  /// Does work on a thread that has nobody to catch an exception. Lack of memory ends the connection, which is made
  /// again, and not the process.
  void Guarded(const std::function<void()>& work) noexcept;

  const std::shared_ptr<EventLoop> loop_;
  const ConnectionOptions options_;
  const std::shared_ptr<ServerStats> stats_;
  std::atomic<uint32_t> next_id_ = 1;
  std::atomic<bool> has_answered_ = false;

  mutable Mutex mu_;
  bool closed_ ABSL_GUARDED_BY(mu_) = false;
  Status why_closed_ ABSL_GUARDED_BY(mu_);
  std::unique_ptr<ByteStream> stream_ ABSL_GUARDED_BY(mu_);  // null: not connected
  std::string hint_ ABSL_GUARDED_BY(mu_);
  std::function<Status(const Status&)> judge_ ABSL_GUARDED_BY(mu_);
  uint64_t watch_ ABSL_GUARDED_BY(mu_) = 0;
  bool watches_write_ ABSL_GUARDED_BY(mu_) = false;
  absl::flat_hash_map<uint32_t, Pending> calls_ ABSL_GUARDED_BY(mu_);
  std::deque<uint32_t> waiting_ ABSL_GUARDED_BY(mu_);  // in order; some may be cancelled
  size_t in_flight_ ABSL_GUARDED_BY(mu_) = 0;
  std::string out_ ABSL_GUARDED_BY(mu_);       // the call that is half sent; empty: none
  size_t out_begin_ ABSL_GUARDED_BY(mu_) = 0;  // bytes of it that are written
  uint32_t out_id_ ABSL_GUARDED_BY(mu_) = 0;
  Clock::time_point heard_at_ ABSL_GUARDED_BY(mu_);  // the last answer
  FrameAssembler assembler_ ABSL_GUARDED_BY(mu_);
};

}  // namespace fensi::hbase

// One connection to a Thrift2 gateway: connects when it is needed, gives itself up after any fault, never repeats a
// call.
//
// Calls block until the answer, the deadline of the call, or the loss of the permission that it watches. Owned and used
// by one thread at a time. After a fault a late answer could be taken for that of the next call, so that the connection
// is closed.
#pragma once

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "base/clock.h"
#include "base/mutex.h"
#include "base/status.h"
#include "store/connection_counts.h"
#include "store/hbase/gateway_link.h"
#include "store/hbase/thrift_call.h"

namespace fensi::store {

struct GatewayOptions {
  std::string host;
  int port = 9090;
  std::chrono::milliseconds connect_timeout{5'000};
  std::chrono::milliseconds call_timeout{60'000};  // of each call as a whole
  /// Until the gateway has answered once, calls end this long after the opening of the store. Those that begin later
  /// have little time, and each more than the one before: who goes on finds a gateway that is only slow.
  std::optional<std::chrono::milliseconds> first_answer;
  GatewayLayers layers;
  std::shared_ptr<ConnectionCounts> counts = std::make_shared<ConnectionCounts>();  // never null
  Clock* clock = SystemClock();                                                     // must outlive the connection
};

/// What one answer may take.
constexpr int kMostReplyBytes = 64 << 20;

/// What the connections of a pool know in common: has the gateway ever answered, and does it refuse us since?
/// Thread-safe.
class FirstAnswer {
 public:
  explicit FirstAnswer(const GatewayOptions& options);
  void Came();
  bool came() const { return came_; }
  /// How long a call that begins now may take.
  CallLimit LimitForNext();
  /// What a connection that is refused means. Who was taken before may be so again, when what was changed there is
  /// right, or a ticket's server is back: for half a minute it is kUnavailable.
  Status AfterRefusal(const Status& refused);

 private:
  using Time = std::chrono::steady_clock::time_point;
  const std::chrono::milliseconds call_timeout_;
  const std::optional<std::chrono::milliseconds> first_answer_;
  const Time opened_;
  std::atomic<bool> came_{false};
  std::atomic<int> late_{0};  // calls that began too late
  Clock* const clock_;
  Mutex mu_;
  std::optional<std::chrono::milliseconds> refused_since_ ABSL_GUARDED_BY(mu_);  // and has not answered after it
};

class Connection {
 public:
  /// `first_answer` must outlive it.
  Connection(const GatewayOptions& options, FirstAnswer* first_answer);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  /// From now on calls end with the error of `go_on` soon after it has one, even while they wait for an answer. Null:
  /// they do not. It must outlive its use.
  void Watch(const std::function<Status()>* go_on) { go_on_ = go_on; }

  /// The client speaks GatewayProtocol (write_calls.h). `doing` names the call in messages. kUnavailable: the outcome
  /// may be unknown. An answer above `most_bytes` is not read to its end (Suspect::kReplySize).
  Status Call(const std::string& doing, const std::function<void(thrift2::THBaseServiceClient&)>& call,
              int most_bytes = kMostReplyBytes);

  /// Of the last call.
  const Outcome& last() const { return last_; }

 private:
  /// What `fault`, which is none of the gateway's, may have for a cause.
  std::string HintOf(const Status& fault) const;
  void NoteOpen(bool open);
  void Close();

  const GatewayOptions options_;
  const std::string name_;  // for messages
  FirstAnswer* const first_answer_;
  const std::function<Status()>* go_on_ = nullptr;
  std::unique_ptr<GatewayLink> link_;  // null: not connected
  bool counted_ = false;               // among the open ones
  Outcome last_;
  std::chrono::milliseconds last_use_{0};
};

}  // namespace fensi::store
